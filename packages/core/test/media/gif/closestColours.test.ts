import { closestColours } from "../../../src/media/gif/closestColours.ts"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"

const distance = (palette: Uint8Array, one: number, other: number): number =>
  [0, 1, 2].reduce(
    (sum, channel) => sum + ((palette[one * 3 + channel] ?? 0) - (palette[other * 3 + channel] ?? 0)) ** 2,
    0
  )

describe("the closest two colours of a palette", () => {
  it("are no further from each other than any other two", () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.integer({ min: 2, max: 24 }), (palette, count) => {
        const pair = closestColours(palette, count)
        assert.isDefined(pair)
        if (pair === undefined) return
        assert.isBelow(pair.kept, pair.merged)
        assert.isBelow(pair.merged, count)
        for (let one = 0; one < count; one++) {
          for (let other = one + 1; other < count; other++) {
            assert.isAtMost(distance(palette, pair.kept, pair.merged), distance(palette, one, other))
          }
        }
      })
    ))

  it("may be two indexes behind the palette, which are both black", () =>
    assert.deepStrictEqual(closestColours(Uint8Array.of(9, 9, 9, 60, 60, 60), 4), { kept: 2, merged: 3 }))

  it("do not exist where there is one index", () => assert.isUndefined(closestColours(Uint8Array.of(1, 2, 3), 1)))
})
