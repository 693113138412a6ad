import * as PgClient from "@effect/sql-pg/PgClient"
import { assert } from "@effect/vitest"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it, onTestFinished } from "vitest"
import { customer } from "./support/apiClient.ts"
import { bin, cleanEnvironment, startHost, temporaryFolder, until } from "./support/hostProcess.ts"
import { makeDatabase } from "./support/testServer.ts"
import { preparedFolder } from "./support/preparedFolder.ts"
import { runCli } from "./support/runCli.ts"
import { describeUnmoved } from "./support/unmoved.ts"

const places = await preparedFolder()
afterAll(places.remove)
const { folder } = places
const read = (name: string): string => readFileSync(join(folder, ".loopbox", name), "utf8").trim()

describe("loopbox db", () => {
  it("exports a database while its host runs", async () => {
    const { folder: own, remove } = await preparedFolder()
    onTestFinished(remove)
    const host = await startHost(own)
    onTestFinished(async () => void (await host.stop()))
    const exported = await runCli(["db", "export", "running.loopbox", "--json"], own)
    assert.strictEqual(exported.code, 0, exported.output)
    assert.isAbove(JSON.parse(exported.output).rows, 0)
    const migrated = await runCli(["migrate"], own)
    assert.include(migrated.output, "up to date")
  })

  it("says of a name that is none for a file what it is, before a database is read", async () => {
    const { folder: own, remove } = temporaryFolder()
    onTestFinished(remove)
    mkdirSync(join(own, "folder"))
    for (const [command, code, sentence] of [
      ["db export folder", 1, "folder is a folder. Name a file in it."],
      ["db export none/all.loopbox", 1, "There is no folder none."],
      ["db export -", 2, "Standard input and output are not taken. Name files."],
      ["db import folder", 1, "folder is a folder. Name a file in it."],
      ["db import none", 1, "none cannot be read: it is not there."],
      ["db import -", 2, "Standard input and output are not taken. Name files."],
      ["demo-gif folder", 1, "folder is a folder. Name a file in it."],
      ["demo-gif none/demo.gif", 1, "There is no folder none."]
    ] as const) {
      const ended = await runCli(command.split(" "), own)
      assert.deepStrictEqual([ended.code, ended.output], [code, `loopbox: ${sentence}\n`], command)
    }
    assert.deepStrictEqual(readdirSync(own), ["folder"])
  })

  it("leaves nothing beside a backup that Ctrl-C ends", async () => {
    const { folder: own, remove } = temporaryFolder()
    onTestFinished(remove)
    const url = await makeDatabase()
    const server = { DATABASE_URL: url, LOOPBOX_SECRET_KEYS: "" }
    assert.strictEqual((await runCli(["migrate"], own, server)).code, 0)
    const ended = await Effect.runPromise(
      PgAdapters.withLongRunningClient(
        { url: Redacted.make(url) },
        {},
        Effect.flatMap(PgClient.PgClient, (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              // The export waits for it.
              yield* sql`LOCK TABLE items IN ACCESS EXCLUSIVE MODE`
              const variables = { ...cleanEnvironment(), ...server }
              const child = spawn(process.execPath, [bin, "db", "export", "all.loopbox"], { cwd: own, env: variables })
              let said = ""
              child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text))
              const end = new Promise<number | null>((done) => void child.once("exit", done))
              yield* Effect.promise(() => until("the export's file", () => readdirSync(own)[0]))
              child.kill("SIGINT")
              return { code: yield* Effect.promise(() => end), said }
            })
          )
        )
      )
    )
    assert.deepStrictEqual(ended, { code: 1, said: "loopbox: Stopped by SIGINT. Nothing was written.\n" })
    assert.deepStrictEqual(readdirSync(own), [])
  })

  it("has no database made where none is: a backup of a wrong folder is none", async () => {
    const { folder: own, remove } = temporaryFolder()
    onTestFinished(remove)
    for (const command of ["db export all.loopbox", "webhooks list", "blobs copy --to files"]) {
      const ended = await runCli(command.split(" "), own)
      assert.strictEqual(ended.code, 1, command)
      assert.match(ended.output, /^loopbox: There is no database in .*\.loopbox: no host has run on it\./, command)
    }
    assert.deepStrictEqual(readdirSync(own), [])
  })
})

describeUnmoved("a database that it asks for has its tables")("loopbox db export, of a database without tables", () => {
  it("says so", async () => {
    const { folder: own, remove } = temporaryFolder()
    onTestFinished(remove)
    const server = { DATABASE_URL: await makeDatabase(), LOOPBOX_SECRET_KEYS: "" }
    const empty = await runCli(["db", "export", "all.loopbox"], own, server)
    assert.strictEqual(empty.code, 1)
    assert.include(empty.output, "The database has no table of Loopbox.")
    assert.deepStrictEqual(readdirSync(own), [])
  })
})

describeUnmoved("it moves from the embedded server")("loopbox db import", () => {
  it("moves an embedded database to a server, where jobs and files are as they were", async () => {
    const before = await startHost(folder)
    const key = read("demo-key")
    const calls = customer(before.url, key)
    const job = await calls.settled((await calls.submit(await calls.upload(Uint8Array.from(animatedGif([10, 20]))))).id)
    assert.strictEqual(job.status, "succeeded")
    const busy = await runCli(["db", "upgrade"], folder)
    assert.include(busy.output, "PostgreSQL 18 already")
    await before.stop()

    const exported = await runCli(["db", "export", "moved.loopbox", "--json"], folder)
    assert.strictEqual(exported.code, 0, exported.output)
    const server = { DATABASE_URL: await makeDatabase(), LOOPBOX_SECRET_KEYS: read("secret-keys") }
    const imported = await runCli(["db", "import", "moved.loopbox", "--json"], folder, server)
    assert.strictEqual(imported.code, 0, imported.output)
    assert.strictEqual(JSON.parse(imported.output).rows, JSON.parse(exported.output).rows)
    const again = await runCli(["db", "import", "moved.loopbox"], folder, server)
    assert.strictEqual(again.code, 1)
    assert.include(again.output, "has data already")

    cpSync(join(folder, ".loopbox", "blobs"), join(folder, "moved blobs"), { recursive: true })
    const after = await startHost(folder, { ...server, LOOPBOX_BLOBS: "moved blobs", LOOPBOX_DATA: "other" })
    const moved = customer(after.url, key)
    assert.deepStrictEqual(await moved.job(job.id), job)
    assert.isAbove((await moved.download(job.output_media_id ?? "")).length, 1000)
    assert.strictEqual((await after.stop()).code, 0)
  })
})
