import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulatePosts } from "./simulatePosts.ts"

describe("posts, simulated for long (design §6)", () => {
  for (const seed of Array.from({ length: 100 }, (_, i) => i + 3_000)) {
    it.effect(`keep their promises in seed ${seed}`, () => Effect.asVoid(simulatePosts(seed)))
  }

  it.effect("come to every end", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.forEach([101, 102, 103, 104, 105, 106], (seed) => simulatePosts(seed))
      assert.includeMembers(
        runs.flatMap(({ ends }) => ends),
        ["Published", "Failed", "NeedsReconciliation"]
      )
    })
  )
})
