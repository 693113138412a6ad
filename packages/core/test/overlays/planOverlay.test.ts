import { assert, describe, it } from "@effect/vitest"
import { planOverlay } from "@loopbox/core/overlays/planOverlay"
import type { VideoFacts } from "@loopbox/core/overlays/planOverlay"
import type { OverlaySettings } from "@loopbox/core/overlays/OverlaySettings"
import { Result } from "effect"
import * as fc from "fast-check"

const facts: VideoFacts = { picture_ms: 4000, pictureStart_ms: 0, isUniversal: true, hasSound: true }

const settings: OverlaySettings = {
  mode: "mix",
  videoVolume: 100,
  audioVolume: 100,
  audioStartMs: 0,
  fit: "trim_to_video"
}

const planOf = (changed: Partial<VideoFacts> = {}, asked: Partial<OverlaySettings> = {}) =>
  Result.getOrThrow(planOverlay({ ...facts, ...changed }, { ...settings, ...asked }))

describe("planOverlay", () => {
  it("copies a universal picture, and encodes every other one at 30 a second", () => {
    assert.strictEqual(planOf().picture, "copy")
    const plan = planOf({ isUniversal: false, picture_ms: 1990 })
    assert.deepStrictEqual([plan.picture, plan.pictures], ["encode", 60])
  })

  it("makes the sound as long as the picture, to the sample", () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 600_000, noNaN: true }), (picture_ms) => {
        const plan = planOf({ picture_ms })
        assert.approximately(plan.samples / 48, picture_ms, 0.02)
        assert.approximately((plan.pictures * 1000) / 30, picture_ms, 34)
      })
    )
  })

  it("scales each sound by its own volume and the sum by nothing (A64)", () => {
    const plan = planOf({}, { videoVolume: 30, audioVolume: 80 })
    assert.deepStrictEqual([plan.own?.volume, plan.laid.volume], [0.3, 0.8])
  })

  it.each([
    ["a silent video", { hasSound: false }, {}],
    ["a sound that replaces the video's own", {}, { mode: "replace" }],
    ["a video's sound at 0 percent", {}, { videoVolume: 0 }]
  ] as const)("leaves the video's own sound out for %s", (_, changed, asked) =>
    assert.isUndefined(planOf(changed, asked).own)
  )

  it("begins the video's own sound where its picture does", () =>
    assert.strictEqual(planOf({ pictureStart_ms: 250 }).own?.skip_samples, 12_000))

  it("begins the laid sound where it was asked for, and goes on at the beginning of its file (A63)", () => {
    const plan = planOf({}, { audioStartMs: 1500, fit: "loop_to_video" })
    assert.deepStrictEqual(plan.laid, { volume: 1, start_ms: 1500, isLooped: true })
  })

  it.each([
    [0, "NoPicture"],
    [Number.NaN, "NoPicture"],
    [600_000, "planned"],
    [600_151, "TooLong"],
    [Number.POSITIVE_INFINITY, "TooLong"]
  ])("a picture of %d ms: %s", (picture_ms, wanted) => {
    const verdict = planOverlay({ ...facts, picture_ms }, settings)
    assert.strictEqual(Result.isSuccess(verdict) ? "planned" : verdict.failure.reason, wanted)
  })
})
