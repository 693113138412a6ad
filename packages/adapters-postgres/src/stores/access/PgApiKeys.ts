import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { ApiKey } from "@loopbox/core/workspaces/ApiKey"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { Role } from "@loopbox/core/workspaces/Role"
import { ApiKeyId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { toPage } from "@loopbox/core/kernel/Page"
import { Plan } from "@loopbox/core/workspaces/Plan"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { makeTellAccessChanged } from "./accessWord.ts"
import { all, at, first, newestFirst, plain, toOptionalMoment } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { storable, storableOrNull } from "../../rows/text.ts"
import { toWorkspace, WorkspaceRow } from "../../rows/WorkspaceRow.ts"

const keyColumns = [
  "id",
  "workspace_id",
  "name",
  "creator_user_id",
  "secret_hash",
  "created_at",
  "expires_at",
  "last_used_at"
]

const KeyRow = Schema.Struct({
  id: ApiKeyId,
  workspace_id: WorkspaceId,
  name: Schema.String,
  creator_user_id: plain.text,
  secret_hash: Schema.String,
  created_at: plain.moment,
  expires_at: Schema.NullOr(plain.moment),
  last_used_at: Schema.NullOr(plain.moment)
})

const HolderRow = Schema.Struct({
  ...KeyRow.fields,
  workspace_name: Schema.String,
  plan: Plan,
  limit_active_jobs: WorkspaceRow.fields.limit_active_jobs,
  limit_conversions_per_24_hours: WorkspaceRow.fields.limit_conversions_per_24_hours,
  workspace_created_at: plain.moment,
  creator_role: Schema.NullOr(Role)
})

const toKey = (row: typeof KeyRow.Type): ApiKey =>
  new ApiKey({
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    creatorUserId: Option.fromNullOr(row.creator_user_id),
    secretHash: row.secret_hash,
    createdAt: DateTime.fromDateUnsafe(row.created_at),
    expiresAt: toOptionalMoment(row.expires_at),
    lastUsedAt: toOptionalMoment(row.last_used_at)
  })

const toHolder = (row: typeof HolderRow.Type) => ({
  key: toKey(row),
  workspace: toWorkspace({
    ...row,
    id: row.workspace_id,
    name: row.workspace_name,
    created_at: row.workspace_created_at
  }),
  creatorRole: Option.fromNullOr(row.creator_role)
})

export const layer: Layer.Layer<ApiKeys, never, SqlClient> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const tellAccessChanged = yield* makeTellAccessChanged
    const page = yield* newestFirst
    const audit = yield* makeAppendAudit

    return ApiKeys.of({
      insert: Effect.fn("PgApiKeys.insert")(
        function* (key) {
          const creator = storableOrNull(key.creatorUserId)
          // Shares of both rows: neither an erasure nor the creator's removal can come in between.
          const workspace = yield* sql`SELECT id FROM workspaces WHERE id = ${key.workspaceId} FOR KEY SHARE`
          if (workspace.length === 0) return false
          if (creator !== null) {
            const member = yield* sql`
              SELECT user_id FROM members WHERE workspace_id = ${key.workspaceId} AND user_id = ${creator} FOR KEY SHARE`
            if (member.length === 0) return false
          }
          yield* sql`INSERT INTO api_keys ${sql.insert({
            id: key.id,
            workspace_id: key.workspaceId,
            name: storable(key.name),
            creator_user_id: creator,
            secret_hash: key.secretHash,
            created_at: at(key.createdAt),
            expires_at: Option.getOrNull(Option.map(key.expiresAt, at)),
            last_used_at: Option.getOrNull(Option.map(key.lastUsedAt, at))
          })}`
          yield* audit(key.workspaceId, { action: "api_key.created", targetId: key.id })
          return true
        },
        sql.withTransaction,
        storeCall("apiKeys.insert", "unknown")
      ),

      findHolder: Effect.fnUntraced(
        function* (id) {
          const row = yield* first(HolderRow)(sql`
            SELECT ${sql.literal(keyColumns.map((name) => `k.${name}`).join(", "))},
              w.name AS workspace_name, w.plan, w.limit_active_jobs, w.limit_conversions_per_24_hours,
              w.created_at AS workspace_created_at, m.role AS creator_role
            FROM api_keys k
            JOIN workspaces w ON w.id = k.workspace_id
            LEFT JOIN members m ON m.workspace_id = k.workspace_id AND m.user_id = k.creator_user_id
            WHERE k.id = ${id}`)
          return Option.map(row, toHolder)
        },
        storeCall("apiKeys.findHolder", "no"),
        Effect.withSpan("PgApiKeys.findHolder")
      ),

      list: Effect.fn("PgApiKeys.list")(
        function* (workspaceId, request) {
          const rows = yield* all(KeyRow)(sql`
            SELECT ${sql.literal(keyColumns.join(", "))} FROM api_keys
            WHERE workspace_id = ${workspaceId} ${page(request)}`)
          return toPage(rows.map(toKey), request.limit)
        },
        storeCall("apiKeys.list", "no")
      ),

      revoke: Effect.fn("PgApiKeys.revoke")(
        function* (workspaceId, id) {
          const revoked = yield* sql`
            DELETE FROM api_keys WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
          if (revoked.length === 0) return false
          yield* tellAccessChanged(workspaceId)
          yield* audit(workspaceId, { action: "api_key.revoked", targetId: id })
          return true
        },
        sql.withTransaction,
        storeCall("apiKeys.revoke", "unknown")
      ),

      touch: Effect.fn("PgApiKeys.touch")(
        function* (workspaceId, id, moment) {
          yield* sql`UPDATE api_keys SET last_used_at = ${at(moment)} WHERE workspace_id = ${workspaceId} AND id = ${id}`
        },
        storeCall("apiKeys.touch", "unknown")
      )
    })
  })
)
