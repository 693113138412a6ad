import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulatePostCase } from "./simulatePostCase.ts"

/** A thousand worlds, in tests of fifty. */
const [tests, worlds] = [20, 50]

describe("posts whose publishing goes wrong, simulated a thousand times (api-2.md §12)", () => {
  for (const from of Array.from({ length: tests }, (_, i) => i * worlds + 10_000)) {
    it.effect(`end once and in time in seeds ${from} to ${from + worlds - 1}`, () =>
      Effect.gen(function* () {
        for (let seed = from; seed < from + worlds; seed++) {
          const ends = yield* simulatePostCase(seed).pipe(
            Effect.catchDefect((defect) => Effect.die(new Error(`seed ${seed}: ${String(defect)}`, { cause: defect })))
          )
          assert.isNotEmpty(ends)
        }
      })
    )
  }
})
