import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { DeletionRequests, type KeptDeletion } from "@loopbox/core/connecting/DeletionRequests"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all, at, first, Instant, one, optional } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { storable, toJson } from "../../rows/text.ts"

const RequestRow = Schema.Struct({
  code: Schema.String,
  accounts: Schema.Array(Schema.Struct({ workspaceId: WorkspaceId, accountId: SocialAccountId })),
  created_at: Instant,
  completed_at: optional(Instant)
})

const toRequest = (row: typeof RequestRow.Type): KeptDeletion => ({
  code: row.code,
  accounts: row.accounts,
  createdAt: row.created_at,
  completedAt: row.completed_at
})

export const layer: Layer.Layer<DeletionRequests, never, SqlClient> = Layer.effect(
  DeletionRequests,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const columns = sql.literal("code, accounts, created_at, completed_at")

    return DeletionRequests.of({
      put: Effect.fn("PgDeletionRequests.put")(
        function* ({ accounts, code, createdAt }, requestDigest) {
          const row = yield* one(RequestRow)(sql`
            INSERT INTO deletion_requests AS r (code, request_digest, accounts, created_at)
            VALUES (${code}, decode(${requestDigest}, 'hex'), ${toJson(accounts)}::jsonb, ${at(createdAt)})
            ON CONFLICT (request_digest) DO UPDATE SET code = r.code RETURNING ${columns}`)
          return toRequest(row)
        },
        storeCall("deletionRequests.put", "unknown")
      ),

      find: Effect.fn("PgDeletionRequests.find")(
        function* (code) {
          const row = yield* first(RequestRow)(sql`SELECT ${columns} FROM deletion_requests
            WHERE code = ${storable(code)}`)
          return Option.map(row, toRequest)
        },
        storeCall("deletionRequests.find", "no")
      ),

      listOpen: Effect.fn("PgDeletionRequests.listOpen")(
        function* (limit) {
          const rows = yield* all(RequestRow)(sql`SELECT ${columns} FROM deletion_requests
            WHERE completed_at IS NULL ORDER BY created_at, code LIMIT ${limit}`)
          return rows.map(toRequest)
        },
        storeCall("deletionRequests.listOpen", "no")
      ),

      complete: Effect.fn("PgDeletionRequests.complete")(
        function* (code, moment) {
          yield* sql`UPDATE deletion_requests SET completed_at = ${at(moment)}
            WHERE code = ${code} AND completed_at IS NULL`
        },
        storeCall("deletionRequests.complete", "unknown")
      ),

      removeOlder: Effect.fn("PgDeletionRequests.removeOlder")(
        function* (before, limit) {
          const removed = yield* sql`WITH old AS MATERIALIZED (
              SELECT code FROM deletion_requests WHERE completed_at < ${at(before)}
              ORDER BY completed_at, code LIMIT ${sql.literal(`${Math.trunc(limit)}`)}
            )
            DELETE FROM deletion_requests r USING old o WHERE r.code = o.code RETURNING 1`
          return removed.length
        },
        storeCall("deletionRequests.removeOlder", "unknown")
      )
    })
  })
)
