import { assert, describe, it } from "@effect/vitest"
import { makeGifScan, scanGif } from "@loopbox/core/media/gif/scanGif"
import { animatedGif, bigGifChunks, commentOf, graphicControl, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import type { SampleGif, SampleImage } from "@loopbox/testing/fakes/gifSamples"
import { Result } from "effect"
import * as fc from "fast-check"

const codeOf = (bytes: Uint8Array): string =>
  Result.match(scanGif(bytes), { onSuccess: () => "ok", onFailure: (verdict) => verdict.code })

const factsOf = (bytes: Uint8Array) => Result.getOrThrow(scanGif(bytes))

const small: SampleGif = { width: 16, height: 16, images: [{}, { delay_cs: 20 }] }

/** A 1×1 image in a few bytes, to make many of. */
const dot = { width: 1, height: 1, data: Uint8Array.of(2, 2, 0x44, 0x01, 0) }
const dots = (count: number, delay_cs = 2) => Array.from({ length: count }, () => ({ ...dot, delay_cs }))

describe("scanGif: what it refuses (§7.3)", () => {
  it.each([
    ["gif_probe_failed", "no bytes", new Uint8Array(0)],
    ["gif_probe_failed", "a header and nothing more", sampleGif({ ...small, images: [] }).subarray(0, -1)],
    ["gif_probe_failed", "a trailer and no image", sampleGif({ ...small, images: [] })],
    ["gif_probe_failed", "a palette that is cut off", sampleGif(small).subarray(0, 17)],
    ["gif_probe_failed", "text behind the letters", new TextEncoder().encode("GIF89a is a file format of 1989")],
    ["gif_probe_failed", "a page", new TextEncoder().encode("<!doctype html><script>")],
    ["gif_probe_failed", "a canvas without width", sampleGif({ ...small, width: 0, images: dots(1) })],
    ["gif_dimensions_exceeded", "a canvas of 4097", sampleGif({ ...small, width: 4097, images: dots(1) })],
    ["gif_dimensions_exceeded", "an image of 4097", sampleGif({ ...small, images: [{ ...dot, height: 4097 }] })],
    ["gif_frame_count_exceeded", "2,001 images", sampleGif({ ...small, images: dots(2001) })],
    ["gif_decode_budget_exceeded", "90 images of 4096²", sampleGif({ width: 4096, height: 4096, images: dots(90) })],
    ["gif_duration_exceeded", "60.01 s", sampleGif({ ...small, images: [...dots(2, 3000), ...dots(1, 1)] })],
    ["gif_decode_failed", "a first image that is cut off", sampleGif(small).subarray(0, 45)],
    ["gif_decode_failed", "a code size of 0", sampleGif({ ...small, images: [{ data: Uint8Array.of(0, 1, 4, 0) }] })],
    ["gif_decode_failed", "a code size of 12", sampleGif({ ...small, images: [{ data: Uint8Array.of(12, 1, 4, 0) }] })],
    ["gif_decode_failed", "no data", sampleGif({ ...small, images: [{ data: Uint8Array.of(2, 0) }] })],
    [
      "gif_decode_failed",
      "data that begins with its end",
      sampleGif({ ...small, images: [{ data: Uint8Array.of(2, 1, 5, 0) }] })
    ],
    [
      "gif_decode_failed",
      "clear codes only",
      sampleGif({ ...small, images: [{ data: Uint8Array.of(3, 2, 0x88, 0x88, 0) }] })
    ],
    ["gif_decode_failed", "an image outside the canvas", sampleGif({ ...small, images: [{ ...dot, left: 16 }] })],
    ["gif_decode_failed", "an image without area", sampleGif({ ...small, images: [{ ...dot, width: 0 }] })]
  ])("%s: %s", (code, _, bytes) => assert.strictEqual(codeOf(bytes), code))

  it("returns the first of several in the order of the contract", () => {
    const everything = sampleGif({ width: 4096, height: 4096, images: dots(2001, 600) })
    assert.strictEqual(codeOf(everything), "gif_frame_count_exceeded")
    const wide = sampleGif({ width: 4097, height: 4096, images: dots(2001, 600) })
    assert.strictEqual(codeOf(wide), "gif_dimensions_exceeded")
  })
})

describe("scanGif: images that ffmpeg only reads on a larger canvas", () => {
  const beside = (image: SampleImage, count: number, height = 3000): Uint8Array =>
    sampleGif({ width: 10, height, images: [{ ...dot, ...image }, ...dots(count - 1)] })

  it("counts the larger canvas into the decode budget, or their rows would be skewed", () => {
    assert.strictEqual(codeOf(beside({ width: 4096 }, 122)), "ok")
    assert.strictEqual(codeOf(beside({ width: 4096 }, 123)), "gif_decode_budget_exceeded")
  })

  it("counts it for an interlaced image over the bottom too", () => {
    const image = { width: 4096, top: 2900, height: 1200, isInterlaced: true }
    assert.strictEqual(codeOf(beside(image, 89)), "ok")
    assert.strictEqual(codeOf(beside(image, 90)), "gif_decode_budget_exceeded")
  })

  it("counts no canvas for a wide image that shows nothing", () =>
    assert.strictEqual(codeOf(beside({ width: 4096, left: 10 }, 123)), "ok"))
})

describe("scanGif: what it lets pass", () => {
  it.each([
    ["a canvas of 4096", sampleGif({ width: 4096, height: 2, images: dots(1) })],
    ["2,000 images", sampleGif({ ...small, images: dots(2000) })],
    ["89 images of 4096²", sampleGif({ width: 4096, height: 4096, images: dots(89) })],
    ["60.00 s", sampleGif({ ...small, images: dots(2, 3000) })],
    ["one image of 655 s", sampleGif({ ...small, images: dots(1, 65_535) })],
    ["87a", sampleGif({ ...small, version: "87a" })],
    ["no trailer", sampleGif(small).subarray(0, -1)],
    ["a second GIF behind the first", sampleGif({ ...small, trailer: Uint8Array.of(0x3b, ...sampleGif(small)) })],
    ["an unknown block behind an image", sampleGif({ ...small, trailer: Uint8Array.of(0x99, 1, 2, 3) })],
    ["a megabyte of extensions", sampleGif({ ...small, before: commentOf(1_000_000) })],
    ["stray terminators", sampleGif({ ...small, before: new Uint8Array(1000) })],
    ["clear codes before a colour", sampleGif({ ...small, images: [{ data: Uint8Array.of(3, 2, 0x88, 0x08, 0) }] })],
    ["an unusable image beside a usable one", sampleGif({ ...small, images: [{ ...dot, left: 99 }, dot] })]
  ])("%s", (_, bytes) => assert.strictEqual(codeOf(bytes), "ok"))

  it("drops a later image that is cut off", () => {
    const bytes = sampleGif(small)
    const { images } = factsOf(bytes.subarray(0, bytes.length - 3))
    assert.strictEqual(images.length, 1)
  })

  it("plays delays of 0 and 1 cs, and none at all, as 10 cs", () => {
    const images = [0, 1, 2, undefined, 3].map((delay_cs) => ({ ...dot, delay_cs }))
    assert.deepStrictEqual(
      factsOf(sampleGif({ ...small, images })).images.map((image) => image.delay_cs),
      [10, 10, 2, 10, 3]
    )
  })

  it("takes the last of several graphic controls, and uses it up", () => {
    const before = graphicControl({ delay_cs: 500, disposal: 2 })
    const { images } = factsOf(
      sampleGif({
        ...small,
        before,
        images: [
          { ...dot, delay_cs: 20 },
          { ...dot, delay_cs: undefined }
        ]
      })
    )
    assert.deepStrictEqual(
      images.map((image) => [image.delay_cs, image.disposal]),
      [
        [20, "keep"],
        [10, "keep"]
      ]
    )
  })

  it("takes disposal 4 for 3, as browsers do, and 5 to 7 for none", () => {
    const images = [0, 1, 2, 3, 4, 5, 6, 7].map((disposal) => ({ ...dot, disposal }))
    assert.deepStrictEqual(
      factsOf(sampleGif({ ...small, images })).images.map((image) => image.disposal),
      ["keep", "keep", "clear", "restore", "restore", "keep", "keep", "keep"]
    )
  })
})

describe("scanGif: any bytes", () => {
  const nearlyGif = fc
    .tuple(
      fc.constantFrom(...[small, { ...small, version: "87a" as const }].map((gif) => sampleGif(gif))),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
      fc.nat()
    )
    .map(([gif, changes, length]) => {
      const changed = gif.slice(0, length % (gif.length + 1))
      for (const [at, value] of changes) if (changed.length > 0) changed[at % changed.length] = value
      return changed
    })

  it("never throws", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void scanGif(bytes)))
    fc.assert(
      fc.property(nearlyGif, (bytes) => void scanGif(bytes)),
      { numRuns: 2000 }
    )
  })

  it("answers the same however the bytes are cut into chunks", () => {
    fc.assert(
      fc.property(nearlyGif, fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 }), (bytes, sizes) => {
        const scan = makeGifScan({ followsData: true })
        let at = 0
        for (const size of [...sizes, bytes.length]) {
          scan.push(bytes.subarray(at, at + size))
          at += size
        }
        assert.deepStrictEqual(JSON.stringify(scan.finish()), JSON.stringify(scanGif(bytes)))
      }),
      { numRuns: 1000 }
    )
  })

  it("gives the same verdict whether it follows the image data or not", () => {
    fc.assert(
      fc.property(nearlyGif, (bytes) => {
        const scan = makeGifScan()
        scan.push(bytes)
        const code = Result.match(scan.finish(), { onSuccess: () => "ok", onFailure: (verdict) => verdict.code })
        assert.strictEqual(code, codeOf(bytes))
      }),
      { numRuns: 1000 }
    )
  })

  it("points only inside the file, and forwards", () => {
    fc.assert(
      fc.property(nearlyGif, (bytes) => {
        const scanned = scanGif(bytes)
        if (Result.isFailure(scanned)) return
        let last = 13
        for (const image of scanned.success.images) {
          assert.isAtLeast(image.paletteOffset, last)
          assert.isAtLeast(image.dataOffset, image.paletteOffset)
          last = image.dataOffset + image.dataLength
          assert.isAtMost(last, bytes.length)
          assert.strictEqual(bytes[last - 1], 0)
        }
      }),
      { numRuns: 1000 }
    )
  })

  it("converts a GIF that is cut anywhere behind its first image", () => {
    const bytes = animatedGif([5, 5, 5])
    const end = factsOf(bytes).images[0]
    const from = (end?.dataOffset ?? 0) + (end?.dataLength ?? 0)
    for (let length = from; length <= bytes.length; length++)
      assert.strictEqual(codeOf(bytes.subarray(0, length)), "ok")
  })

  it("scans 50 MB, made and read in chunks, in far less than a second", () => {
    const scan = makeGifScan()
    let size_bytes = 0
    for (const chunk of bigGifChunks(52_428_800)) {
      size_bytes += chunk.length
      scan.push(chunk)
    }
    assert.strictEqual(size_bytes, 52_428_800)
    assert.isTrue(Result.isSuccess(scan.finish()))
  })

  it("reads 50 MB of clear codes in bounded work", () => {
    const scan = makeGifScan()
    scan.push(sampleGif({ ...small, images: [{ codeSize: 7, data: Uint8Array.of(7) }] }).subarray(0, -1))
    const block = Uint8Array.of(255, ...new Uint8Array(255).fill(0x80))
    for (let at = 0; at < 200_000; at++) scan.push(block)
    assert.isTrue(Result.isFailure(scan.finish()))
  })
})
