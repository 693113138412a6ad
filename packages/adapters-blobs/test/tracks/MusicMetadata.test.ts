import { assert, describe, layer } from "@effect/vitest"
import { TrackFacts, type TrackedFile } from "@loopbox/core/media/TrackFacts"
import { Data, Effect, Exit, Option } from "effect"
import * as fc from "fast-check"
import * as MusicMetadata from "../../src/tracks/MusicMetadata.ts"
import { adts, mp3, pictures, sound, wav, webm } from "./trackBytes.ts"

class Away extends Data.TaggedError("Away") {}

const tracks = Effect.fnUntraced(function* (contentType: TrackedFile, bytes: Uint8Array) {
  let read_bytes = 0
  const found = yield* (yield* TrackFacts)(contentType, bytes.length, ({ length, offset }) => {
    read_bytes += length
    return Effect.succeed(bytes.subarray(offset, offset + length))
  })
  const { audioCodec, durationMs, size, videoCodec } = Option.getOrElse(found, () => ({
    durationMs: Option.none(),
    size: Option.none(),
    videoCodec: Option.none(),
    audioCodec: Option.none()
  }))
  const said = {
    durationMs: Option.getOrUndefined(durationMs),
    size: Option.getOrUndefined(size),
    videoCodec: Option.getOrUndefined(videoCodec),
    audioCodec: Option.getOrUndefined(audioCodec)
  }
  return { isKnown: Option.isSome(found), said, read_bytes }
})

const heard = (durationMs: number, audioCodec: string) => ({
  durationMs,
  audioCodec,
  size: undefined,
  videoCodec: undefined
})

describe("MusicMetadata", () => {
  layer(MusicMetadata.layer)((it) => {
    it.effect("reads the length of sound: from a header, or counted where there is none", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* tracks("audio/wav", wav(2500))).said, heard(2500, "pcm"))
        const aac = yield* tracks("audio/aac", adts(431))
        assert.deepStrictEqual(aac.said, heard(Math.round((431 * 1_024_000) / 44_100), "aac"))
        const { said } = yield* tracks("audio/mpeg", mp3(383))
        assert.strictEqual(said.audioCodec, "mp3")
        assert.approximately(said.durationMs ?? 0, (383 * 1_152_000) / 44_100, 60)
      })
    )

    it.effect("reads a WebM: its length, sides, and what its pictures and its sound are coded as", () =>
      Effect.gen(function* () {
        const both = yield* tracks("video/webm", webm(4200, pictures("V_VP9", 640, 360), sound("A_OPUS")))
        assert.deepStrictEqual(both.said, {
          durationMs: 4200,
          size: { width: 640, height: 360 },
          videoCodec: "V_VP9",
          audioCodec: "A_OPUS"
        })
        const silent = yield* tracks("video/webm", webm(undefined, pictures("V_VP8", 32, 64)))
        assert.deepStrictEqual(silent.said, {
          durationMs: undefined,
          size: { width: 32, height: 64 },
          videoCodec: "V_VP8",
          audioCodec: undefined
        })
        const alone = yield* tracks("video/webm", webm(1000, sound("A_VORBIS")))
        assert.deepStrictEqual(alone.said, heard(1000, "A_VORBIS"))
      })
    )

    it.effect("knows nothing of bytes that are no such file", () =>
      Effect.gen(function* () {
        for (const type of ["video/webm", "audio/mpeg", "audio/wav", "audio/aac"] as const) {
          assert.isFalse((yield* tracks(type, new Uint8Array())).isKnown, type)
          assert.isFalse((yield* tracks(type, new Uint8Array(5000))).isKnown, type)
        }
        assert.isFalse((yield* tracks("video/webm", webm(1000))).isKnown)
      })
    )

    it.effect("reads no more than a bounded part of a file, however long it is", () =>
      Effect.gen(function* () {
        const zeros = yield* tracks("audio/aac", new Uint8Array(40 * 1024 * 1024))
        assert.isAtMost(zeros.read_bytes, 16 * 1024 * 1024)
        const long = yield* tracks("audio/wav", wav(2_000_000))
        assert.deepStrictEqual(long.said, heard(2_000_000, "pcm"))
        assert.isAtMost(long.read_bytes, 1024 * 1024)
      })
    )

    it.effect("fails as the store of the bytes does", () =>
      Effect.gen(function* () {
        const exit = yield* Effect.exit((yield* TrackFacts)("audio/wav", 1000, () => Effect.fail(new Away())))
        assert.deepStrictEqual(exit, Exit.fail(new Away()))
      })
    )

    it.effect("never dies, for any bytes", () =>
      Effect.gen(function* () {
        const goods = [
          ["video/webm", webm(4200, pictures("V_VP9", 640, 360), sound("A_OPUS"))],
          ["audio/mpeg", mp3(20)],
          ["audio/wav", wav(100)],
          ["audio/aac", adts(20)]
        ] as const
        const changes = fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { maxLength: 6 })
        for (const made of fc.sample(changes, { numRuns: 60, seed: 7 })) {
          for (const [type, good] of goods) {
            const changed = good.slice()
            for (const [at, value] of made) if (at < changed.length) changed[at] = value
            yield* tracks(type, changed)
          }
        }
      })
    )
  })
})
