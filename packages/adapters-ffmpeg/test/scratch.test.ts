import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { sweepScratch, workFolder } from "../src/internal/scratch.ts"

describe("the scratch folder", () => {
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
