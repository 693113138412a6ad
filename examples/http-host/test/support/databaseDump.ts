import * as PgClient from "@effect/sql-pg/PgClient"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Redacted, Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { clusterFolder, postmaster } from "./embeddedServer.ts"
import { isMoved } from "./movedTo.ts"

/** The URL of the database that a host of a data folder has started. */
export const embeddedUrl = (data: string): string => {
  const cluster = clusterFolder(data)
  const url = new URL("postgres://localhost/postgres")
  url.searchParams.set("host", postmaster(cluster)[4] ?? "")
  url.username = "loopbox"
  url.password = readFileSync(join(cluster, "data", "loopbox.password"), "utf8").trim()
  return url.toString()
}

const tablesOf = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ table_name: Schema.String })))
const rowsOf = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ row: Schema.String })))

/** The URL of the database of a host on a prepared folder. */
export const databaseUrl = (folder: string): string =>
  isMoved
    ? (/^DATABASE_URL=(.*)$/m.exec(readFileSync(join(folder, ".env"), "utf8"))?.[1] ?? "")
    : embeddedUrl(join(folder, ".loopbox"))

/** Runs a program on a database of its own connections. */
export const onDatabase = <A, E>(url: string, program: Effect.Effect<A, E, PgClient.PgClient>): Promise<A> =>
  Effect.runPromise(PgAdapters.withLongRunningClient({ url: Redacted.make(url) }, {}, program))

/** Every row of every table as text; what is bytes also as the text that it may be. */
export const dumpDatabase = (url: string): Promise<string> =>
  onDatabase(
    url,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const tables = tablesOf(
        yield* sql`SELECT table_name::text FROM information_schema.tables
          WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`
      )
      const all: Array<string> = []
      for (const { table_name: name } of tables) {
        const rows = rowsOf(yield* sql`SELECT to_jsonb(t)::text AS row FROM ${sql(name)} t`)
        for (const { row } of rows) {
          all.push(row)
          for (const [, hex = ""] of row.matchAll(/"\\\\x([0-9a-f]+)"/g)) all.push(Buffer.from(hex, "hex").toString())
        }
      }
      return all.join("\n")
    })
  )
