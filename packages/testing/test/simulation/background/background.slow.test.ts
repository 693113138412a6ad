import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateBackground } from "./simulateBackground.ts"

describe("what goes on by itself, simulated in many seeds", () => {
  for (let from = 1; from <= 150; from += 25) {
    it.effect(`keeps its promises in seeds ${from} to ${from + 24}`, () =>
      Effect.gen(function* () {
        for (let seed = from; seed < from + 25; seed++) yield* simulateBackground(seed)
      })
    )
  }
})
