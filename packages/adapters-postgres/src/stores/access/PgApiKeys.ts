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
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { makeTellAccessChanged } from "./accessWord.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { at, first, firstShaped, newestFirst, plain, toOptionalMoment } from "../../rows/rows.ts"
import { makeLookUpTogether } from "../../connection/lookUpTogether.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { storable, storableOrNull } from "../../rows/text.ts"
import { toWorkspace, workspaceColumnsOf, WorkspaceRow } from "../../rows/WorkspaceRow.ts"
import { traced } from "@loopbox/core/kernel/traced"

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

const PlaceRow = Schema.Struct({ workspace_id: WorkspaceId })

const used = { used_at: Schema.NullOr(plain.moment) }

const ListedRow = Schema.Struct({ ...KeyRow.fields, ...used })

const HolderRow = Schema.Struct({ ...WorkspaceRow.fields, creator_role: Schema.NullOr(Role), ...used })

/** The later one: an older version notes a use in the key's own row. */
const later = (a: Date | null, b: Date | null) => (a === null || (b !== null && b > a) ? b : a)

const toKey = (row: typeof KeyRow.Type, usedAt: Date | null): ApiKey =>
  new ApiKey({
    id: row.id,
    workspaceId: row.workspace_id,
    name: row.name,
    creatorUserId: Option.fromNullOr(row.creator_user_id),
    secretHash: row.secret_hash,
    createdAt: DateTime.fromDateUnsafe(row.created_at),
    expiresAt: toOptionalMoment(row.expires_at),
    lastUsedAt: toOptionalMoment(later(row.last_used_at, usedAt))
  })

const keyPage = pageOf("api_keys", ListedRow, (row) => toKey(row, row.used_at))

/** What a key and its workspace both have is the workspace's; the key's stands beside it. */
const beside = ["id", "name", "created_at"]
const keyBeside = keyColumns
  .map((name) => (beside.includes(name) ? `k.${name} AS key_${name}` : `k.${name}`))
  .join(", ")

const { id, name, created_at, ...keyFields } = KeyRow.fields

const HeldRow = Schema.Struct({
  ...keyFields,
  ...HolderRow.fields,
  key_id: id,
  key_name: name,
  key_created_at: created_at
})

const heldRow = firstShaped(HeldRow)

const keyOf = (row: typeof HeldRow.Type): typeof KeyRow.Type => ({
  ...row,
  id: row.key_id,
  name: row.key_name,
  created_at: row.key_created_at
})

/** Keys whose workspace a process remembers. */
const rememberedAtMost = 10_000

/**
 * The workspace of each key that was found. Only that: a key never changes its workspace and an id is never given twice,
 * so that what is remembered stays true, and all that may change is read anew for each request.
 */
const makeWorkspacesOfKeys = () => {
  const workspaces = new Map<ApiKeyId, WorkspaceId>()
  return {
    find: (id: ApiKeyId) => workspaces.get(id),
    remember: (id: ApiKeyId, workspaceId: WorkspaceId) => {
      const oldest = workspaces.size >= rememberedAtMost ? workspaces.keys().next() : undefined
      if (oldest?.done === false) workspaces.delete(oldest.value)
      workspaces.set(id, workspaceId)
    }
  }
}

export const layer: Layer.Layer<ApiKeys, never, SqlClient> = Layer.effect(
  ApiKeys,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const tellAccessChanged = yield* makeTellAccessChanged
    const page = yield* newestFirst
    const audit = yield* makeAppendAudit
    const workspacesOfKeys = makeWorkspacesOfKeys()
    const placeOf = Effect.fnUntraced(function* (id: ApiKeyId) {
      const known = workspacesOfKeys.find(id)
      if (known !== undefined) return Option.some(known)
      const found = yield* first(PlaceRow)(sql`SELECT workspace_id FROM api_keys WHERE id = ${id}`)
      if (Option.isSome(found)) workspacesOfKeys.remember(id, found.value.workspace_id)
      return Option.map(found, ({ workspace_id }) => workspace_id)
    })

    /** A product's requests have one key: those that come together are let in by one look. */
    const findHolder = makeLookUpTogether(
      Effect.fnUntraced(
        function* (id: ApiKeyId) {
          // What else there is of a key lies on its workspace's node, so that the workspace must be known beforehand.
          const place = yield* placeOf(id)
          if (Option.isNone(place)) return Option.none()
          const workspaceId = place.value
          const row = yield* heldRow(sql`
            SELECT ${sql.literal(`${workspaceColumnsOf("w")}, ${keyBeside}`)}, (SELECT m.role FROM members m
              WHERE m.workspace_id = ${workspaceId} AND m.user_id = k.creator_user_id) AS creator_role,
              (SELECT u.used_at FROM api_key_uses u
                WHERE u.workspace_id = ${workspaceId} AND u.key_id = ${id}) AS used_at
            FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id
            WHERE w.id = ${workspaceId} AND k.id = ${id} AND k.workspace_id = ${workspaceId}`)
          return Option.map(row, (held) => ({
            key: toKey(keyOf(held), held.used_at),
            workspace: toWorkspace(held),
            creatorRole: Option.fromNullOr(held.creator_role)
          }))
        },
        storeCall("apiKeys.findHolder", "no"),
        traced("PgApiKeys.findHolder")
      )
    )

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

      findHolder,

      list: Effect.fn("PgApiKeys.list")(
        function* (workspaceId, request) {
          return yield* keyPage(
            sql`SELECT ${sql.literal(keyColumns.join(", "))}, (SELECT u.used_at FROM api_key_uses u
                WHERE u.workspace_id = ${workspaceId} AND u.key_id = k.id) AS used_at
              FROM api_keys k WHERE workspace_id = ${workspaceId} ${page(request)}`,
            request.limit
          )
        },
        storeCall("apiKeys.list", "no")
      ),

      revoke: Effect.fn("PgApiKeys.revoke")(
        function* (workspaceId, id) {
          const revoked = yield* sql`
            DELETE FROM api_keys WHERE workspace_id = ${workspaceId} AND id = ${id} RETURNING id`
          if (revoked.length === 0) return false
          yield* sql`DELETE FROM api_key_uses WHERE workspace_id = ${workspaceId} AND key_id = ${id}`
          yield* tellAccessChanged(workspaceId)
          yield* audit(workspaceId, { action: "api_key.revoked", targetId: id })
          return true
        },
        sql.withTransaction,
        storeCall("apiKeys.revoke", "unknown")
      ),

      touch: Effect.fn("PgApiKeys.touch")(
        function* (workspaceId, id, moment) {
          yield* sql`INSERT INTO api_key_uses (workspace_id, key_id, used_at)
            SELECT ${workspaceId}::text, id, ${at(moment)}::timestamptz FROM api_keys
            WHERE workspace_id = ${workspaceId} AND id = ${id}
            ON CONFLICT (workspace_id, key_id) DO UPDATE SET used_at = excluded.used_at`
        },
        storeCall("apiKeys.touch", "unknown")
      )
    })
  })
)
