import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { simulatePosts } from "./simulatePosts.ts"

describe("posts, simulated for long (design §6)", () => {
  for (const seed of Array.from({ length: 100 }, (_, i) => i + 3_000)) {
    it.effect(`keep their promises in seed ${seed}`, () => Effect.asVoid(simulatePosts(seed)))
  }
})
