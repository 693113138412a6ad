import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateInbox } from "./simulateInbox.ts"

const wanted = process.env["SEED"]
const seeds = wanted === undefined ? Array.from({ length: 8 }, (_, i) => i + 1) : [Number(wanted)]

describe("the inbox, simulated (design §11)", () => {
  for (const seed of seeds) {
    it.effect(`keeps its promises in seed ${seed}`, () => Effect.asVoid(simulateInbox(seed)))
  }

  it.effect("plays the same seed the same way again", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* simulateInbox(7), yield* simulateInbox(7))
    })
  )
})
