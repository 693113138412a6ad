import { assert } from "@effect/vitest"
import { Effect } from "effect"
import {
  amplitudeOf,
  decibels,
  described,
  h264,
  lengthsOf,
  media,
  overlay,
  pictures,
  samplesOf,
  staircase,
  stepAt,
  tone
} from "./overlays.ts"

/** What the tests of the overlay judge, each for the cases of a quick and of a slow file. */

export const made = (name: string, ...args: ReadonlyArray<string>) => Effect.promise(() => media(name, ...args))

/** Four seconds with pictures that look ahead, and a tone of 700 Hz. */
export const loudVideo = made("loud.mp4", ...pictures(4), ...tone(700, 4), ...h264, "-bf", "2", "-c:a", "aac")
export const silentVideo = made("silent.mp4", ...pictures(4), ...h264)
export const sound2 = made("sound2.wav", ...staircase(2))
export const sound6 = made("sound6.mp3", ...staircase(6))

export const heard = (path: string) => Effect.promise(() => samplesOf(path))

/** The steps of the staircase in the middle of each second; undefined where it is quiet. */
export const stepsIn = (samples: Float32Array, seconds: number) =>
  Array.from({ length: seconds }, (_, second) => stepAt(samples, second + 0.52, 6))

/** Streams and lengths of every overlay. Returns what ffmpeg says of the file. */
export const judgeStreams = Effect.fnUntraced(function* (path: string, seconds: number) {
  const facts = yield* Effect.promise(() => described(path))
  assert.match(facts, /Stream #0:0.*Video: h264.*yuv420p/)
  assert.match(facts, /Stream #0:1.*Audio: aac.*48000 Hz, stereo/)
  assert.notMatch(facts, /Stream #0:2/)
  const [picture = 0, sound = 0] = yield* Effect.promise(() => lengthsOf(path))
  assert.approximately(picture, seconds, 0.15)
  assert.approximately(sound, picture, 0.15)
  return facts
})

export interface ShorterSound {
  readonly mode: "mix" | "replace"
  readonly fit: "trim_to_video" | "loop_to_video"
  readonly silent: boolean
  readonly start: number
  readonly steps: ReadonlyArray<number | undefined>
}

/** A sound of two seconds over a video of four. */
export const judgeShorter = Effect.fnUntraced(function* ({ fit, mode, silent, start, steps }: ShorterSound) {
  const output = yield* overlay(yield* silent ? silentVideo : loudVideo, yield* sound2, {
    mode,
    fit,
    audioStartMs: start
  })
  yield* judgeStreams(output.path, 4)
  const samples = yield* heard(output.path)
  assert.deepStrictEqual(stepsIn(samples, 4), steps)
  const own = amplitudeOf(samples, 700, 1, 3)
  if (mode === "mix" && !silent) assert.approximately(decibels(own, 0.25), 0, 0.5)
  else assert.isBelow(own, 0.002)
}, Effect.scoped)

export type LongerSound = readonly [
  fit: "trim_to_video" | "loop_to_video",
  start: number,
  steps: ReadonlyArray<number | undefined>
]

/** A sound of six seconds over a video of four. */
export const judgeLonger = Effect.fnUntraced(function* ([fit, start, steps]: LongerSound) {
  const output = yield* overlay(yield* silentVideo, yield* sound6, { fit, audioStartMs: start })
  yield* judgeStreams(output.path, 4)
  assert.deepStrictEqual(stepsIn(yield* heard(output.path), 4), steps)
}, Effect.scoped)

/** Percent of the own and of the laid sound, and what of them is heard, in decibels. */
export type Loudness = readonly [own: number, laid: number, ownDb: number | undefined, laidDb: number | undefined]

export const judgeLoudness = Effect.fnUntraced(function* ([videoVolume, audioVolume, ownDb, laidDb]: Loudness) {
  const sound = yield* made("tone4.m4a", ...tone(1900, 4), "-c:a", "aac", "-b:a", "192k")
  const output = yield* overlay(yield* loudVideo, sound, { videoVolume, audioVolume })
  const samples = yield* heard(output.path)
  for (const [frequency, wanted] of [
    [700, ownDb],
    [1900, laidDb]
  ] as const) {
    const amplitude = amplitudeOf(samples, frequency, 1, 3)
    if (wanted === undefined) assert.isBelow(amplitude, 0.002)
    else assert.approximately(decibels(amplitude, 0.25), wanted, 0.5)
  }
}, Effect.scoped)

/** A click at two seconds of three, in a format, from 1.5 s on in a loop. */
export const judgeFormat = Effect.fnUntraced(function* ([ending, args]: readonly [string, ReadonlyArray<string>]) {
  const click = "aevalsrc=if(between(t\\,2\\,2.02)\\,0.8*sin(2*PI*2000*t)\\,0):s=44100:d=3"
  const sound = yield* made(`click.${ending}`, "-f", "lavfi", "-i", click, ...args)
  const output = yield* overlay(yield* silentVideo, sound, { audioStartMs: 1500, fit: "loop_to_video" })
  const samples = yield* heard(output.path)
  const loud = Array.from(samples.keys()).filter((index) => Math.abs(samples[index] ?? 0) > 0.3)
  const first = (loud[0] ?? 0) / 48_000
  const second = (loud.find((index) => index / 48_000 > first + 0.5) ?? 0) / 48_000
  // An encoder of the sound, and that of the source, may each be late by its first frame.
  assert.approximately(first, 0.5, 0.06)
  // One second to the end of the file, and two from its beginning; a raw file lasts some frames longer.
  assert.approximately(second - first, 3, 0.08)
}, Effect.scoped)

export type EncodedPicture = readonly [
  name: string,
  file: string,
  args: ReadonlyArray<string>,
  size: readonly [width: number, height: number]
]

/** Two seconds of a video that is not universal. */
export const judgeEncoded = Effect.fnUntraced(function* ([, file, args, size]: EncodedPicture) {
  const output = yield* overlay(yield* made(file, ...args), yield* sound6)
  const facts = yield* judgeStreams(output.path, 2)
  assert.match(facts, /30 fps/)
  assert.deepStrictEqual([output.width, output.height], [...size])
  assert.deepStrictEqual(stepsIn(yield* heard(output.path), 2), [0, 1])
}, Effect.scoped)
