import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { readMovie } from "../../../src/media/mp4/readMovie.ts"
import { audioTrack, fragments, movieHeader, textTrack, toBytes, videoTrack } from "./movieBytes.ts"

const whole = toBytes(movieHeader(4000), videoTrack(), audioTrack())

describe("readMovie", () => {
  it("reads size, length, frame rate and codecs", () => {
    assert.deepStrictEqual(readMovie(whole), {
      width: 640,
      height: 360,
      durationMs: 4000,
      frameRate: 24,
      videoCodec: "avc1",
      audioCodec: "mp4a"
    })
  })

  it("exchanges the sides of a video that is shown turned", () => {
    const { height, width } = readMovie(toBytes(movieHeader(4000), videoTrack({ isTurned: true })))
    assert.deepStrictEqual([width, height], [360, 640])
  })

  it("finds picture and sound behind other tracks, in any order", () => {
    const facts = readMovie(toBytes(textTrack(), audioTrack("alac"), movieHeader(4000), videoTrack({ codec: "hvc1" })))
    assert.deepInclude(facts, { videoCodec: "hvc1", audioCodec: "alac", width: 640 })
  })

  it("averages a variable frame rate, with three decimals", () => {
    const times = [
      [30, 512],
      [30, 1024]
    ] as const
    assert.strictEqual(readMovie(toBytes(movieHeader(3000), videoTrack({ times }))).frameRate, 20)
    const oneLong = videoTrack({
      times: [
        [999, 512],
        [1, 1024]
      ]
    })
    assert.strictEqual(readMovie(toBytes(movieHeader(3000), oneLong)).frameRate, 29.97)
  })

  it("has no video facts of sound alone", () => {
    assert.deepStrictEqual(readMovie(toBytes(movieHeader(4000), audioTrack())), {
      width: undefined,
      height: undefined,
      durationMs: 4000,
      frameRate: undefined,
      videoCodec: undefined,
      audioCodec: "mp4a"
    })
  })

  it("reads a fragmented file's length and frame rate from its index", () => {
    const facts = readMovie(toBytes(movieHeader(0), videoTrack({ times: [] }), fragments(4000, 512)))
    assert.deepInclude(facts, { durationMs: 4000, frameRate: 30 })
  })

  it("takes the longest track where the movie's own length is missing", () => {
    assert.strictEqual(readMovie(toBytes(movieHeader(0), videoTrack(), audioTrack())).durationMs, 4017)
    assert.strictEqual(readMovie(toBytes(movieHeader(0xffffffff), videoTrack())).durationMs, 4000)
  })

  it("says nothing where nothing is said", () => {
    const nothing = {
      width: undefined,
      height: undefined,
      durationMs: undefined,
      frameRate: undefined,
      videoCodec: undefined,
      audioCodec: undefined
    }
    assert.deepStrictEqual(readMovie(new Uint8Array()), nothing)
    assert.deepStrictEqual(readMovie(toBytes(movieHeader(0))), nothing)
  })

  it("never throws and says only possible values, whichever bytes were changed or cut off", () => {
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.nat(whole.length), (changes, length) => {
        const bytes = whole.slice(0, length)
        for (const [at, value] of changes) if (at < length) bytes[at] = value
        const { durationMs, frameRate, height, width } = readMovie(bytes)
        for (const value of [durationMs, frameRate, height, width]) {
          assert.isTrue(value === undefined || (Number.isFinite(value) && value > 0))
        }
      }),
      { numRuns: 3000 }
    )
  })
})
