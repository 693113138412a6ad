import * as PgClient from "@effect/sql-pg/PgClient"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Redacted } from "effect"
import { inject } from "vitest"
import { distributedDatabase } from "./movedHosts.ts"
import { movedTo } from "./movedTo.ts"

let made = 0

/** URL of a new, empty database on the server of the test run. */
export const makeDatabase = async (): Promise<string> => {
  if (movedTo.coordinator !== undefined) return distributedDatabase()
  const server = inject("loopboxTestServer")
  const url = new URL(server.url ?? "postgres://localhost/postgres")
  if (server.host !== undefined) {
    url.searchParams.set("host", server.host)
    url.username = server.username ?? ""
    url.password = server.password ?? ""
  }
  const name = `loopbox_host_${process.pid}_${made++}`
  const create = Effect.flatMap(PgClient.PgClient, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  await Effect.runPromise(PgAdapters.withLongRunningClient({ url: Redacted.make(url.toString()) }, {}, create))
  url.pathname = `/${name}`
  return url.toString()
}
