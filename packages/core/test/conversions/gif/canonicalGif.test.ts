import { assert, describe, it } from "@effect/vitest"
import { canonicalPieces, makeCanonicalWriter } from "@loopbox/core/conversions/gif/canonicalGif"
import { scanGif } from "@loopbox/core/media/gif/scanGif"
import { commentOf, joinBytes, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import type { SampleGif } from "@loopbox/testing/fakes/gifSamples"
import { Result } from "effect"
import * as fc from "fast-check"

const canonicalOf = (gif: Uint8Array, background = "#12C8F0"): Uint8Array => {
  const pieces = canonicalPieces(Result.getOrThrow(scanGif(gif)), background)
  return makeCanonicalWriter(pieces).push(gif)
}

const factsOf = (gif: Uint8Array) => Result.getOrThrow(scanGif(gif))

const mixed: SampleGif = {
  width: 20,
  height: 10,
  before: commentOf(7000),
  images: [
    { delay_cs: 0, disposal: 2, transparentIndex: 3 },
    { delay_cs: undefined, left: 5, top: 5, width: 4, height: 4, palette: [1, 2, 3, 4, 5, 6], isInterlaced: true },
    { delay_cs: 40, data: Uint8Array.of(2, 1, 0xff, 0) },
    { delay_cs: 3, disposal: 4, left: 30 },
    { delay_cs: 7, codeSize: 8 }
  ]
}

describe("canonical GIF", () => {
  it("keeps canvas, places, times, disposal and transparency, and drops the rest", () => {
    const gif = sampleGif(mixed)
    const before = factsOf(gif)
    const after = factsOf(canonicalOf(gif))
    assert.deepStrictEqual([after.width, after.height, after.cycle_cs], [20, 10, before.cycle_cs])
    assert.deepStrictEqual(
      after.images.map((image) => image.delay_cs),
      [10, 10, 40, 3, 7]
    )
    assert.deepStrictEqual(
      [after.images[0], after.images[1]].map((image) => [
        image?.disposal,
        image?.transparentIndex,
        image?.isInterlaced
      ]),
      [
        ["clear", 3, false],
        ["keep", undefined, true]
      ]
    )
    assert.isBelow(canonicalOf(gif).length, gif.length)
  })

  it("is the same when it is made again", () => {
    const once = canonicalOf(sampleGif(mixed))
    assert.deepStrictEqual(canonicalOf(once), once)
  })

  it("has the background colour twice as its palette", () =>
    assert.deepStrictEqual(
      [...canonicalOf(sampleGif(mixed)).subarray(10, 19)],
      [...[0x80, 0, 0], ...[0x12, 0xc8, 0xf0, 0x12, 0xc8, 0xf0]]
    ))

  it("makes an image that cannot be shown a transparent pixel with the same time, which clears nothing", () => {
    const facts = factsOf(canonicalOf(sampleGif(mixed)))
    for (const image of [facts.images[2], facts.images[3]]) {
      assert.deepInclude(image, { width: 1, height: 1, transparentIndex: 0, disposal: "keep", isUsable: true })
    }
  })

  it("gives every index of the data a colour: the palette's, or black", () => {
    const gif = canonicalOf(sampleGif({ ...mixed, images: [{ codeSize: 8 }] }))
    const [image] = factsOf(gif).images
    const at = image?.paletteOffset ?? 0
    assert.strictEqual(image?.localColours, 256)
    assert.deepStrictEqual([...gif.subarray(at, at + 15)], [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 0, 0, 0, 0])
  })

  it("shows an image without any palette in black", () => {
    const gif = canonicalOf(sampleGif({ width: 4, height: 4, palette: [], images: [{}] }))
    const [image] = factsOf(gif).images
    const at = image?.paletteOffset ?? 0
    assert.deepStrictEqual(
      [...gif.subarray(at, at + 12)],
      Array.from({ length: 12 }, () => 0)
    )
  })

  it("comes out the same however the upload is cut into chunks", () => {
    const gif = sampleGif(mixed)
    const whole = canonicalOf(gif)
    const pieces = canonicalPieces(factsOf(gif), "#12C8F0")
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { maxLength: 60 }), (sizes) => {
        const writer = makeCanonicalWriter(pieces)
        const out: Array<Uint8Array> = []
        let at = 0
        for (const size of [...sizes, gif.length]) {
          out.push(writer.push(gif.subarray(at, at + size)))
          at += size
        }
        assert.isTrue(writer.isDone())
        assert.deepStrictEqual(joinBytes(out), whole)
      })
    )
  })

  it("reads the upload in one direction", () => {
    let last = 0
    for (const piece of canonicalPieces(factsOf(sampleGif(mixed)), "#000000")) {
      if (piece.kind === "bytes") continue
      assert.isAtLeast(piece.offset, last)
      last = piece.offset + piece.length
    }
  })

  it("does not copy a chunk that lies inside an image", () => {
    const gif = sampleGif({ width: 200, height: 200, images: [{ pixel: (x, y) => (x * y) % 4 }] })
    const writer = makeCanonicalWriter(canonicalPieces(factsOf(gif), "#000000"))
    writer.push(gif.subarray(0, 200))
    const inside = gif.subarray(200, 400)
    assert.strictEqual(writer.push(inside).buffer, inside.buffer)
  })
})
