import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateReplies } from "./simulateReplies.ts"

describe("replies, simulated for long (design §11)", () => {
  const near = Array.from({ length: 21 }, (_, i) => i + 4)
  const far = Array.from({ length: 39 }, (_, i) => i + 2_000)
  for (const seed of [...near, ...far]) {
    it.effect(`keep their promises in seed ${seed}`, () => Effect.asVoid(simulateReplies(seed)))
  }

  it.effect("come to every end", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.forEach([101, 102, 103], (seed) => simulateReplies(seed))
      assert.includeMembers(
        runs.flatMap(({ ends }) => ends),
        ["Completed", "Rejected", "NeedsReconciliation"]
      )
    })
  )
})
