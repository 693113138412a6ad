import { assert, describe, it } from "@effect/vitest"
import { readTracks } from "@loopbox/core/overlays/readTracks"
import type { TrackFacts } from "@loopbox/core/overlays/readTracks"
import { videoFacts } from "@loopbox/core/overlays/videoFacts"
import { tinyMp4 } from "@loopbox/testing/fakes/tinyMp4"
import { Option } from "effect"
import * as fc from "fast-check"

const picture: TrackFacts = {
  kind: "picture",
  codec: "avc1",
  entries: 1,
  width: 1920,
  height: 1080,
  hasSquarePixels: true,
  avcProfile: 100,
  samples: 100,
  length_ms: 4000,
  firstShown_ms: 80,
  edits: [{ length_ms: 4000, from_ms: 80, isNormalSpeed: true }]
}
const sound: TrackFacts = { ...picture, kind: "sound", codec: "mp4a", edits: [], firstShown_ms: 0 }

const factsOf = (changed: Partial<TrackFacts>, others: ReadonlyArray<TrackFacts> = [sound]) =>
  Option.getOrUndefined(videoFacts({ tracks: [{ ...picture, ...changed }, ...others], isFragmented: false }))

describe("videoFacts", () => {
  it("takes the length of the picture, whatever the sound's is", () => {
    const long = { ...sound, length_ms: 9000 }
    assert.deepStrictEqual(factsOf({}, [long]), {
      picture_ms: 4000,
      pictureStart_ms: 0,
      isUniversal: true,
      hasSound: true
    })
  })

  it.each([
    [{ codec: "hvc1" }],
    [{ codec: "avc3" }],
    [{ avcProfile: 110 }],
    [{ avcProfile: 244 }],
    [{ avcProfile: 0 }],
    [{ entries: 2 }],
    [{ width: 1921 }],
    [{ width: 1922 }],
    [{ height: 1081 }],
    [{ height: 0 }],
    [{ hasSquarePixels: false }]
  ])("does not copy a picture that is not universal: %o", (changed) => assert.isFalse(factsOf(changed)?.isUniversal))

  it.each([[{ avcProfile: 66 }], [{ avcProfile: 77 }], [{ width: 1080, height: 1920 }], [{ width: 2, height: 2 }]])(
    "copies a universal one: %o",
    (changed) => assert.isTrue(factsOf(changed)?.isUniversal)
  )

  it("knows a track of sound without a sample for silence", () => {
    assert.isFalse(factsOf({}, [{ ...sound, samples: 0 }])?.hasSound)
    assert.isFalse(factsOf({}, [])?.hasSound)
  })

  it("knows when the first picture is shown, without an edit list and with one", () => {
    assert.strictEqual(factsOf({ edits: [] })?.pictureStart_ms, 80)
    assert.strictEqual(factsOf({ edits: [{ length_ms: 0, from_ms: 30, isNormalSpeed: true }] })?.pictureStart_ms, 50)
  })

  it.each([
    ["a pause before the picture", [{ length_ms: 500, from_ms: undefined, isNormalSpeed: true }, ...picture.edits]],
    ["only a pause", [{ length_ms: 500, from_ms: undefined, isNormalSpeed: true }]],
    ["a beginning that is cut off", [{ length_ms: 3000, from_ms: 1080, isNormalSpeed: true }]],
    ["an end that is cut off", [{ length_ms: 3000, from_ms: 80, isNormalSpeed: true }]],
    ["slow motion", [{ length_ms: 4000, from_ms: 80, isNormalSpeed: false }]]
  ])("leaves an edit list with %s to who decodes", (_, edits) => assert.isUndefined(factsOf({ edits })))

  it("leaves fragments and files without a picture to who decodes", () => {
    assert.isTrue(Option.isNone(videoFacts({ tracks: [picture, sound], isFragmented: true })))
    assert.isTrue(Option.isNone(videoFacts({ tracks: [sound], isFragmented: false })))
  })
})

describe("readTracks", () => {
  it("never throws, for any bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readTracks(bytes)))
  })

  it("never throws on an index of which any byte was changed", () => {
    const index = tinyMp4({ width: 64, height: 64, pictures: 150 }).subarray(36)
    fc.assert(
      fc.property(fc.nat(index.length - 1), fc.nat(255), (at, value) => {
        const changed = index.slice()
        changed[at] = value
        readTracks(changed)
      })
    )
  })
})
