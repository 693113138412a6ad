import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hostile } from "./hostileWorld.ts"

const seeds = Array.from({ length: 200 }, (_, n) => n + 1)

describe("two hundred hostile worlds", () => {
  it.effect.each(seeds)("end as the networks show them to a poll: seed %i", (seed) => Effect.scoped(hostile(seed)))
})
