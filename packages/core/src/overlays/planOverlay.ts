import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { overlayLimits } from "./OverlayLimits.ts"
import type { OverlaySettings } from "./OverlaySettings.ts"

/** What the plan needs to know about a video. */
export interface VideoFacts {
  /** Length of the picture track; the sound of the file may be shorter or longer. */
  readonly picture_ms: number
  /** How long after the beginning of the file the first picture is shown. */
  readonly pictureStart_ms: number
  /** Whether the networks take the picture as it is, so that it is copied. */
  readonly isUniversal: boolean
  readonly hasSound: boolean
}

/** How an overlay is made: integers and shares only, no names of files. */
export interface OverlayPlan {
  readonly picture: "copy" | "encode"
  readonly picture_ms: number
  /** Pictures of the video if it is encoded, 30 a second. */
  readonly pictures: number
  /** Length of the sound in samples: as long as the picture. */
  readonly samples: number
  /** The video's own sound; undefined if there is none or it is not heard. */
  readonly own: { readonly volume: number; readonly skip_samples: number } | undefined
  /** The laid sound. It begins at `start_ms` of its file; `isLooped`: the file follows from its beginning. */
  readonly laid: { readonly volume: number; readonly start_ms: number; readonly isLooped: boolean }
}

/** Samples of the sound a second, as all networks take it. */
export const samplesPerSecond = 48_000

const picturesPerSecond = 30

/** A container rounds its times; a video of exactly ten minutes may say a little more. */
const tolerance_ms = 150

/** The video cannot be used, whatever is laid over it. */
export class OverlayRefused extends Schema.TaggedError<OverlayRefused>()("OverlayRefused", {
  reason: Schema.Literals(["NoPicture", "TooLong"]),
  /** For logs. */
  detail: Schema.String
}) {}

const samplesIn = (time_ms: number): number => Math.round((time_ms * samplesPerSecond) / 1000)

/** Plans an overlay: no effect. Each sound is scaled by its volume; the sum of both is not scaled again (A64). */
export const planOverlay = (
  facts: VideoFacts,
  settings: OverlaySettings
): Result.Result<OverlayPlan, OverlayRefused> => {
  const { picture_ms } = facts
  if (!(picture_ms > 0)) {
    return Result.fail(new OverlayRefused({ reason: "NoPicture", detail: `a picture of ${picture_ms} ms` }))
  }
  if (picture_ms > overlayLimits.video_ms + tolerance_ms) {
    return Result.fail(new OverlayRefused({ reason: "TooLong", detail: `a picture of ${picture_ms} ms` }))
  }
  const isHeard = settings.mode === "mix" && facts.hasSound && settings.videoVolume > 0
  return Result.succeed({
    picture: facts.isUniversal ? "copy" : "encode",
    picture_ms,
    pictures: Math.max(1, Math.round((picture_ms * picturesPerSecond) / 1000)),
    samples: Math.max(1, samplesIn(picture_ms)),
    own: isHeard ? { volume: settings.videoVolume / 100, skip_samples: samplesIn(facts.pictureStart_ms) } : undefined,
    laid: {
      volume: settings.audioVolume / 100,
      start_ms: settings.audioStartMs,
      isLooped: settings.fit === "loop_to_video"
    }
  })
}
