import { PgAdapters } from "@loopbox/adapters-postgres"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, inject } from "vitest"
import { makeWorld } from "../tenancy/world.ts"
import { fuzzApi } from "./fuzzApi.ts"

let made = 0

/** A database of its own on the server of the run. */
const makeDatabase = async () => {
  const server = inject("loopboxTestServer")
  const url = new URL(server.url ?? "postgresql://localhost/postgres")
  if (server.host !== undefined) {
    url.searchParams.set("host", server.host)
    url.username = server.username ?? ""
    url.password = server.password ?? ""
  }
  const name = `fuzz_${process.pid}_${made++}`
  const on = (statement: (sql: PgClient.PgClient) => Effect.Effect<unknown, unknown>) =>
    Effect.runPromise(
      PgAdapters.withLongRunningClient(
        { url: Redacted.make(url.toString()) },
        {},
        Effect.orDie(Effect.flatMap(PgClient.PgClient, statement))
      )
    )
  await on((sql) => sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(server.template)}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.toString(), drop: () => on((sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`) }
}

/** `LOOPBOX_FUZZ_FROM` and `LOOPBOX_FUZZ_COUNT` send other requests, more of them, or one again. */
const numberOf = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise)

/** So many requests on PostgreSQL, which refuses texts that memory takes; none may be answered wrongly. */
export const fuzzOnDatabase = async (standard: { readonly from: number; readonly count: number }) => {
  const from = numberOf("LOOPBOX_FUZZ_FROM", standard.from)
  const count = numberOf("LOOPBOX_FUZZ_COUNT", standard.count)
  const database = await makeDatabase()
  const blobs = mkdtempSync(join(tmpdir(), "loopbox-fuzz-"))
  const secretKeys = `first:${Buffer.alloc(32, 1).toString("base64")}`
  const world = await makeWorld({ databaseUrl: database.url, secretKeys, blobs })
  try {
    const { statuses, wrong } = await fuzzApi(world, { from, count })
    assert.deepStrictEqual(wrong, [], JSON.stringify(statuses))
    // Both what is refused and what goes through.
    if (count >= 1_000) for (const status of [200, 400, 404]) assert.isAbove(statuses[status] ?? 0, 0)
  } finally {
    await world.close()
    await database.drop()
    rmSync(blobs, { recursive: true, force: true })
  }
}
