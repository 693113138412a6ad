import { assert, describe, it } from "@effect/vitest"
import { exceededLimit, gifLimits, isGifSizeAllowed } from "../../../src/media/gif/GifLimits.ts"

const atLimit = {
  longestSide_px: gifLimits.side_px,
  frames: gifLimits.frames,
  decoded_px: gifLimits.decoded_px,
  cycle_cs: gifLimits.cycle_cs
}

describe("limits of a GIF (§8.2)", () => {
  it("lets pass what stands at every limit", () => assert.isUndefined(exceededLimit(atLimit)))

  it.each([
    ["gif_dimensions_exceeded", { longestSide_px: 4097 }],
    ["gif_frame_count_exceeded", { frames: 2001 }],
    ["gif_decode_budget_exceeded", { decoded_px: 1_500_000_001 }],
    ["gif_duration_exceeded", { cycle_cs: 6001 }]
  ])("says %s for one more", (code, more) => assert.strictEqual(exceededLimit({ ...atLimit, ...more }), code))

  it("returns the first of several in the order of the contract", () => {
    const all = { longestSide_px: 9999, frames: 9999, decoded_px: 9e9, cycle_cs: 9999 }
    assert.strictEqual(exceededLimit(all), "gif_dimensions_exceeded")
    assert.strictEqual(exceededLimit({ ...all, longestSide_px: 1 }), "gif_frame_count_exceeded")
    assert.strictEqual(exceededLimit({ ...all, longestSide_px: 1, frames: 2 }), "gif_decode_budget_exceeded")
  })

  it("has no cycle for a single image", () =>
    assert.isUndefined(exceededLimit({ ...atLimit, frames: 1, cycle_cs: 65_535 })))

  it("takes 50 MB of upload and not one byte more", () => {
    assert.isTrue(isGifSizeAllowed(52_428_800))
    assert.isFalse(isGifSizeAllowed(52_428_801))
  })
})
