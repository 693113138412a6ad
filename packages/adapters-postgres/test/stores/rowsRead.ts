import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import * as PgClient from "@effect/sql-pg/PgClient"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Exit, Layer, Schema } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"

const Read = Schema.Struct({ seq: Schema.Int, read: Schema.Int })

/** Rows of these tables that this connection's statements have read so far, and in how many table scans. */
const readSoFar = Effect.fnUntraced(function* (tables: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()`
  const [found] = yield* sql`SELECT coalesce(sum(seq_scan), 0)::int AS seq,
    coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int AS read
    FROM pg_stat_user_tables WHERE relname = ANY(${[...tables]}::text[])`
  return yield* Schema.decodeUnknownEffect(Read)(found)
})

/** Makes calls one after the other; answers those that fail, scan one of the tables, or read many of their rows. */
export const findCostly = Effect.fnUntraced(function* <R>(
  tables: ReadonlyArray<string>,
  calls: Readonly<Record<string, Effect.Effect<unknown, unknown, R>>>,
  most = 3_000
) {
  const found: Array<string> = []
  for (const [name, call] of Object.entries(calls)) {
    const before = yield* readSoFar(tables)
    const [taken, exit] = yield* Effect.timed(Effect.exit(call))
    const after = yield* readSoFar(tables)
    const line = `${name}: ${after.read - before.read} rows, ${after.seq - before.seq} table scans, ${taken}, ${exit._tag}`
    yield* Effect.log(line)
    if (Exit.isFailure(exit)) yield* Effect.log(exit.cause)
    const isMany = after.seq > before.seq || after.read - before.read > most
    if (isMany || Exit.isFailure(exit)) found.push(line)
  }
  return found
})

/** One connection, so that its counters tell of these statements only. */
export const oneConnection = (target: PgAdapters.Target, plans: string) => {
  const client = PgClient.layer({
    ...target,
    maxConnections: 1,
    startupParameters: { statement_timeout: "8000", lock_timeout: "5000", plan_cache_mode: plans }
  })
  return PgAdapters.layerStores(target, { maxConnections: 1 }).pipe(
    Layer.provideMerge(client),
    Layer.provideMerge(layerNetworks),
    Layer.merge(SecureRandom.layerWebCrypto)
  )
}
