import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hostile } from "./hostileWorld.ts"

describe("hostile worlds: webhooks lost, doubled and late, edits, deletions, limits that lie, dead tokens", () => {
  it.effect.each([1, 2, 3, 4, 5, 6])("end as the networks show them to a poll: seed %i", (seed) =>
    Effect.scoped(hostile(seed))
  )
})
