import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulateInbox } from "./simulateInbox.ts"

describe("the inbox, simulated for long (design §11)", () => {
  for (let seed = 1_000; seed < 1_300; seed++) {
    it.effect(`keeps its promises in seed ${seed}`, () => Effect.asVoid(simulateInbox(seed)))
  }
})
