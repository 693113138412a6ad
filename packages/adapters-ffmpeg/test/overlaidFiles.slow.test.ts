import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import { afterAll, assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { convert } from "./support/convert.ts"
import type { EncodedPicture, Loudness, LongerSound, ShorterSound } from "./support/overlayJudges.ts"
import {
  heard,
  judgeEncoded,
  judgeFormat,
  judgeLonger,
  judgeLoudness,
  judgeShorter,
  judgeStreams,
  loudVideo,
  made,
  silentVideo,
  sound2,
  sound6,
  stepsIn
} from "./support/overlayJudges.ts"
import {
  amplitudeOf,
  decibels,
  described,
  h264,
  mediaFolder,
  overlay,
  pictures,
  picturesIn,
  sourceOf,
  staircase,
  tone,
  turned
} from "./support/overlays.ts"
import { testFfmpeg } from "./support/programs.ts"

const scratch = mkdtempSync(join(tmpdir(), "loopbox-overlay-scratch-"))
afterAll(() => {
  for (const folder of [scratch, mediaFolder]) rmSync(folder, { recursive: true, force: true })
})

const encoder = () => FfmpegEncoder.layer({ scratch, ffmpeg: testFfmpeg?.path, allowFallback: false })

const vp9 = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]

if (testFfmpeg === undefined) {
  describe("OverlayEncoder", () =>
    it.skip("needs an ffmpeg: apt-get install ffmpeg, or LOOPBOX_FFMPEG", () => undefined))
} else {
  layer(encoder(), { excludeTestServices: true })("OverlayEncoder: sounds", (it) => {
    it.effect.each<ShorterSound>([
      { mode: "mix", fit: "trim_to_video", silent: false, start: 0, steps: [0, 1, undefined, undefined] },
      { mode: "mix", fit: "loop_to_video", silent: true, start: 0, steps: [0, 1, 0, 1] }
    ])("a shorter one, $mode, $fit, silent video: $silent, from $start ms", judgeShorter)

    it.effect.each<LongerSound>([
      // The file is longer than the video, but not from here on: it goes on at its beginning.
      ["loop_to_video", 5000, [5, 0, 1, 2]]
    ])("a longer one, %s, from %i ms", judgeLonger)

    it.effect.each<Loudness>([
      [50, 75, -6.02, -2.5],
      [0, 100, undefined, 0]
    ])("of %i and %i percent: each is scaled, and the sum is not", judgeLoudness)

    it.effect("of a raw file are cut and repeated to the sample", () => judgeFormat(["aac", ["-c:a", "aac"]]))

    it.effect("of one channel are as loud in both, and two channels stay apart", () =>
      Effect.gen(function* () {
        const two = "aevalsrc=0.25*sin(2*PI*700*t)|0.125*sin(2*PI*1900*t):s=48000:d=4"
        const sound = yield* made("two.wav", "-f", "lavfi", "-i", two)
        const left = yield* heard((yield* overlay(yield* silentVideo, sound)).path)
        assert.approximately(decibels(amplitudeOf(left, 700, 1, 3), 0.25), 0, 0.5)
        assert.isBelow(amplitudeOf(left, 1900, 1, 3), 0.002)
      }).pipe(Effect.scoped)
    )

    it.effect("that are too loud together are limited, and not cut off", () =>
      Effect.gen(function* () {
        const video = yield* made("shout.mp4", ...pictures(4), ...tone(700, 4, 0.9), ...h264, "-c:a", "aac")
        const sound = yield* made("shout.wav", ...tone(1900, 4, 0.9))
        const samples = yield* heard((yield* overlay(video, sound)).path)
        assert.isBelow(
          samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
          1.1
        )
        // What is cut off would sound an octave and more above.
        assert.isBelow(amplitudeOf(samples, 3 * 1900, 1, 3), 0.02)
        // The AAC of 2018 writes so loud a tone a quarter less loud.
        const own = amplitudeOf(yield* heard(video), 700, 1, 3)
        const ratio = amplitudeOf(samples, 700, 1, 3) / amplitudeOf(samples, 1900, 1, 3)
        assert.approximately((ratio * 0.9) / own, 1, 0.06)
      }).pipe(Effect.scoped)
    )
  })

  layer(encoder(), { excludeTestServices: true })("OverlayEncoder: pictures", (it) => {
    it.effect("that are universal are copied, bit by bit and with their times", () =>
      Effect.gen(function* () {
        const video = yield* loudVideo
        const output = yield* overlay(video, yield* sound2)
        const [before, after] = yield* Effect.promise(() => Promise.all([video, output.path].map(picturesIn)))
        assert.deepStrictEqual(after, before)
      }).pipe(Effect.scoped)
    )

    it.effect("of a conversion are copied", () =>
      Effect.gen(function* () {
        const gif = yield* convert(animatedGif([7, 13, 17]), "#12C8F0", { name: "for-overlay" })
        const output = yield* overlay(gif.path, yield* sound6)
        const [before, after] = yield* Effect.promise(() => Promise.all([gif.path, output.path].map(picturesIn)))
        assert.deepStrictEqual(after, before)
        yield* judgeStreams(output.path, gif.plan.duration_ms / 1000)
      }).pipe(Effect.scoped)
    )

    it.effect("of uneven lengths keep their times", () =>
      Effect.gen(function* () {
        const uneven = ["-vf", "setpts=(N+mod(N\\,3))/25/TB", "-video_track_timescale", "90000"]
        const video = yield* made("uneven.mov", ...pictures(4), ...uneven, ...h264)
        const output = yield* overlay(video, yield* sound2)
        const [before, after] = yield* Effect.promise(() => Promise.all([video, output.path].map(picturesIn)))
        assert.deepStrictEqual(after, before)
      }).pipe(Effect.scoped)
    )

    it.effect("that are turned stay turned", () =>
      Effect.gen(function* () {
        const path = yield* silentVideo
        const output = yield* overlay(yield* Effect.promise(() => turned(path)), yield* sound2)
        assert.deepStrictEqual([output.width, output.height], [120, 160])
        assert.match(yield* Effect.promise(() => described(output.path)), /rotation of -?90/)
      }).pipe(Effect.scoped)
    )

    it.effect.each<EncodedPicture>([
      ["VP9 with sound", "vp9.webm", [...pictures(2), ...tone(700, 2), ...vp9], [160, 120]],
      ["odd sides", "odd.mov", [...pictures(2, "101x75"), "-c:v", "libx264", "-pix_fmt", "yuv444p"], [100, 74]]
    ])("that are not universal are encoded: %s", judgeEncoded)

    it.effect("that begin after the sound take their sound along", () =>
      Effect.gen(function* () {
        const shifted = ["-itsoffset", "1", "-i", yield* silentVideo, ...staircase(5)]
        const video = yield* made("late.mp4", ...shifted, "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "aac")
        const quiet = yield* made("quiet.wav", ...tone(4000, 1, 0.001))
        const output = yield* overlay(video, quiet)
        yield* judgeStreams(output.path, 4)
        assert.deepStrictEqual(stepsIn(yield* heard(output.path), 4), [1, 2, 3, 4])
      }).pipe(Effect.scoped)
    )

    it.effect("are as long as before when their sound is longer or shorter", () =>
      Effect.gen(function* () {
        for (const seconds of [2, 7]) {
          const video = yield* made(`own${seconds}.mp4`, ...pictures(4), ...tone(700, seconds), ...h264, "-c:a", "aac")
          yield* judgeStreams((yield* overlay(video, yield* sound2)).path, 4)
        }
      }).pipe(Effect.scoped)
    )
  })

  layer(encoder(), { excludeTestServices: true })("OverlayEncoder: files", (it) => {
    it.effect("keep nothing of what the inputs say about themselves", () =>
      Effect.gen(function* () {
        const tags = [
          "-metadata",
          "title=secret",
          "-metadata",
          "location=+48.2+016.3/",
          "-metadata:s:v",
          "title=secret"
        ]
        const video = yield* made(
          "tagged.mp4",
          "-i",
          yield* loudVideo,
          "-c",
          "copy",
          "-movflags",
          "use_metadata_tags",
          ...tags
        )
        const sound = yield* made("tagged.mp3", ...tone(500, 1), ...tags)
        const output = yield* overlay(video, sound)
        const facts = yield* Effect.promise(() => described(output.path))
        assert.notMatch(facts, /secret|48\.2/)
      }).pipe(Effect.scoped)
    )

    it.effect("grow in one direction only: the progress, and nothing is left at the end", () =>
      Effect.gen(function* () {
        const output = yield* Effect.scoped(overlay(yield* loudVideo, yield* sound2))
        assert.isTrue(output.told.every((fraction) => fraction > 0 && fraction < 1))
        assert.deepStrictEqual(
          output.told,
          output.told.toSorted((a, b) => a - b)
        )
        const left = readdirSync(scratch).flatMap((folder) => readdirSync(join(scratch, folder)))
        assert.deepStrictEqual(left, [])
      })
    )

    it.effect("over the limit are refused", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(overlay(yield* loudVideo, yield* sound2, {}, 1000))
        assert.strictEqual(error.reason, "OutputTooLarge")
      }).pipe(Effect.scoped)
    )
  })

  layer(encoder(), { excludeTestServices: true })("OverlayEncoder: refuses", (it) => {
    const written = (name: string, bytes: string | Uint8Array): string => {
      const path = join(mediaFolder, name)
      writeFileSync(path, bytes)
      return path
    }
    const playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"

    it.effect.each([
      ["a playlist as a sound", "list.mp3", playlist],
      ["a playlist as a recording", "list.wav", playlist],
      ["a list of files", "concat.aac", "ffconcat version 1.0\nfile /etc/hostname\n"],
      ["nothing", "empty.m4a", ""],
      ["noise", "noise.m4a", "ID3 this is no sound at all".repeat(100)],
      ["a sound that is named as another", "wrong.m4a", "RIFF\0\0\0\0WAVEfmt "]
    ] as const)("%s", ([, name, content]) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(overlay(yield* silentVideo, written(name, content)))
        assert.strictEqual(error.reason, "Undecodable")
      }).pipe(Effect.scoped)
    )

    it.effect.each([
      ["a playlist as a video", "list.webm", playlist],
      ["a list of files as a video", "concat.mp4", "ffconcat version 1.0\nfile /etc/hostname\n"],
      ["an empty video", "empty.mp4", ""]
    ] as const)("%s", ([, name, content]) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(overlay(written(name, content), yield* sound2))
        assert.strictEqual(error.reason, "Undecodable")
      }).pipe(Effect.scoped)
    )

    it.effect("a video without a picture, and a sound file without a sound", () =>
      Effect.gen(function* () {
        const sound = yield* made("only.mp4", ...tone(500, 2), "-c:a", "aac")
        const noPicture = yield* Effect.flip(overlay(sound, yield* sound2))
        const noSound = yield* Effect.flip(overlay(yield* loudVideo, yield* silentVideo))
        const image = yield* Effect.flip(overlay({ ...sourceOf(yield* silentVideo), contentType: "image/gif" }, sound))
        assert.deepStrictEqual(
          [noPicture, noSound, image].map(({ reason }) => reason),
          Array(3).fill("Undecodable")
        )
      }).pipe(Effect.scoped)
    )

    it.effect("a start behind the end of the sound", () =>
      Effect.gen(function* () {
        for (const fit of ["trim_to_video", "loop_to_video"] as const) {
          const error = yield* Effect.flip(overlay(yield* silentVideo, yield* sound2, { audioStartMs: 9000, fit }))
          assert.strictEqual(error.reason, "Undecodable")
        }
      }).pipe(Effect.scoped)
    )
  })
}
