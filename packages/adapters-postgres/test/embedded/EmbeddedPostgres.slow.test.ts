import { EmbeddedPostgres, type EmbeddedOptions, PgAdapters, findRunning } from "@loopbox/adapters-postgres"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterAll, beforeAll } from "vitest"
import { clusterRoot } from "../../src/embedded/places.ts"

const settings = { fsync: "off" }
let folder = ""

/** A name with spaces, in a folder that every account may enter. */
beforeAll(() => {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox embedded "))
  fs.chmodSync(parent, 0o755)
  folder = path.join(parent, "the data")
})

afterAll(() => fs.rmSync(path.dirname(folder), { recursive: true, force: true }))

const start = (options: Partial<EmbeddedOptions> = {}) => EmbeddedPostgres.layer({ folder, settings, ...options })

const postmasterPid = (root: string): number =>
  Number(fs.readFileSync(path.join(root, "data", "postmaster.pid"), "utf8").split("\n")[0])

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** What can only be seen by looking again. */
const eventually = (isSo: () => boolean) =>
  Effect.sync(isSo).pipe(
    Effect.repeat({ until: (so) => so, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("60 seconds")
  )

interface Said {
  readonly pid?: number
  readonly reason?: string
  readonly message?: string
  readonly holderPid?: number
}

const isSaid = (value: unknown): value is Said => typeof value === "object" && value !== null

/** Another process on the folder, with what it says first. */
const otherProcess = Effect.acquireRelease(
  Effect.promise(async () => {
    const child = spawn(
      process.execPath,
      ["--conditions=@loopbox/source", path.join(import.meta.dirname, "embeddedChild.ts"), folder],
      { stdio: ["ignore", "pipe", "inherit"] }
    )
    const [line]: Array<unknown> = await once(child.stdout, "data")
    const said: unknown = JSON.parse(String(line))
    return { child, said: isSaid(said) ? said : {} }
  }),
  ({ child }) => Effect.promise(() => killed(child))
)

const killed = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  child.kill("SIGKILL")
  await exit
}

const failure = (options: Partial<EmbeddedOptions> = {}) =>
  Effect.flip(Effect.scoped(Layer.build(start(options)))).pipe(Effect.orDie)

describe("EmbeddedPostgres", () => {
  it.live("makes a database in a folder with spaces, opens it again and leaves no process", () =>
    Effect.gen(function* () {
      const pids: Array<number> = []
      for (const _ of [1, 2]) {
        const scope = yield* Scope.make()
        yield* Scope.provide(Layer.build(start()), scope)
        pids.push(postmasterPid(folder))
        yield* Scope.close(scope, Exit.void)
      }
      assert.isFalse(pids.some(isAlive))
      assert.isFalse(fs.existsSync(path.join(folder, "data", "postmaster.pid")))
      const password = fs.statSync(path.join(folder, "data", "loopbox.password"))
      assert.strictEqual(password.mode & 0o777, 0o600)
    })
  )

  it.live("refuses the folder to a second process and names the first", () =>
    Effect.gen(function* () {
      yield* Layer.build(start())
      const { said } = yield* otherProcess
      assert.strictEqual(said.reason, "InUse")
      assert.strictEqual(said.holderPid, process.pid)
      assert.include(said.message ?? "", String(process.pid))
      // Nor does this process get it twice.
      assert.strictEqual((yield* failure()).reason, "InUse")
    }).pipe(Effect.scoped)
  )

  it.live("is reached by another process of its account while it runs, for an export", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* findRunning(folder), Option.none())
      yield* otherProcess
      const target = Option.getOrThrow(yield* findRunning(folder))
      const rows = PgAdapters.withLongRunningClient(
        target,
        {},
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`)
      )
      assert.deepStrictEqual(yield* rows, [{ one: 1 }])
    }).pipe(Effect.scoped)
  )

  it.live("ends with a process that is killed, and the next one opens the folder at once", () =>
    Effect.gen(function* () {
      const { child, said } = yield* otherProcess
      assert.isTrue(isAlive(said.pid ?? 0))
      yield* Effect.promise(() => killed(child))
      // Not waited for: the server of the killed process may be just ending.
      yield* Layer.build(start())
      assert.isFalse(isAlive(said.pid ?? 0))
    }).pipe(Effect.scoped)
  )

  it.live("starts the server again when it is killed, and the stores go on by themselves", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(PgAdapters.layerEmbedded({ folder, settings, callTimeout: "3 seconds" }))
      const workspaces = yield* Effect.provide(Workspaces, context)
      const list = workspaces.list({ limit: 1, after: Option.none() })
      yield* list
      const pid = postmasterPid(folder)
      process.kill(pid, "SIGKILL")
      // Until then every call is refused, and none hangs or dies.
      yield* Effect.retry(
        Effect.tapError(list, (error) => Effect.sync(() => assert.strictEqual(error._tag, "StoreUnavailable"))),
        Schedule.spaced("50 millis")
      )
      yield* eventually(
        () => fs.existsSync(path.join(folder, "data", "postmaster.pid")) && postmasterPid(folder) !== pid
      )
      yield* Effect.retry(list, Schedule.spaced("50 millis"))
    }).pipe(Effect.scoped)
  )

  it.live("gives up when the server dies four times in a minute, with its last lines", () =>
    Effect.gen(function* () {
      const server = yield* EmbeddedPostgres
      let last = 0
      for (const _ of [1, 2, 3, 4]) {
        yield* eventually(() => {
          const file = path.join(folder, "data", "postmaster.pid")
          return (
            fs.existsSync(file) && postmasterPid(folder) !== last && fs.readFileSync(file, "utf8").includes("ready")
          )
        })
        last = postmasterPid(folder)
        process.kill(last, "SIGKILL")
      }
      const error = yield* Effect.flip(server.died)
      assert.strictEqual(error.reason, "Failed")
      assert.include(error.message, "4 times")
    }).pipe(Effect.provide(start()))
  )

  it.live("replaces a lost password", () =>
    Effect.gen(function* () {
      fs.rmSync(path.join(folder, "data", "loopbox.password"))
      const context = yield* Layer.build(PgAdapters.layerEmbedded({ folder, settings }))
      const rows = yield* Effect.provide(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`),
        context
      )
      assert.deepStrictEqual(rows, [{ one: 1 }])
    }).pipe(Effect.scoped)
  )

  it.live("removes what killed starts have left, and nothing else", () =>
    Effect.gen(function* () {
      const dead = [`data.${2 ** 22 + 1}`, `password.${2 ** 22 + 1}`, `runtime/18.4.${2 ** 22 + 1}`]
      for (const name of dead) fs.mkdirSync(path.join(folder, name))
      const kept = [`data.${process.ppid}`, "data.old"]
      for (const name of kept) fs.mkdirSync(path.join(folder, name))
      yield* Layer.build(start())
      assert.deepStrictEqual(
        dead.filter((name) => fs.existsSync(path.join(folder, name))),
        []
      )
      assert.deepStrictEqual(
        kept.filter((name) => fs.existsSync(path.join(folder, name))),
        kept
      )
      for (const name of kept) fs.rmdirSync(path.join(folder, name))
    }).pipe(Effect.scoped)
  )

  it.live("starts over a lock file whose process is another program by now", () =>
    Effect.gen(function* () {
      const file = path.join(folder, "data", "postmaster.pid")
      // As after a crash in a container, where ids are few.
      const { uid, gid } = fs.statSync(path.join(folder, "data"))
      const other = spawn("sleep", ["60"], { uid, gid })
      yield* Effect.addFinalizer(() => Effect.promise(() => killed(other)))
      fs.writeFileSync(file, `${other.pid}\n${path.join(folder, "data")}\n1700000000\n5432\n/tmp\n\n\nready   \n`)
      fs.chownSync(file, uid, gid)
      yield* Layer.build(start())
    }).pipe(Effect.scoped)
  )

  it.live("refuses a socket folder that others may enter", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Scope.provide(Layer.build(start()), scope)
      const { socketFolder } = yield* Effect.provide(EmbeddedPostgres, context)
      assert.strictEqual(fs.statSync(socketFolder).mode & 0o777, 0o700)
      yield* Scope.close(scope, Exit.void)
      assert.isFalse(fs.existsSync(socketFolder))
      fs.mkdirSync(socketFolder)
      fs.chmodSync(socketFolder, 0o777)
      const error = yield* failure()
      assert.strictEqual(error.reason, "Unsafe")
      fs.rmSync(socketFolder, { recursive: true })
    })
  )

  it.live("refuses data of a major version that it has no program for, and touches nothing", () =>
    Effect.gen(function* () {
      const file = path.join(folder, "data", "PG_VERSION")
      const version = fs.readFileSync(file, "utf8")
      fs.writeFileSync(file, "14\n")
      const error = yield* failure()
      fs.writeFileSync(file, version)
      assert.strictEqual(error.reason, "OtherMajor")
      yield* Effect.scoped(Layer.build(start()))
    })
  )

  it.live.skipIf(process.getuid?.() !== 0)("lies elsewhere where the account can't enter, and says so", () =>
    Effect.gen(function* () {
      const closed = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-closed-"))
      const elsewhere: Array<string> = []
      for (const _ of [1, 2]) {
        const { clusterFolder, isElsewhere } = yield* Effect.provide(
          EmbeddedPostgres,
          start({ folder: path.join(closed, "postgres") })
        )
        assert.isTrue(isElsewhere)
        elsewhere.push(clusterFolder)
      }
      assert.strictEqual(elsewhere[0], elsewhere[1])
      assert.match(elsewhere[0] ?? "", /^\/var\/lib\/loopbox\/[0-9a-f]{16}$/)
      for (const made of [closed, elsewhere[0] ?? closed]) fs.rmSync(made, { recursive: true })
    })
  )

  it.skipIf(process.getuid?.() !== 0)("lies in a new place where its folder was removed and made again", () => {
    const closed = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-closed-"))
    const folder = path.join(closed, "postgres")
    const place = () => clusterRoot(folder, { uid: 65_534, gid: 65_534 })
    const first = place()
    assert.strictEqual(place(), first)
    fs.rmSync(folder, { recursive: true })
    const second = place()
    assert.notStrictEqual(second, first)
    for (const made of [closed, first, second]) fs.rmSync(made, { recursive: true })
  })
})
