import { join } from "node:path"
import type { EncodeWork } from "@loopbox/core/conversions/GifEncoder"
import type { RenderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { checkVideo } from "@loopbox/core/conversions/mp4/checkVideo"
import { mp4HeadLength_bytes, readMp4 } from "@loopbox/core/conversions/mp4/readMp4"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { EncodedVideo } from "@loopbox/core/encoding/EncodedVideo"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Ffmpeg } from "../findFfmpeg.ts"
import { concatList, files, repeatArguments, unitArguments } from "../universalMp4.ts"
import { runStep, withProgress } from "./runStep.ts"
import { workFolder } from "./scratch.ts"
import { lengthOf, readBytes, readPart, writeStream, writeText } from "./workFiles.ts"

/** Share of the work that is encoding; the rest is joining and checking. */
const encodingShare = 0.98

/** Judges the video before anyone can see it. */
const check = Effect.fnUntraced(function* (path: string, plan: RenderPlan, maxOutput_bytes: number) {
  const size_bytes = yield* lengthOf(path)
  const head = yield* readPart(path, { offset: 0, length: mp4HeadLength_bytes })
  const verdict = readMp4(head).pipe(Result.flatMap((facts) => checkVideo(plan, facts, size_bytes, maxOutput_bytes)))
  if (Result.isSuccess(verdict)) return size_bytes
  const error = verdict.failure
  const isTooLarge = error._tag === "VideoRefused" && error.reason === "TooLarge"
  return yield* new EncodeFailed({ reason: isTooLarge ? "OutputTooLarge" : "Rejected", detail: error.detail })
})

/** Makes the video of a canonical GIF in a folder of its own. */
export const convertGif = Effect.fnUntraced(function* <E>(ffmpeg: Ffmpeg, scratch: string, work: EncodeWork<E>) {
  const { maxOutput_bytes, plan } = work
  const folder = yield* workFolder(scratch, work.name)
  yield* writeStream(join(folder, files.gif), work.gif)
  const list = concatList(plan)
  if (list !== undefined) yield* writeText(join(folder, files.list), list)

  const run = { ffmpeg, folder, maxOutput_bytes }
  yield* withProgress(
    (fraction) => work.onProgress(encodingShare * fraction),
    (tell) =>
      runStep("encode", {
        ...run,
        args: unitArguments(plan),
        onProgress: (progress) => tell(progress.pictures() / plan.unit.pictures)
      })
  )
  if (plan.unit.isRepeated) {
    yield* runStep("repeat", { ...run, args: repeatArguments(plan), onProgress: () => undefined })
  }

  const path = join(folder, plan.unit.isRepeated ? files.video : files.unit)
  const size_bytes = yield* check(path, plan, maxOutput_bytes)
  const video: EncodedVideo = { size_bytes, path, bytes: (range) => readBytes(path, range) }
  return video
})
