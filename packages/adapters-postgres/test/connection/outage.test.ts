import { EmbeddedPostgres, PgAdapters } from "@loopbox/adapters-postgres"
import { JobSignals } from "@loopbox/core/jobs/JobSignals"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Fiber, Layer, Option, Schedule, Stream } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

/** A server that a test may stop, freeze and kill: its own, in a folder that is gone afterwards. */
const ownServer = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const made = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-outage-"))
        fs.chmodSync(made, 0o755)
        return made
      }),
      (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
    )
    return PgAdapters.layerEmbedded({
      folder,
      settings: { fsync: "off" },
      callTimeout: "1 second",
      maxConnections: 4
    })
  })
).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))

const serverPids = (clusterFolder: string): ReadonlyArray<number> => {
  const [postmaster] = fs.readFileSync(path.join(clusterFolder, "data", "postmaster.pid"), "utf8").split("\n")
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(postmaster)], { encoding: "utf8" })
  return [
    Number(postmaster),
    ...children
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(Number)
  ]
}

/** A backend may end between the look and its signal; the others get theirs all the same. */
const send = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}

const signalAll = (clusterFolder: string, signal: NodeJS.Signals) =>
  Effect.sync(() => serverPids(clusterFolder).forEach((pid) => send(pid, signal)))

const list = Effect.flatMap(Workspaces, (workspaces) => workspaces.list({ limit: 1, after: Option.none() }))

/** As a client would that goes on until it is served. Also where nothing is wrong: a second may be over on a busy machine. */
const untilServed = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.retry(self, { schedule: Schedule.spaced("50 millis"), times: 1_200 })

layer(ownServer, { excludeTestServices: true })("A database that is away", (it) => {
  it.effect("is StoreUnavailable for reads and writes while it hangs, within the time-out, then all goes on", () =>
    Effect.gen(function* () {
      const { clusterFolder } = yield* EmbeddedPostgres
      yield* untilServed(list)
      yield* signalAll(clusterFolder, "SIGSTOP")
      // Far more than there are connections, so that most wait for one: one after the other they would take 2 minutes.
      const [taken, errors] = yield* Effect.timed(
        Effect.all(
          Array.from({ length: 480 }, () => Effect.flip(list)),
          { concurrency: "unbounded" }
        )
      ).pipe(Effect.ensuring(signalAll(clusterFolder, "SIGCONT")))
      assert.deepStrictEqual(new Set(errors.map(({ _tag }) => _tag)), new Set(["StoreUnavailable"]))
      assert.isBelow(Duration.toMillis(taken), 60_000)
      yield* untilServed(list)
    })
  )

  it.effect("loses nothing acknowledged, tells nothing false and hears signals again after a crash", () =>
    Effect.gen(function* () {
      const { clusterFolder } = yield* EmbeddedPostgres
      const [store, signals, sql] = [yield* ConversionStore, yield* JobSignals, yield* SqlClient.SqlClient]
      const workspace = yield* untilServed(makeWorkspace("free", DateTime.makeUnsafe("2026-01-01")))
      // Connected for sure, and nothing told any more.
      const connected = yield* Effect.forkChild(Stream.runHead(signals.signals))
      const tell = Effect.andThen(signals.tell({ _tag: "Submitted" }), Effect.sleep("20 millis"))
      yield* Effect.raceFirst(Fiber.join(connected), Effect.forever(tell))
      yield* Effect.sleep("200 millis")
      const heard = yield* Effect.forkChild(Stream.runHead(signals.signals))
      // A transaction that is cut off: its failed rollback must not become a defect.
      let isCut = false
      const kill = Effect.andThen(
        signalAll(clusterFolder, "SIGKILL"),
        Effect.sync(() => (isCut = true))
      )
      const error = yield* Effect.flip(
        (yield* Workspaces).update(workspace.id, (found) =>
          Effect.as(Effect.andThen(kill, Effect.sleep("200 millis")), found)
        )
      ).pipe(
        // On a busy machine a call's second may be over before it has come so far.
        Effect.repeat({ until: () => isCut })
      )
      assert.strictEqual(error._tag, "StoreUnavailable")
      const found = yield* untilServed(Effect.flatMap(Workspaces, (workspaces) => workspaces.find(workspace.id)))
      assert.deepStrictEqual(found, Option.some(workspace))
      assert.strictEqual((yield* untilServed(store.depth)).counts.queued, 0)
      assert.deepStrictEqual(yield* untilServed(sql`SELECT 1 AS one`), [{ one: 1 }])
      // Nothing was told meanwhile that could be heard; the new connection itself says: look.
      assert.deepStrictEqual(
        Option.map(yield* Effect.timeout(Fiber.join(heard), "60 seconds"), ({ _tag }) => _tag),
        Option.some("Submitted" as const)
      )
    })
  )

  it.effect("is StoreUnavailable at once when nothing listens, and kept from starting with a clear error", () =>
    Effect.gen(function* () {
      const target = { host: "/nowhere", username: "nobody", database: "nothing" }
      const context = yield* Layer.build(PgAdapters.layerTarget(target, { migrate: false }))
      const error = yield* Effect.flip(Effect.provide(list, context))
      assert.strictEqual(error._tag, "StoreUnavailable")
      const atStart = yield* Effect.flip(Effect.scoped(Layer.build(PgAdapters.layerTarget(target))))
      assert.strictEqual(atStart._tag, "SqlError")
    }).pipe(Effect.scoped)
  )

  it.effect("never says that a write surely failed when it may not have", () =>
    Effect.gen(function* () {
      const { clusterFolder } = yield* EmbeddedPostgres
      const workspace = yield* untilServed(makeWorkspace("free", DateTime.makeUnsafe("2026-01-01")))
      yield* signalAll(clusterFolder, "SIGSTOP")
      const error = yield* Effect.flip((yield* Workspaces).update(workspace.id, Effect.succeed)).pipe(
        Effect.ensuring(signalAll(clusterFolder, "SIGCONT"))
      )
      assert.deepStrictEqual([error._tag, error.committed], ["StoreUnavailable", "unknown"])
    })
  )
})
