import { Migrations, PgAdapters } from "@loopbox/adapters-postgres"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { DateTime, Effect, Layer, Redacted, Schema } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { copyFirst } from "./copies.ts"
import { fillFirst } from "./firstWorkspace.ts"
import { layerMarked } from "./marks.ts"
import type { Sizes } from "./sizes.ts"

/** Workspaces that requests are about: as many on both sides, so that what is read often fits into memory alike. */
const askedWorkspaces = 100

const AskedRow = Schema.Struct({ workspaceId: WorkspaceId, accountId: SocialAccountId })

const layerOf = (target: PgAdapters.Target) =>
  PgAdapters.layerTarget(target, { migrate: false, maxConnections: 10 }).pipe(Layer.provideMerge(layerNetworks))

const namedOf = (serverUrl: string, name: string): PgAdapters.Target => {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: Redacted.make(url.toString()) }
}

const onServer = (serverUrl: string, text: string) =>
  PgAdapters.withLongRunningClient(
    { url: Redacted.make(serverUrl) },
    {},
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))
  )

/** Finds the database of this name, or makes and fills it. What was begun and not finished is made anew. */
export const findOrFill = Effect.fnUntraced(function* (serverUrl: string, name: string, sizes: Sizes) {
  const unfinished = `${name}_unfinished`
  const found = yield* onServer(serverUrl, `SELECT FROM pg_database WHERE datname = '${name}'`)
  if (found.length === 0) {
    yield* onServer(serverUrl, `DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
    yield* onServer(serverUrl, `CREATE DATABASE ${unfinished}`)
    const target = namedOf(serverUrl, unfinished)
    yield* PgAdapters.withLongRunningClient(target, {}, Migrations.run)
    yield* fillFirst(sizes).pipe(Effect.provide(Layer.merge(layerOf(target), layerMarked)))
    yield* PgAdapters.withLongRunningClient(target, {}, copyFirst(sizes.workspaces))
    yield* onServer(serverUrl, `ALTER DATABASE ${unfinished} RENAME TO ${name}`)
  }
  return namedOf(serverUrl, name)
})

/** As `findOrFill`, but filled in any case: claims of an earlier run have used up what is due. */
export const fillAnew = Effect.fnUntraced(function* (serverUrl: string, name: string, sizes: Sizes) {
  yield* onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  return yield* findOrFill(serverUrl, name, sizes)
})

/** What grows with items, and is not kept in memory whole. */
const large = ["items", "item_words", "threads", "events"]

/**
 * Reads accounts and all that waits into the memory of the system: a tenth of the database, which workers go through all day.
 * Rows that a benchmark has filled in were read by nobody, and the first to claim one would wait for the disk.
 */
export const readQueues = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE EXTENSION IF NOT EXISTS pg_prewarm`
  yield* sql`SELECT pg_prewarm(c.oid, 'read') FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i') AND pg_relation_size(c.oid) > 0
      AND coalesce(i.indrelid, c.oid)::regclass::text <> ALL(${large}::text[])`
})

/** Workspaces from all over the database, each with one of its accounts; those of which no run has marked any, for what there is to mark is used up. */
export const findAsked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const run = String(DateTime.toEpochMillis(yield* DateTime.now))
  const rows = yield* sql`SELECT w.id AS "workspaceId", (SELECT min(a.id) FROM social_accounts a
      WHERE a.workspace_id = w.id AND a.network = 'instagram') AS "accountId"
    FROM workspaces w JOIN (SELECT workspace_id, sum(unread) AS unread FROM unread_counters GROUP BY 1) u
      ON u.workspace_id = w.id ORDER BY u.unread DESC, md5(w.id || ${run}::text) LIMIT ${askedWorkspaces}`
  return yield* Schema.decodeUnknownEffect(Schema.Array(AskedRow))(rows)
})

/** The stores of a database, and ids. */
export const layerMeasured = (target: PgAdapters.Target) => Layer.merge(layerOf(target), SecureRandom.layerWebCrypto)
