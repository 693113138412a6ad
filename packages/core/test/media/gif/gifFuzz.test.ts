import { assert, describe, it } from "@effect/vitest"
import { fuzzGifs } from "./gifFuzz.ts"

describe("GIFs that no program writes", () => {
  it("are judged, and what is admitted is written anew", () => {
    const count = 3_000
    // Enough are still admitted: what is tried reaches the writer behind the scanner.
    assert.isAbove(fuzzGifs({ from: 1, count }), count / 10)
  })
})
