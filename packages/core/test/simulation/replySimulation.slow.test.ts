import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateReplies } from "./simulateReplies.ts"

describe("replies, simulated for long (design §11)", () => {
  for (let seed = 2_000; seed < 2_150; seed++) {
    it.effect(`keep their promises in seed ${seed}`, () => Effect.asVoid(simulateReplies(seed)))
  }
})
