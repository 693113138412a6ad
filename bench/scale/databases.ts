import { Migrations, PgAdapters } from "@loopbox/adapters-postgres"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Effect, Layer, Redacted, Schema } from "effect"
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

/** Finds the database of this name, or makes and fills it. What was begun and not finished is made anew. */
export const findOrFill = Effect.fnUntraced(function* (serverUrl: string, name: string, sizes: Sizes) {
  const unfinished = `${name}_unfinished`
  const onServer = (text: string) =>
    PgAdapters.withLongRunningClient(
      { url: Redacted.make(serverUrl) },
      {},
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(text))
    )
  const found = yield* onServer(`SELECT FROM pg_database WHERE datname = '${name}'`)
  if (found.length === 0) {
    yield* onServer(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
    yield* onServer(`CREATE DATABASE ${unfinished}`)
    const target = namedOf(serverUrl, unfinished)
    yield* PgAdapters.withLongRunningClient(target, {}, Migrations.run)
    yield* fillFirst(sizes).pipe(Effect.provide(Layer.merge(layerOf(target), layerMarked)))
    yield* PgAdapters.withLongRunningClient(target, {}, copyFirst(sizes.workspaces))
    yield* onServer(`ALTER DATABASE ${unfinished} RENAME TO ${name}`)
  }
  return namedOf(serverUrl, name)
})

/** Workspaces from all over the database, each with one of its accounts. */
export const findAsked = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT w.id AS "workspaceId", (SELECT min(a.id) FROM social_accounts a
      WHERE a.workspace_id = w.id AND a.network = 'instagram') AS "accountId"
    FROM workspaces w ORDER BY md5(w.id) LIMIT ${askedWorkspaces}`
  return yield* Schema.decodeUnknownEffect(Schema.Array(AskedRow))(rows)
})

/** The stores of a database, and ids. */
export const layerMeasured = (target: PgAdapters.Target) => Layer.merge(layerOf(target), SecureRandom.layerWebCrypto)
