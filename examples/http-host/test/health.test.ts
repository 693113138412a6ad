import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, PlatformError } from "effect"
import { TestClock } from "effect/testing"
import { blobsCheck, databaseCheck, engineTrial } from "../src/health.ts"

describe("the check of the files' place", () => {
  it.effect("names a full disk, which is no kind of error that the platform knows", () =>
    Effect.gen(function* () {
      const cause = PlatformError.systemError({
        _tag: "Unknown",
        module: "FileSystem",
        method: "writeFile",
        pathOrDescriptor: "/blobs/incoming/probe",
        cause: new Error("ENOSPC: no space left on device, write")
      })
      const error = yield* Effect.flip(
        blobsCheck(new StoreUnavailable({ operation: "blobs.probe", committed: "no", cause })).run
      )
      assert.strictEqual(error.message, "no files can be stored: ENOSPC: no space left on device, write")
    })
  )
})

describe("the check of the database", () => {
  const server = (standing: object) => databaseCheck(Effect.succeed([{ version: "15.20", ...standing }])).run

  it.effect("fails on a server that refuses writes, which a standby does that answers everything else", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* server({ is_standby: false, read_only: "off" }), "PostgreSQL 15.20")
      assert.strictEqual(
        (yield* Effect.flip(server({ is_standby: true, read_only: "on" }))).message,
        "PostgreSQL 15.20 takes no writes: it is a standby. Name the primary, or all servers, parted by commas"
      )
      assert.strictEqual(
        (yield* Effect.flip(server({ is_standby: false, read_only: "on" }))).message,
        "PostgreSQL 15.20 takes no writes: it is set to read only"
      )
    })
  )

  it.effect("says why there is no answer", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(databaseCheck(Effect.fail(new Error("connect ECONNREFUSED"))).run)
      assert.strictEqual(error.message, "the database does not answer: connect ECONNREFUSED")
    })
  )
})

describe("the trial of the encoder", () => {
  const found = { path: "/usr/bin/ffmpeg", version: "ffmpeg 7", source: "PATH", warnings: [] }

  it.effect("waits for a machine that is busy, and says so where it is in vain", () =>
    Effect.gen(function* () {
      const slow = yield* Effect.forkChild(engineTrial(Effect.delay(Effect.succeed(found), "20 seconds")).run)
      const hung = yield* Effect.forkChild(Effect.flip(engineTrial(Effect.never).run))
      yield* TestClock.adjust("31 seconds")
      assert.strictEqual(yield* Fiber.join(slow), "ffmpeg 7, /usr/bin/ffmpeg")
      assert.match((yield* Fiber.join(hung)).message, /timed out after 30s: is the machine busy/)
    })
  )
})
