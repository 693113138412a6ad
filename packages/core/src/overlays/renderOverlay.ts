import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { JobFailed } from "../jobs/JobErrors.ts"
import type { JobFailure } from "../jobs/MediaJob.ts"
import type { RenderedVideo } from "../jobs/RenderedVideo.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { EncodeFailed } from "../encoding/EncodeFailed.ts"
import type { BlobStore } from "../media/BlobStore.ts"
import type { ReadyMedia } from "../media/Media.ts"
import type { MediaTraits } from "../media/MediaTraits.ts"
import { readStored } from "../media/readStored.ts"
import type { OverlayEncoder } from "./OverlayEncoder.ts"
import { overlayFailures } from "./overlayFailures.ts"
import type { OverlayFailureCode } from "./OverlayJob.ts"
import type { OverlayClaim } from "./OverlayStore.ts"

export interface OverlayPorts {
  readonly blobs: BlobStore["Service"]
  readonly encoder: OverlayEncoder["Service"]
  readonly maxOutputBytes: number
}

type OverlayFailed = JobFailed<OverlayFailureCode>

const failed = (failure: JobFailure<OverlayFailureCode>): Effect.Effect<never, OverlayFailed> =>
  Effect.fail(new JobFailed({ failure }))

const failureOfReason: Record<EncodeFailed["reason"], JobFailure<OverlayFailureCode>> = {
  Undecodable: overlayFailures.rejected,
  OutputTooLarge: overlayFailures.tooLarge,
  Rejected: overlayFailures.rejected,
  MachineFailed: overlayFailures.machine
}

/** What an overlaid video is. A picture that is encoded again has 30 frames a second; a copied one has its own. */
const overlaidTraits = ({ traits }: ReadyMedia): MediaTraits => ({
  frameRate: Option.flatMap(traits, ({ frameRate }) => Option.filter(frameRate, (rate) => rate === 30)),
  frames: Option.none(),
  videoCodec: Option.some("avc1"),
  audioCodec: Option.some("mp4a")
})

/** The name of the video, for what is made of it is a new version of it. */
const toMp4Name = (name: string): string => `${name.replace(/\.[a-z0-9]{2,4}$/i, "")}.mp4`

const storeFailed = (error: StoreUnavailable) =>
  Effect.andThen(Effect.logWarning("the blob store failed under an overlay", error), failed(overlayFailures.machine))

/** A video that grew too large shows that the encoder works. */
const encoderFailed = (error: EncodeFailed) =>
  Effect.andThen(
    Effect.logWarning(`the encoder failed: ${error.detail}`, error),
    Effect.fail(
      new JobFailed({ failure: failureOfReason[error.reason], suspectsEncoder: error.reason !== "OutputTooLarge" })
    )
  )

/** Lays the sound of a claimed job over its video. The video exists until the scope closes. */
export const renderOverlay = Effect.fn("renderOverlay")(function* (
  { blobs, encoder, maxOutputBytes }: OverlayPorts,
  { inputs, job, token }: OverlayClaim,
  onProgress: (fraction: number) => Effect.Effect<void>
): Effect.fn.Return<RenderedVideo, OverlayFailed, Scope.Scope> {
  const { audioMediaId, settings, videoMediaId } = job.task
  const [video, audio] = [inputs.get(videoMediaId), inputs.get(audioMediaId)]
  if (video === undefined || audio === undefined) return yield* failed(overlayFailures.inputGone)
  const made = yield* encoder
    .encode({
      name: `${job.id}-${token}`,
      settings,
      video: { contentType: video.contentType, bytes: readStored(blobs, video) },
      audio: { contentType: audio.contentType, bytes: readStored(blobs, audio) },
      onProgress,
      maxOutput_bytes: maxOutputBytes
    })
    .pipe(
      Effect.catchTags({
        EncodeFailed: encoderFailed,
        BlobMissing: () => failed(overlayFailures.inputGone),
        StoreUnavailable: storeFailed
      })
    )
  return {
    video: made,
    filename: Option.map(video.filename, toMp4Name),
    width: made.width,
    height: made.height,
    durationMs: made.duration_ms,
    traits: overlaidTraits(video)
  }
})
