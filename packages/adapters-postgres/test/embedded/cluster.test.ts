import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { findRoot } from "../../src/embedded/cluster.ts"

describe("the folder of a cluster", () => {
  it.effect.skipIf(process.platform !== "linux")("is refused where the system lets nobody make one", () =>
    Effect.gen(function* () {
      for (const folder of ["/proc/loopbox", "/proc/loopbox/database"]) {
        const { message, reason } = yield* Effect.flip(findRoot(folder))
        assert.strictEqual(reason, "Unreachable")
        assert.include(message, `The folder ${folder} can't be used: ENOENT`)
      }
    })
  )
})
