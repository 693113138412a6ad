import { canonicalPieces, makeCanonicalWriter } from "@loopbox/core/conversions/gif/canonicalGif"
import type { EncodeWork } from "@loopbox/core/conversions/GifEncoder"
import { renderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { EngineBroken } from "@loopbox/core/encoding/Engine"
import { scanGif } from "@loopbox/core/media/gif/scanGif"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Ffmpeg } from "../findFfmpeg.ts"
import { convertGif } from "./convertGif.ts"

/** One white pixel: five seconds of video, in less than a second. */
const onePixel = "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs="
const background = "#FFFFFF"

/** Longer than a busy machine takes, and short beside the five minutes of a job. */
const patience = Duration.seconds(20)

let tried = 0

/** The input for one trial; each has a folder of its own, for two may go on at once. */
const smallWork = Effect.gen(function* () {
  const gif = Buffer.from(onePixel, "base64")
  const facts = yield* Effect.fromResult(scanGif(gif))
  const writer = makeCanonicalWriter(canonicalPieces(facts, background))
  tried += 1
  const work: EncodeWork<never> = {
    name: `trial-${tried}`,
    plan: renderPlan(facts, background),
    gif: Stream.make(writer.push(gif)),
    onProgress: () => Effect.void,
    maxOutput_bytes: 1_000_000
  }
  return work
})

/** Converts a small GIF with this ffmpeg, and checks the video as one of a customer is checked. */
export const convertSmallGif = Effect.fn("FfmpegEncoder.probe")(function* (ffmpeg: Ffmpeg, scratch: string) {
  const broken = (why: string) =>
    new EngineBroken({ detail: `${ffmpeg.path} cannot convert even the smallest GIF: ${why}` })
  yield* Effect.orDie(smallWork).pipe(
    Effect.flatMap((work) => convertGif(ffmpeg, scratch, work)),
    Effect.scoped,
    Effect.mapError(({ detail }) => broken(detail.trim())),
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(broken(`it had not ended after ${Duration.format(patience)}`))
    })
  )
})
