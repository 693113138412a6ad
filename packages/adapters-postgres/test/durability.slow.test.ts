import { EmbeddedPostgres, PgAdapters } from "@loopbox/adapters-postgres"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Schedule } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

/** As a user runs it: with fsync. */
const ownServer = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const made = fs.mkdtempSync(path.join(os.tmpdir(), "loopbox-kills-"))
        fs.chmodSync(made, 0o755)
        return made
      }),
      (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
    )
    return PgAdapters.layerEmbedded({ folder, callTimeout: "2 seconds" })
  })
).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))

layer(ownServer, { excludeTestServices: true })("A server that is killed under load", (it) => {
  it.effect("keeps every write that was acknowledged", () =>
    Effect.gen(function* () {
      const { clusterFolder } = yield* EmbeddedPostgres
      const workspaces = yield* Workspaces
      const acknowledged: Array<Parameters<typeof workspaces.find>[0]> = []
      const write = Effect.gen(function* () {
        const workspace = yield* makeWorkspace("free", yield* DateTime.now)
        acknowledged.push(workspace.id)
      }).pipe(
        // What was not acknowledged may be there or not.
        Effect.catchTag("StoreUnavailable", () => Effect.sleep("20 millis"))
      )
      /** Until so many more are acknowledged, however fast the machine is. */
      const untilWritten = Effect.fnUntraced(function* (count: number) {
        const enough = acknowledged.length + count
        while (acknowledged.length < enough) yield* Effect.sleep("5 millis")
      })
      const kill = Effect.sync(() => {
        const [pid] = fs.readFileSync(path.join(clusterFolder, "data", "postmaster.pid"), "utf8").split("\n")
        process.kill(Number(pid), "SIGKILL")
      })
      const writers = Effect.all(
        Array.from({ length: 8 }, () => Effect.forever(write)),
        { concurrency: "unbounded" }
      )
      // Three times: more within a minute is given up, which is another test.
      const kills = Effect.repeat(Effect.andThen(untilWritten(200), kill), { times: 2 })
      yield* Effect.raceFirst(writers, Effect.andThen(kills, untilWritten(200)))
      const untilServed = { schedule: Schedule.spaced("50 millis"), times: 2_000 }
      const found = yield* Effect.forEach(acknowledged, (id) => Effect.retry(workspaces.find(id), untilServed), {
        concurrency: 8
      })
      yield* Effect.log(`${acknowledged.length} acknowledged writes over 3 kills`)
      assert.strictEqual(found.filter(Option.isNone).length, 0)
    })
  )
})
