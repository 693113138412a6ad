import { EmbeddedPostgres, Migrations, PgAdapters, targetOf, upgradeEmbedded } from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { systemBinaries } from "../../src/embedded/binaries.ts"

/** A server of the system that is older than npm's. */
const older = systemBinaries().find(({ major }) => Number(major) < 18)

const settings = { fsync: "off" }

const ownFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-upgrade-"))
    fs.chmodSync(folder, 0o755)
    return folder
  }),
  (folder) => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true }))
)

/** Runs a statement on the database of a folder, and says which major version has it. */
const on = (folder: string, statement: string, options: { readonly programs?: "system" } = {}) =>
  Effect.gen(function* () {
    const server = yield* EmbeddedPostgres
    const rows = yield* PgAdapters.withLongRunningClient(
      targetOf(server),
      {},
      Effect.andThen(
        Migrations.run,
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
      )
    )
    return { major: server.major, rows }
  }).pipe(Effect.provide(EmbeddedPostgres.layer({ folder, settings, ...options })))

const insert = `INSERT INTO workspaces (id, name, plan, created_at) VALUES ('w', 'Kept', 'growth', '2026-01-01T00:00:00Z')`
const read = "SELECT name FROM workspaces"

describe.skipIf(older === undefined)("upgradeEmbedded", () => {
  it.live("moves all rows to the new PostgreSQL, and keeps the old cluster", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      const before = yield* on(folder, insert, { programs: "system" })
      assert.strictEqual(before.major, older?.major)
      const upgraded = yield* upgradeEmbedded(folder)
      assert.deepStrictEqual([upgraded.from, upgraded.to], [older?.major ?? "", "18"])
      assert.isAbove(upgraded.rows, 1)
      assert.deepStrictEqual(yield* on(folder, read), { major: "18", rows: [{ name: "Kept" }] })
      const kept = upgraded.kept ?? ""
      assert.strictEqual(fs.readFileSync(path.join(kept, "PG_VERSION"), "utf8").trim(), older?.major)
      assert.deepStrictEqual(
        fs.readdirSync(folder).filter((name) => name.startsWith("upgrade")),
        []
      )
      assert.deepStrictEqual(yield* upgradeEmbedded(folder), { from: "18", to: "18", rows: 0, kept: undefined })
    }).pipe(Effect.scoped)
  )

  it.live("is finished by the next start when it was cut short at its end", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      yield* on(folder, insert, { programs: "system" })
      const { kept } = yield* upgradeEmbedded(folder)
      fs.mkdirSync(path.join(folder, "upgrade"))
      fs.renameSync(path.join(folder, "data"), path.join(folder, "upgrade", "data"))
      fs.writeFileSync(path.join(folder, "upgrade", "complete"), "18\n")
      assert.isTrue(fs.existsSync(kept ?? ""))
      assert.deepStrictEqual((yield* on(folder, read)).rows, [{ name: "Kept" }])
    }).pipe(Effect.scoped)
  )

  it.live("is refused while a host runs, with programs that are not there, and with those of another version", () =>
    Effect.gen(function* () {
      const folder = yield* ownFolder
      yield* on(folder, insert, { programs: "system" })
      const reasonOf = (options = {}) =>
        Effect.flip(upgradeEmbedded(folder, options)).pipe(
          Effect.map((error) => (error._tag === "EmbeddedPostgresError" ? error.reason : error._tag))
        )
      assert.strictEqual(yield* reasonOf({ oldPrograms: path.join(folder, "nowhere") }), "Unsupported")
      assert.strictEqual(yield* reasonOf({ oldPrograms: path.join(folder, "runtime", "18.4") }), "OtherMajor")
      yield* Layer.build(EmbeddedPostgres.layer({ folder, settings }))
      assert.strictEqual(yield* reasonOf(), "InUse")
      assert.isTrue(fs.existsSync(path.join(folder, "data", "PG_VERSION")))
    }).pipe(Effect.scoped)
  )
})
