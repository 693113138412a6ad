import { join } from "node:path"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { ContentType } from "@loopbox/core/media/ContentType"
import { boxesIn } from "@loopbox/core/media/mp4/boxes"
import { findMovie } from "@loopbox/core/media/mp4/findMovie"
import { readMovie } from "@loopbox/core/media/mp4/readMovie"
import { checkOverlay } from "@loopbox/core/overlays/checkOverlay"
import type { OverlaidVideo, OverlayWork } from "@loopbox/core/overlays/OverlayEncoder"
import { planOverlay } from "@loopbox/core/overlays/planOverlay"
import type { OverlayPlan } from "@loopbox/core/overlays/planOverlay"
import { readTracks } from "@loopbox/core/overlays/readTracks"
import { videoFacts } from "@loopbox/core/overlays/videoFacts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Ffmpeg } from "../findFfmpeg.ts"
import {
  overlayArguments,
  overlayFiles,
  packetArguments,
  repeatedFile,
  sample_bytes,
  soundArguments
} from "../overlayMp4.ts"
import { packetTimes } from "./packetTimes.ts"
import { repeatSamples } from "./repeatSamples.ts"
import { runStep, withProgress } from "./runStep.ts"
import { workFolder } from "./scratch.ts"
import { lengthOf, readBytes, readPart, writeStream } from "./workFiles.ts"

/** The work of one call, in its folder. */
interface Place {
  readonly ffmpeg: Ffmpeg
  readonly folder: string
}

/** Shares of the progress: decoding the sound is quick, checking comes last. */
const soundShare = 0.1
const videoShare = 0.98

/** Longest list of packets that is read: some hundred bytes for each picture of ten minutes at 120 a second. */
const maxList_bytes = 8_388_608

const silently = () => undefined

const movieOf = Effect.fnUntraced(function* (path: string) {
  const size_bytes = yield* lengthOf(path)
  return yield* findMovie(size_bytes, (range) => readPart(path, range))
})

/** The facts of the video out of its index, or where that does not tell them, out of a list of its packets. */
const readVideo = Effect.fnUntraced(function* ({ ffmpeg, folder }: Place, contentType: ContentType) {
  if (contentType === "video/mp4" || contentType === "video/quicktime") {
    const facts = (yield* movieOf(join(folder, overlayFiles.video))).pipe(
      Option.flatMap((movie) => videoFacts(readTracks(movie)))
    )
    if (Option.isSome(facts)) return facts.value
  }
  const args = packetArguments(contentType)
  yield* runStep("read", { ffmpeg, folder, args, maxOutput_bytes: maxList_bytes, onProgress: silently }).pipe(
    // So many packets are no video; the list is not the output.
    Effect.mapError((error) =>
      error.reason === "OutputTooLarge" ? new EncodeFailed({ reason: "Rejected", detail: error.detail }) : error
    )
  )
  const list = join(folder, overlayFiles.packets)
  const bytes = yield* readPart(list, { offset: 0, length: yield* lengthOf(list) })
  return packetTimes(Buffer.from(bytes).toString("latin1"))
})

/** Decodes the laid sound, and repeats it if it is looped and shorter than the picture. */
const prepareSound = Effect.fnUntraced(function* (place: Place, plan: OverlayPlan, audio: ContentType) {
  const { folder } = place
  const length_bytes = plan.samples * sample_bytes
  const run = { ...place, maxOutput_bytes: 4 * length_bytes, args: soundArguments(plan, audio) }
  yield* runStep("read", { ...run, onProgress: silently })
  const laid = join(folder, overlayFiles.laid)
  if ((yield* lengthOf(laid)) === 0) {
    return yield* new EncodeFailed({ reason: "Undecodable", detail: "no sample of the sound could be decoded" })
  }
  const repeated = repeatedFile(plan)
  if (repeated !== undefined) yield* repeatSamples(laid, join(folder, repeated), length_bytes)
})

const rejected = (detail: string) => new EncodeFailed({ reason: "Rejected", detail })

/** Judges the video before anyone can see it, and tells its facts. */
const check = Effect.fnUntraced(function* (path: string, plan: OverlayPlan, maxOutput_bytes: number) {
  const size_bytes = yield* lengthOf(path)
  if (size_bytes > maxOutput_bytes) {
    return yield* new EncodeFailed({ reason: "OutputTooLarge", detail: `${size_bytes} > ${maxOutput_bytes} bytes` })
  }
  const movie = yield* movieOf(path)
  if (Option.isNone(movie)) return yield* rejected("no index")
  const head = yield* readPart(path, { offset: 0, length: 64 })
  const top = boxesIn(new DataView(head.buffer, head.byteOffset, head.byteLength), 0, size_bytes)
  const isFastStart = top.some(({ type }) => type === "moov") && !top.some(({ type }) => type === "mdat")
  const broken = checkOverlay(plan, readTracks(movie.value), isFastStart)
  const { durationMs, height, width } = readMovie(movie.value)
  if (broken.length > 0) return yield* rejected(`not kept: ${broken.join(", ")}`)
  if (width === undefined || height === undefined || durationMs === undefined) return yield* rejected("no size")
  return { size_bytes, width, height, duration_ms: durationMs }
})

/** Lays a sound over a video in a folder of its own. */
export const layOver = Effect.fnUntraced(function* <E>(ffmpeg: Ffmpeg, scratch: string, work: OverlayWork<E>) {
  const { maxOutput_bytes } = work
  const folder = yield* workFolder(scratch, work.name)
  yield* writeStream(join(folder, overlayFiles.video), work.video.bytes)
  yield* writeStream(join(folder, overlayFiles.audio), work.audio.bytes)

  const place = { ffmpeg, folder }
  const facts = yield* readVideo(place, work.video.contentType)
  const plan = yield* Effect.fromResult(planOverlay(facts, work.settings)).pipe(
    Effect.mapError(({ detail, reason }) =>
      reason === "NoPicture" ? new EncodeFailed({ reason: "Undecodable", detail }) : rejected(detail)
    )
  )
  yield* prepareSound(place, plan, work.audio.contentType)
  yield* work.onProgress(soundShare)
  yield* withProgress(
    (fraction) => work.onProgress(soundShare + (videoShare - soundShare) * fraction),
    (tell) =>
      runStep(plan.picture, {
        ...place,
        args: overlayArguments(plan, work.video.contentType),
        maxOutput_bytes,
        onProgress: (progress) => tell(progress.time_ms() / plan.picture_ms)
      })
  )

  const path = join(folder, overlayFiles.output)
  const video: OverlaidVideo = {
    ...(yield* check(path, plan, maxOutput_bytes)),
    path,
    bytes: (range) => readBytes(path, range)
  }
  return video
})
