import { join } from "node:path"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { EncodeWork } from "@loopbox/core/conversions/GifEncoder"
import type { EncodedVideo } from "@loopbox/core/encoding/EncodedVideo"
import type { EngineMissing } from "@loopbox/core/encoding/Engine"
import type { RenderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { checkVideo } from "@loopbox/core/conversions/mp4/checkVideo"
import { readMp4 } from "@loopbox/core/conversions/mp4/readMp4"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import { findFfmpeg, requireNamed } from "./findFfmpeg.ts"
import type { Ffmpeg, FindFfmpegOptions } from "./findFfmpeg.ts"
import { exitVerdict } from "./internal/exitVerdict.ts"
import type { Step } from "./internal/exitVerdict.ts"
import { runFfmpeg } from "./internal/runFfmpeg.ts"
import type { FfmpegRun } from "./internal/runFfmpeg.ts"
import { leaveScratch, sweepEvery, sweepScratch, workFolder } from "./internal/scratch.ts"
import { readBytes, readHead, writeStream, writeText } from "./internal/workFiles.ts"
import { concatList, files, repeatArguments, unitArguments } from "./universalMp4.ts"

export interface FfmpegEncoderOptions extends FindFfmpegOptions {
  /** Folder for work in progress, best on the disk that keeps the videos: then they are renamed, not copied. */
  readonly scratch: string
}

/** Share of the work that is encoding; the rest is joining and checking. */
const encodingShare = 0.98

/** Runs one step and turns a bad end of it into a failure. */
const runStep = Effect.fnUntraced(function* (step: Step, run: FfmpegRun) {
  const exit = yield* runFfmpeg(run)
  const reason = exitVerdict(step, exit)
  if (reason === undefined) return
  const { code, complaint, pictures, signal } = exit
  const detail = `${step}: code ${code}, signal ${signal}, ${pictures} pictures: ${complaint}`
  return yield* new EncodeFailed({ reason, detail })
})

/** Tells the progress of a step in a fiber of its own, so that a slow listener never slows ffmpeg's output down. */
const withProgress = Effect.fnUntraced(function* <A, E>(
  plan: RenderPlan,
  onProgress: EncodeWork<never>["onProgress"],
  run: (onPictures: (pictures: number) => void) => Effect.Effect<A, E>
) {
  const pictures = yield* Queue.sliding<number>(1)
  let told = 0
  const tell = Effect.gen(function* () {
    const fraction = encodingShare * Math.min(1, (yield* Queue.take(pictures)) / plan.unit.pictures)
    if (fraction <= told) return
    told = fraction
    yield* onProgress(fraction)
  })
  yield* supervised("ffmpeg.progress", tell)
  return yield* run((count) => void Queue.offerUnsafe(pictures, count))
}, Effect.scoped)

/** Judges the video before anyone can see it. */
const check = Effect.fnUntraced(function* (path: string, plan: RenderPlan, maxOutput_bytes: number) {
  const { head, size_bytes } = yield* readHead(path)
  const verdict = readMp4(head).pipe(Result.flatMap((facts) => checkVideo(plan, facts, size_bytes, maxOutput_bytes)))
  if (Result.isSuccess(verdict)) return size_bytes
  const error = verdict.failure
  const isTooLarge = error._tag === "VideoRefused" && error.reason === "TooLarge"
  return yield* new EncodeFailed({ reason: isTooLarge ? "OutputTooLarge" : "Rejected", detail: error.detail })
})

const encodeWith = Effect.fnUntraced(function* <E>(ffmpeg: Ffmpeg, scratch: string, work: EncodeWork<E>) {
  const { maxOutput_bytes, plan } = work
  const folder = yield* workFolder(scratch, work.name)
  yield* writeStream(join(folder, files.gif), work.gif)
  const list = concatList(plan)
  if (list !== undefined) yield* writeText(join(folder, files.list), list)

  const run = { ffmpeg, folder, maxOutput_bytes }
  yield* withProgress(plan, work.onProgress, (onPictures) =>
    runStep("encode", { ...run, args: unitArguments(plan), onPictures })
  )
  if (plan.unit.isRepeated) {
    yield* runStep("repeat", { ...run, args: repeatArguments(plan), onPictures: () => undefined })
  }

  const path = join(folder, plan.unit.isRepeated ? files.video : files.unit)
  const size_bytes = yield* check(path, plan, maxOutput_bytes)
  const video: EncodedVideo = { size_bytes, path, bytes: (range) => readBytes(path, range) }
  return video
})

/**
 * `GifEncoder` over ffmpeg.
 *
 * Fails to build only when `ffmpeg` (LOOPBOX_FFMPEG) names no program. Without any ffmpeg it builds: works then fail with
 * `MachineFailed`, and `health` says what to install.
 */
export const layer = (options: FfmpegEncoderOptions): Layer.Layer<GifEncoder, EngineMissing> =>
  Layer.effect(
    GifEncoder,
    Effect.gen(function* () {
      yield* requireNamed(options)
      const logged = findFfmpeg(options).pipe(
        Effect.tap((found) => Effect.logInfo(`ffmpeg ${found.version} from ${found.source}: ${found.path}`)),
        Effect.tap((found) => Effect.forEach(found.warnings, (warning) => Effect.logWarning(warning)))
      )
      const [engine] = yield* Effect.cachedInvalidateWithTTL(logged, (exit) =>
        Exit.isSuccess(exit) ? Duration.infinity : Duration.zero
      )
      yield* Effect.addFinalizer(() => leaveScratch(options.scratch))
      yield* supervised("ffmpeg.scratch", sweepScratch(options.scratch), { every: sweepEvery })
      return GifEncoder.of({
        encode: Effect.fn("FfmpegEncoder.encode")(function* (work) {
          const ffmpeg = yield* engine.pipe(
            Effect.mapError(({ detail }) => new EncodeFailed({ reason: "MachineFailed", detail }))
          )
          return yield* encodeWith(ffmpeg, options.scratch, work)
        }),
        health: Effect.map(engine, ({ path, source, version, warnings }) => ({ path, source, version, warnings }))
      })
    })
  )
