import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Members, type Membership } from "@loopbox/core/workspaces/Members"
import { Role } from "@loopbox/core/workspaces/Role"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { makeTellAccessChanged } from "./accessWord.ts"
import { makeReadable } from "../../rows/readableRows.ts"
import { all, first, UpsertedRow } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { byStoredId, storable } from "../../rows/text.ts"
import { toWorkspace, workspaceColumnsOf, WorkspaceRow } from "../../rows/WorkspaceRow.ts"

const MembershipRow = Schema.Struct({ ...WorkspaceRow.fields, role: Role })
const NamedRow = Schema.Struct({ ...MembershipRow.fields, user_id: Schema.String })
const MemberRow = Schema.Struct({ user_id: Schema.String, role: Role })
const readMembers = makeReadable("members", MemberRow)

/** A member's place in the list, whatever their role is. */
const PlacedRow = Schema.Struct({ user_id: Schema.String, role: Schema.String })

const toMembership = (row: typeof MembershipRow.Type): Membership => ({ workspace: toWorkspace(row), role: row.role })

export const layer: Layer.Layer<Members, never, SqlClient> = Layer.effect(
  Members,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const tellAccessChanged = yield* makeTellAccessChanged
    const audit = yield* makeAppendAudit
    return Members.of({
      set: Effect.fn("PgMembers.set")(
        function* (workspaceId, userId, role) {
          // The share of the workspace's row keeps an erasure waiting; xmax is 0 on a row that this statement made.
          const row = yield* first(UpsertedRow)(sql`
            INSERT INTO members (workspace_id, user_id, role)
            SELECT id, ${storable(userId)}::text, ${role}::text FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE
            ON CONFLICT (workspace_id, user_id) DO UPDATE SET role = excluded.role
            RETURNING xmax = 0 AS is_new`)
          if (Option.isNone(row)) return "absent"
          yield* tellAccessChanged(workspaceId)
          yield* audit(workspaceId, { action: "member.set", targetId: userId, details: { role } })
          return row.value.is_new ? "created" : "changed"
        },
        sql.withTransaction,
        storeCall("members.set", "unknown")
      ),

      findMembership: Effect.fn("PgMembers.findMembership")(
        function* (workspaceId, userId) {
          const row = yield* first(MembershipRow)(sql`
            SELECT ${sql.literal(workspaceColumnsOf("w"))}, m.role
            FROM members m JOIN workspaces w ON w.id = m.workspace_id
            WHERE m.workspace_id = ${workspaceId} AND m.user_id = ${storable(userId)}`)
          return Option.map(row, toMembership)
        },
        storeCall("members.findMembership", "no")
      ),

      findMemberships: Effect.fn("PgMembers.findMemberships")(
        function* (workspaceId, userIds) {
          const rows = yield* all(NamedRow)(sql`
            SELECT ${sql.literal(workspaceColumnsOf("w"))}, m.user_id, m.role
            FROM members m JOIN workspaces w ON w.id = m.workspace_id
            WHERE m.workspace_id = ${workspaceId} AND m.user_id = ANY(${userIds.map(storable)}::text[])`)
          return byStoredId(userIds, rows, ({ user_id }) => user_id, toMembership)
        },
        storeCall("members.findMemberships", "no")
      ),

      list: Effect.fn("PgMembers.list")(
        function* (workspaceId, { after, limit }) {
          // Every user id is greater than the empty text.
          const rows = yield* all(PlacedRow)(sql`
            SELECT user_id, role FROM members
            WHERE workspace_id = ${workspaceId} AND user_id > ${Option.getOrElse(after, () => "")}
            ORDER BY user_id LIMIT ${limit + 1}`)
          const last = rows.length > limit ? rows[limit - 1]?.user_id : undefined
          const members = yield* readMembers(rows.slice(0, limit))
          const items = members.map(({ role, user_id }) => ({ userId: user_id, role }))
          return { items, next: Option.fromUndefinedOr(last) }
        },
        storeCall("members.list", "no")
      ),

      remove: Effect.fn("PgMembers.remove")(
        function* (workspaceId, userId) {
          const removed = yield* sql`
            DELETE FROM members WHERE workspace_id = ${workspaceId} AND user_id = ${storable(userId)} RETURNING user_id`
          if (removed.length === 0) return false
          yield* tellAccessChanged(workspaceId)
          yield* audit(workspaceId, { action: "member.removed", targetId: userId })
          return true
        },
        sql.withTransaction,
        storeCall("members.remove", "unknown")
      )
    })
  })
)
