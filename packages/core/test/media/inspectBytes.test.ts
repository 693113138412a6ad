import { assert, describe, it } from "@effect/vitest"
import type { ContentType } from "../../src/media/ContentType.ts"
import { contentTypes } from "../../src/media/ContentType.ts"
import { inspectBytes, inspectedBytes } from "../../src/media/inspectBytes.ts"
import { bytesOfLength, wholeNumber } from "@loopbox/testing/fixtures/arbitraries"
import { brand, samples } from "@loopbox/testing/fixtures/mediaSamples"
import { textBytes } from "@loopbox/testing/fixtures/mediaFixtures"
import * as Arbitrary from "effect/Arbitrary"

describe("inspectBytes (api.md §5)", () => {
  for (const type of contentTypes) {
    for (const [name, bytes] of Object.entries(samples[type])) {
      it(`knows ${type} by its first bytes: ${name}`, () => {
        assert.strictEqual(inspectBytes(bytes)?.contentType, type)
      })
    }
  }

  it("says the size of a GIF and of a PNG", () => {
    assert.deepStrictEqual(inspectBytes(samples["image/gif"]["GIF89a"] ?? new Uint8Array())?.size, {
      width: 258,
      height: 3
    })
    assert.deepStrictEqual(inspectBytes(samples["image/png"]["PNG"] ?? new Uint8Array())?.size, {
      width: 640,
      height: 70_000
    })
  })

  const others: Record<string, Uint8Array> = {
    nothing: new Uint8Array(),
    "plain text": textBytes("hello, world. This is no media file."),
    "text in UTF-16": Uint8Array.of(0xff, 0xfe, 0x68, 0, 0x65, 0, 0x6c, 0, 0x6c, 0, 0x6f, 0),
    PDF: textBytes("%PDF-1.7\n"),
    ZIP: Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0),
    "an executable": Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0),
    HTML: textBytes("<!doctype html><script>"),
    SVG: textBytes('<svg xmlns="http://www.w3.org/2000/svg">'),
    "an HLS list": textBytes("#EXTM3U\n#EXT-X-VERSION:3\n"),
    BMP: textBytes("BM\u0036\u0000\u0000\u0000\u0000\u0000\u0000\u0000"),
    "Matroska that is not WebM": Uint8Array.of(
      0x1a,
      0x45,
      0xdf,
      0xa3,
      0x93,
      0x42,
      0x82,
      0x88,
      ...textBytes("matroska")
    ),
    AVI: Uint8Array.of(...textBytes("RIFF"), 1, 0, 0, 0, ...textBytes("AVI LIST")),
    zeros: new Uint8Array(64)
  }
  for (const [name, bytes] of Object.entries(others)) {
    it(`takes ${name} for none of the types`, () => assert.isUndefined(inspectBytes(bytes)))
  }

  it.prop("never throws, for any bytes", [bytesOfLength(0, 128)], ([bytes]) => {
    const found = inspectBytes(bytes)
    if (found !== undefined) assert.include(contentTypes, found.contentType)
  })

  const cut = Arbitrary.map(
    Arbitrary.all([
      Arbitrary.schema(wholeNumber(0, contentTypes.length - 1)),
      Arbitrary.schema(wholeNumber(0, 40)),
      bytesOfLength(0, 24)
    ]),
    ([type, length, rest]) => {
      const bytes = Object.values(samples[contentTypes[type] ?? "image/gif"])[0] ?? new Uint8Array()
      return Uint8Array.from([...bytes.subarray(0, length), ...rest])
    }
  )
  it.prop("never throws on a true beginning that is cut and goes on with anything", [cut], ([bytes]) => {
    inspectBytes(bytes)
  })

  it.prop("judges a part of a larger buffer by its own bytes", [wholeNumber(1, 32)], ([offset]) => {
    const gif = samples["image/gif"]["GIF89a"] ?? new Uint8Array()
    const buffer = new Uint8Array(offset + gif.length).fill(0x47)
    buffer.set(gif, offset)
    assert.deepStrictEqual(inspectBytes(buffer.subarray(offset)), inspectBytes(gif))
  })

  it("wants no more than it says", () => {
    const long = new Uint8Array(inspectedBytes * 2)
    long.set(brand("isom"))
    assert.strictEqual(inspectBytes(long)?.contentType, inspectBytes(long.subarray(0, inspectedBytes))?.contentType)
  })

  const brands: ReadonlyArray<readonly [string, ContentType]> = [
    ["isom", "video/mp4"],
    ["mp42", "video/mp4"],
    ["avc1", "video/mp4"],
    ["qt  ", "video/quicktime"],
    ["M4A ", "audio/mp4"],
    ["M4B ", "audio/mp4"],
    ["heic", "image/heic"],
    ["mif1", "image/heic"]
  ]
  for (const [name, type] of brands) {
    it(`takes the brand "${name}" for ${type}`, () => assert.strictEqual(inspectBytes(brand(name))?.contentType, type))
  }
})
