import {
  EmbeddedPostgres,
  exportDatabase,
  exportToFile,
  importDatabase,
  importFromFile,
  PgAdapters,
  targetOf,
  TransferFileError
} from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { systemBinaries } from "../../src/embedded/binaries.ts"
import { testDatabase } from "../testDatabase.ts"
import { contents, fillDatabase } from "./filledDatabase.ts"

const hasSystemServer = systemBinaries().length > 0

const filled = Effect.tap(testDatabase(), fillDatabase)

const textOf = (target: PgAdapters.Target) =>
  Effect.gen(function* () {
    let text = ""
    const counts = yield* exportDatabase(target, (lines) => Effect.sync(() => (text += lines)))
    return { text, counts }
  })

const importText = (target: PgAdapters.Target, text: string) => importDatabase(target, Stream.make(text))

describe("Export and import", () => {
  it.live("have a row of every table to try", () =>
    Effect.gen(function* () {
      const { counts } = yield* textOf(yield* filled)
      const empty = Object.entries(counts).filter(([, count]) => count === 0)
      assert.deepStrictEqual(empty, [["api_keys", 0]])
    }).pipe(Effect.scoped)
  )

  it.live("bring a whole database into a new one, by a file that only its owner reads", () =>
    Effect.gen(function* () {
      const [source, target] = [yield* filled, yield* testDatabase("empty")]
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-export-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(folder, { recursive: true })))
      const file = path.join(folder, "all.loopbox")
      const exported = yield* exportToFile(source, file)
      assert.strictEqual(exported.members, 2501)
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
      assert.deepStrictEqual(fs.readdirSync(folder), ["all.loopbox"])
      assert.deepStrictEqual(yield* importFromFile(target, file), exported)
      assert.deepStrictEqual(yield* contents(target), yield* contents(source))
      // And it is used as any other.
      yield* Effect.scoped(Layer.build(PgAdapters.layerTarget(target)))
    }).pipe(Effect.scoped)
  )

  it.live("leave nothing beside a name that can't be taken", () =>
    Effect.gen(function* () {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-export-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(folder, { recursive: true })))
      const taken = path.join(folder, "taken")
      fs.mkdirSync(taken)
      const failure = yield* Effect.flip(exportToFile(yield* testDatabase(), taken))
      assert.instanceOf(failure, TransferFileError)
      assert.deepStrictEqual(fs.readdirSync(folder), ["taken"])
    }).pipe(Effect.scoped)
  )

  it.live("say of a file that is not there what is wrong, and ask no database", () =>
    Effect.gen(function* () {
      const file = path.join(os.tmpdir(), "loopbox-export-that-is-not-there")
      // Nobody listens at this address: whoever asked there would fail otherwise.
      const failure = yield* Effect.flip(importFromFile({ url: Redacted.make("postgres://127.0.0.1:1/none") }, file))
      assert.instanceOf(failure, TransferFileError)
      assert.include(failure.message, "ENOENT")
    })
  )

  it.live.skipIf(!hasSystemServer)("bring it to another major version and back, unchanged", () =>
    Effect.gen(function* () {
      const [source, back] = [yield* filled, yield* testDatabase("empty")]
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-other-"))
      fs.chmodSync(folder, 0o755)
      yield* Effect.addFinalizer(() => Effect.sync(() => fs.rmSync(folder, { recursive: true, force: true })))
      const system = EmbeddedPostgres.layer({ folder, programs: "system", settings: { fsync: "off" } })
      const other = targetOf(Context.get(yield* Layer.build(system), EmbeddedPostgres))
      yield* importText(other, (yield* textOf(source)).text)
      assert.deepStrictEqual(yield* contents(other), yield* contents(source))
      yield* importText(back, (yield* textOf(other)).text)
      assert.deepStrictEqual(yield* contents(back), yield* contents(source))
    }).pipe(Effect.scoped)
  )

  it.live("refuse a database that has data", () =>
    Effect.gen(function* () {
      const source = yield* filled
      const { text } = yield* textOf(source)
      const before = yield* contents(source)
      const error = yield* Effect.flip(importText(source, text))
      assert.strictEqual(error._tag === "ImportRefused" && error.reason, "NotEmpty")
      assert.deepStrictEqual(yield* contents(source), before)
    }).pipe(Effect.scoped)
  )

  it.live("refuse a database that has anything, of whatever table", () =>
    Effect.gen(function* () {
      const { text } = yield* textOf(yield* filled)
      const target = yield* testDatabase()
      const on = (statement: string) =>
        PgAdapters.withLongRunningClient(
          target,
          {},
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
        )
      // What an erased workspace leaves for a while, and what came from a network before there was any.
      const rows = {
        webhook_deliveries: "('d', 'meta', '', 'pending', '', 0, now(), now())",
        events: "('w', 1, now(), NULL, NULL, NULL, '{}')",
        managed_users: "('w', 'u', now())",
        // What a person wanted deleted must be answered for.
        deletion_requests: "(code, accounts, request_digest, created_at) VALUES ('c', '[]', '', now())"
      }
      for (const [table, row] of Object.entries(rows)) {
        yield* on(`INSERT INTO ${table} ${row.includes("VALUES") ? row : `VALUES ${row}`}`)
        const error = yield* Effect.flip(importText(target, text))
        assert.strictEqual(error._tag === "ImportRefused" && error.reason, "NotEmpty", table)
        yield* on(`DELETE FROM ${table}`)
      }
      yield* importText(target, text)
    }).pipe(Effect.scoped)
  )

  it.live("take a database on which a host has run that nobody used", () =>
    Effect.gen(function* () {
      const { text } = yield* textOf(yield* filled)
      const target = yield* testDatabase()
      const ask = (statement: string) =>
        PgAdapters.withLongRunningClient(
          target,
          {},
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
        )
      // Its sweeps, and the link to its console that was never used: with the keys that the file has, too, and others.
      const first = (table: string) => JSON.parse(text.split(`{"table":"${table}"}\n`)[1]?.split("\n")[0] ?? "")
      for (const table of ["sweep_turns", "console_grants"]) {
        const row = String(first(table)).replaceAll("'", "''")
        yield* ask(
          `INSERT INTO ${table} SELECT (r).* FROM (SELECT E'${row.replaceAll("\\", "\\\\")}'::${table} AS r) t`
        )
      }
      yield* ask("INSERT INTO sweep_turns (kind, swept_at) VALUES ('novel', now())")
      yield* importText(target, text)
      assert.deepStrictEqual(yield* ask("SELECT kind FROM sweep_turns WHERE kind = 'novel'"), [])
    }).pipe(Effect.scoped)
  )

  it.live("refuse a file that is cut off, altered, of another schema or no export, and store nothing", () =>
    Effect.gen(function* () {
      const [source, target] = [yield* filled, yield* testDatabase()]
      const { text } = yield* textOf(source)
      const lines = text.trimEnd().split("\n")
      const bad = {
        "cut off": lines.slice(0, -1).join("\n"),
        "a row less": [...lines.slice(0, 6), ...lines.slice(7)].join("\n"),
        altered: text.replace("growth", "team"),
        "no export": "PGDMP",
        empty: ""
      }
      for (const [name, file] of Object.entries(bad)) {
        const error = yield* Effect.flip(importText(target, file))
        assert.strictEqual(error._tag === "ImportRefused" && error.reason, "Damaged", name)
      }
      const other = yield* Effect.flip(importText(target, text.replace("0001_foundation", "0001_other")))
      assert.strictEqual(other._tag === "ImportRefused" && other.reason, "OtherSchema")
      assert.strictEqual((yield* textOf(target)).counts.members, 0)
      // After all that, the whole file still goes in.
      yield* importText(target, text)
      assert.deepStrictEqual(yield* contents(target), yield* contents(source))
    }).pipe(Effect.scoped)
  )
})
