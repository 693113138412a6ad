import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulatePosts } from "./simulatePosts.ts"

const wanted = process.env["SEED"]
const seeds = wanted === undefined ? Array.from({ length: 2 }, (_, i) => i + 1) : [Number(wanted)]

describe("posts, simulated (design §6)", () => {
  for (const seed of seeds) {
    it.effect(`keep their promises in seed ${seed}`, () => Effect.asVoid(simulatePosts(seed)))
  }

  it.effect("play the same seed the same way again", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* simulatePosts(101), yield* simulatePosts(101))
    })
  )
})
