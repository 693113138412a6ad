import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { exitVerdict } from "./exitVerdict.ts"
import type { Step } from "./exitVerdict.ts"
import { runFfmpeg } from "./runFfmpeg.ts"
import type { FfmpegRun } from "./runFfmpeg.ts"

/** Runs one step and turns a bad end of it into a failure. */
export const runStep = Effect.fnUntraced(function* (step: Step, run: FfmpegRun) {
  const exit = yield* runFfmpeg(run)
  const reason = exitVerdict(step, exit)
  if (reason === undefined) return
  const { code, complaint, pictures, signal } = exit
  const detail = `${step}: code ${code}, signal ${signal}, ${pictures} pictures: ${complaint}`
  return yield* new EncodeFailed({ reason, detail })
})

/**
 * Tells the progress of a step in a fiber of its own, so that a slow listener never slows ffmpeg's output down.
 *
 * @param onProgress gets growing fractions of 1
 * @param run gets a function that takes the fraction that is done
 */
export const withProgress = Effect.fnUntraced(function* <A, E>(
  onProgress: (fraction: number) => Effect.Effect<void>,
  run: (tell: (fraction: number) => void) => Effect.Effect<A, E>
) {
  const fractions = yield* Queue.sliding<number>(1)
  let told = 0
  const tell = Effect.gen(function* () {
    const fraction = Math.min(1, yield* Queue.take(fractions))
    if (fraction <= told) return
    told = fraction
    yield* onProgress(fraction)
  })
  yield* supervised("ffmpeg.progress", tell)
  return yield* run((fraction) => void Queue.offerUnsafe(fractions, fraction))
}, Effect.scoped)
