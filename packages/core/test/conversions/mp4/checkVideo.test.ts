import { assert, describe, it } from "@effect/vitest"
import { renderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { scanGif } from "@loopbox/core/media/gif/scanGif"
import { checkVideo } from "@loopbox/core/conversions/mp4/checkVideo"
import { readMp4 } from "@loopbox/core/conversions/mp4/readMp4"
import type { Mp4Facts } from "@loopbox/core/conversions/mp4/readMp4"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { tinyMp4 } from "@loopbox/testing/fakes/tinyMp4"
import { Result } from "effect"
import * as fc from "fast-check"

const plan = renderPlan(Result.getOrThrow(scanGif(animatedGif([20, 20]))), "#FFFFFF")
const good = Result.getOrThrow(readMp4(tinyMp4(plan)))

const detailOf = (facts: Mp4Facts, size_bytes = 1): string =>
  Result.match(checkVideo(plan, facts, size_bytes, 1000), {
    onSuccess: () => "kept",
    onFailure: (error) => error.detail
  })

describe("readMp4", () => {
  it("never throws, for any bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readMp4(bytes)))
  })

  it("never throws on a video of which any byte was changed", () => {
    const bytes = tinyMp4(plan)
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const changed = bytes.slice()
        changed[at] = value
        readMp4(changed)
      }),
      { numRuns: 2000 }
    )
  })

  it("refuses a head that ends before the index does", () => {
    assert.isTrue(Result.isFailure(readMp4(tinyMp4(plan).subarray(0, 120))))
  })
})

describe("checkVideo (§8.2, universal_mp4_v1)", () => {
  it("keeps the planned video", () => assert.strictEqual(detailOf(good), "kept"))

  it.each([
    ["H.264", { codec: "hvc1" }],
    ["one track", { tracks: 2 }],
    ["pictures", { pictures: good.pictures - 1 }],
    ["30 a second", { ticksPerPicture: 511 }],
    ["30 a second", { ticksPerPicture: undefined }],
    ["five seconds", { duration_ms: 4999 }],
    ["in front", { isFastStart: false }],
    ["edit list", { hasEditList: true }],
    ["order", { hasReordering: true }],
    ["32×32", { width: 34 }]
  ])("refuses a video that breaks the promise: %s", (promise, change) =>
    assert.include(detailOf({ ...good, ...change }), promise)
  )

  it("keeps a file of the limit and refuses one byte more", () => {
    assert.strictEqual(detailOf(good, 1000), "kept")
    assert.include(detailOf(good, 1001), "1001 > 1000")
  })
})
