import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateReplies } from "./simulateReplies.ts"

const wanted = process.env["SEED"]
const seeds = wanted === undefined ? Array.from({ length: 1 }, (_, i) => i + 1) : [Number(wanted)]

describe("replies, simulated (design §11)", () => {
  for (const seed of seeds) {
    it.effect(`keep their promises in seed ${seed}`, () => Effect.asVoid(simulateReplies(seed)))
  }

  it.effect("play the same seed the same way again", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* simulateReplies(101), yield* simulateReplies(101))
    })
  )
})
