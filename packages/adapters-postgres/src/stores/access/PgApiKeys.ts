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
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { makeTellAccessChanged } from "./accessWord.ts"
import { all, at, first, newestFirst, plain, toOptionalMoment } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { storable, storableOrNull } from "../../rows/text.ts"
import { toWorkspace, workspaceColumnsOf, WorkspaceRow } from "../../rows/WorkspaceRow.ts"

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

const toHolder = (key: typeof KeyRow.Type, row: typeof HolderRow.Type) => ({
  key: toKey(key, row.used_at),
  workspace: toWorkspace(row),
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
          const key = yield* first(KeyRow)(sql`SELECT ${sql.literal(keyColumns.join(", "))} FROM api_keys
            WHERE id = ${id}`)
          if (Option.isNone(key)) return Option.none()
          // By itself, for only now the workspace is known, and with it the node on which the rest is.
          const row = yield* first(HolderRow)(sql`
            SELECT ${sql.literal(workspaceColumnsOf("w"))}, (SELECT m.role FROM members m
              WHERE m.workspace_id = ${key.value.workspace_id} AND m.user_id = ${key.value.creator_user_id ?? ""}) AS creator_role,
              (SELECT u.used_at FROM api_key_uses u
                WHERE u.workspace_id = ${key.value.workspace_id} AND u.key_id = ${id}) AS used_at
            FROM workspaces w WHERE w.id = ${key.value.workspace_id}`)
          return Option.map(row, (holder) => toHolder(key.value, holder))
        },
        storeCall("apiKeys.findHolder", "no"),
        Effect.withSpan("PgApiKeys.findHolder")
      ),

      list: Effect.fn("PgApiKeys.list")(
        function* (workspaceId, request) {
          const rows = yield* all(ListedRow)(sql`
            SELECT ${sql.literal(keyColumns.join(", "))}, (SELECT u.used_at FROM api_key_uses u
              WHERE u.workspace_id = ${workspaceId} AND u.key_id = k.id) AS used_at
            FROM api_keys k WHERE workspace_id = ${workspaceId} ${page(request)}`)
          return toPage(
            rows.map((row) => toKey(row, row.used_at)),
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
