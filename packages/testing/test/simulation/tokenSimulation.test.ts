import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateTokens } from "./simulateTokens.ts"

describe("tokens that expire, simulated (design §5)", () => {
  for (let seed = 1; seed <= 20; seed++) {
    it.effect(`are renewed once and in time in seed ${seed}`, () => Effect.asVoid(simulateTokens(seed)))
  }

  it.effect("replays a seed exactly", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* simulateTokens(5), yield* simulateTokens(5))
    })
  )
})
