import { describe, it } from "@effect/vitest"
import { simulate } from "./simulate.ts"

const seeds = Array.from({ length: 200 }, (_, i) => i + 1_000)

describe("the system, simulated at length (design §11)", () => {
  for (const seed of seeds) it.effect(`keeps its promises in seed ${seed}`, () => simulate(seed))
})
