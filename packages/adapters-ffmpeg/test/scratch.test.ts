import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sweepScratch, workFolder } from "../src/internal/scratch.ts"

describe("the scratch folder", () => {
  it.effect("is its owner's alone, with all that is made in it", () =>
    Effect.gen(function* () {
      const above = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "loopbox-scratch-"))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true }))
      )
      yield* workFolder(join(above, "scratch"), "work")
      const made = yield* Effect.promise(() => readdir(above, { recursive: true }))
      assert.lengthOf(made, 3)
      for (const name of made) {
        const { mode } = yield* Effect.promise(() => stat(join(above, name)))
        assert.strictEqual(mode & 0o077, 0, name)
      }
    }).pipe(Effect.scoped)
  )

  it.effect.skipIf(process.platform !== "linux")("fails a work where the system lets nobody make one", () =>
    Effect.gen(function* () {
      for (const scratch of ["/proc", "/proc/loopbox"]) {
        yield* sweepScratch(scratch)
        const { detail, reason } = yield* Effect.flip(workFolder(scratch, "work"))
        assert.strictEqual(reason, "MachineFailed")
        assert.include(detail, "no scratch folder: Error: ENOENT")
      }
    }).pipe(Effect.scoped)
  )
})
