import { EmbeddedPostgres, PgAdapters, targetOf } from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, beforeAll } from "vitest"

const settings = { fsync: "off" }
let folder = ""

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-faults-"))
  fs.chmodSync(folder, 0o755)
})

afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const start = () => EmbeddedPostgres.layer({ folder, settings })

const postmasterPid = (): number =>
  Number(fs.readFileSync(path.join(folder, "data", "postmaster.pid"), "utf8").split("\n")[0])

/** Kills the server, and waits until another one answers. */
const dieAndComeBack = Effect.gen(function* () {
  const target = targetOf(yield* EmbeddedPostgres)
  process.kill(postmasterPid(), "SIGKILL")
  const ask = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1`)
  yield* Effect.sleep("200 millis")
  yield* PgAdapters.withLongRunningClient(target, { connectTimeout: "1 second" }, ask).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), times: 600 })
  )
})

/** Puts a folder where a file is to be written, which fails as a full disk does. */
const blockFile = (name: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      fs.rmSync(path.join(folder, name), { recursive: true, force: true })
      fs.mkdirSync(path.join(folder, name, "taken"), { recursive: true })
    }),
    () => Effect.sync(() => fs.rmSync(path.join(folder, name), { recursive: true, force: true }))
  )

/** Whether this account may make a namespace of process ids, as a container has one. */
const canUnshare = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0

/** What a host says that is started on the folder as in another container. */
const inAnotherContainer = Effect.acquireRelease(
  Effect.promise(async () => {
    const child = spawn(
      "unshare",
      [
        ...[
          "--pid",
          "--ipc",
          "--fork",
          "--mount-proc",
          "--kill-child",
          process.execPath,
          "--conditions=@loopbox/source"
        ],
        ...[path.join(import.meta.dirname, "embeddedChild.ts"), folder]
      ],
      { stdio: ["ignore", "pipe", "inherit"] }
    )
    const [line]: Array<unknown> = await once(child.stdout, "data")
    return { child, said: String(line) }
  }),
  ({ child }) =>
    Effect.promise(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, "exit")
      child.kill("SIGKILL")
      await exit
    })
)

describe("EmbeddedPostgres where things go wrong", () => {
  it.live("starts the server again when its log was removed", () =>
    Effect.gen(function* () {
      fs.rmSync(path.join(folder, "server.log"))
      yield* dieAndComeBack
    }).pipe(Effect.provide(start()))
  )

  it.live("starts the server again when nothing can be written beside the data", () =>
    Effect.gen(function* () {
      yield* blockFile("holder")
      yield* blockFile("server.log")
      yield* dieAndComeBack
    }).pipe(Effect.scoped, Effect.provide(start()))
  )
})

describe("PgAdapters.layerEmbedded", () => {
  it.live("starts a server that has room for both pools", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT current_setting('max_connections')::int AS n`, [{ n: 180 }])
    }).pipe(Effect.provide(PgAdapters.layerEmbedded({ folder, settings, maxConnections: 120, workerConnections: 40 })))
  )
})

describe.skipIf(!canUnshare)("EmbeddedPostgres of two containers", () => {
  it.live("is refused to a second container on the same volume", () =>
    Effect.gen(function* () {
      yield* Layer.build(start())
      const { said } = yield* inAnotherContainer
      assert.include(said, "InUse")
    }).pipe(Effect.scoped)
  )

  it.live("is refused while another container has it, and opened once that one is gone", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const { said } = yield* inAnotherContainer
        assert.include(said, "pid")
        const error = yield* Effect.flip(Effect.scoped(Layer.build(start()))).pipe(Effect.orDie)
        assert.strictEqual(error.reason, "InUse")
      }).pipe(Effect.scoped)
      yield* Layer.build(start())
    }).pipe(Effect.scoped)
  )
})
