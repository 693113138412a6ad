import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { type ConsoleGrant, ConsoleSessionStore } from "@loopbox/core/access/ConsoleSessionStore"
import { at, first, Instant } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"

const GrantRow = Schema.Struct({
  digest: Schema.String,
  kind: Schema.Literals(["ticket", "session"]),
  epoch: Schema.String,
  expires_at: Instant
})

const toGrant = ({ digest, epoch, expires_at, kind }: typeof GrantRow.Type): ConsoleGrant => ({
  digest,
  kind,
  epoch,
  expiresAt: expires_at
})

export const layer: Layer.Layer<ConsoleSessionStore, never, SqlClient> = Layer.effect(
  ConsoleSessionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const columns = sql.literal("encode(digest, 'hex') AS digest, kind, encode(epoch, 'hex') AS epoch, expires_at")

    return ConsoleSessionStore.of({
      add: Effect.fn("PgConsoleSessionStore.add")(
        function* ({ digest, epoch, expiresAt, kind }, now) {
          yield* sql`WITH expired AS MATERIALIZED (
              SELECT digest FROM console_grants WHERE expires_at <= ${at(now)} ORDER BY expires_at, digest LIMIT 1000
              FOR UPDATE SKIP LOCKED
            ), removed AS (DELETE FROM console_grants g USING expired e WHERE g.digest = e.digest)
            INSERT INTO console_grants (digest, kind, epoch, expires_at)
            VALUES (decode(${digest}, 'hex'), ${kind}, decode(${epoch}, 'hex'), ${at(expiresAt)})`
        },
        storeCall("consoleSessions.add", "unknown")
      ),

      take: Effect.fn("PgConsoleSessionStore.take")(
        function* (digest) {
          const row = yield* first(GrantRow)(sql`DELETE FROM console_grants
            WHERE digest = decode(${digest}, 'hex') AND kind = 'ticket' RETURNING ${columns}`)
          return Option.map(row, toGrant)
        },
        storeCall("consoleSessions.take", "unknown")
      ),

      findSession: Effect.fn("PgConsoleSessionStore.findSession")(
        function* (digest) {
          const row = yield* first(GrantRow)(sql`SELECT ${columns} FROM console_grants
            WHERE digest = decode(${digest}, 'hex') AND kind = 'session'`)
          return Option.map(row, toGrant)
        },
        storeCall("consoleSessions.findSession", "no")
      ),

      removeSession: Effect.fn("PgConsoleSessionStore.removeSession")(
        function* (digest) {
          yield* sql`DELETE FROM console_grants WHERE digest = decode(${digest}, 'hex') AND kind = 'session'`
        },
        storeCall("consoleSessions.removeSession", "unknown")
      )
    })
  })
)
