import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { nextMediaId } from "../kernel/Ids.ts"
import type { MediaTraits } from "../media/MediaTraits.ts"
import type { BlobStore } from "../media/BlobStore.ts"
import { JobFailed } from "./ConversionErrors.ts"
import type { JobFailure } from "./ConversionJob.ts"
import type { Claim, ConversionStore } from "./ConversionStore.ts"
import { failure } from "./failures.ts"
import type { RenderedVideo } from "./render.ts"

export interface SettlePorts {
  readonly store: ConversionStore["Service"]
  readonly blobs: BlobStore["Service"]
  readonly random: SecureRandom["Service"]
}

/**
 * Settling is idempotent for the same claim, so it is retried for about half a minute while the store is unavailable.
 * After that the lease expires and another worker takes the job.
 */
const whileStoreIsAway = {
  schedule: Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("3 seconds")]).pipe(
    Schedule.upTo({ times: 14 })
  ),
  while: (error: { readonly _tag: string }) => error._tag === "StoreUnavailable"
}

/** Stores the video under a key of job id and lease token, so that two workers of one job never write the same key. */
const storeVideo = Effect.fn("settle.storeVideo")(function* (
  blobs: BlobStore["Service"],
  { job, token }: Claim,
  { video }: RenderedVideo
) {
  const blobKey = `${job.workspaceId}/${job.id}-${token}`
  const { path } = video
  const write =
    path === undefined || Option.isNone(blobs.adopt)
      ? blobs.write(blobKey, video.bytes())
      : blobs.adopt.value(blobKey, path)
  const facts = yield* write.pipe(
    Effect.tapError((error) => Effect.logWarning("a video was not stored", error)),
    Effect.mapError(() => new JobFailed({ failure: failure("output_upload_failed", true) }))
  )
  return { blobKey, ...facts }
})

/** What every video of the profile `universal_mp4_v1` is. */
const universalMp4Traits: MediaTraits = {
  frameRate: Option.some(30),
  frames: Option.none(),
  videoCodec: Option.some("avc1"),
  audioCodec: Option.none()
}

const toMp4Name = (name: string): string => `${name.replace(/\.gif$/i, "")}.mp4`

/** Stores a video and ends its job. After a lost lease the bytes are deleted. */
export const settleSucceeded = Effect.fn("settle.succeeded")(function* (
  { blobs, random, store }: SettlePorts,
  claim: Claim,
  rendered: RenderedVideo
) {
  const stored = yield* storeVideo(blobs, claim, rendered)
  const { plan } = rendered
  const output = {
    id: yield* nextMediaId(random),
    filename: Option.map(
      Option.flatMap(claim.input, ({ filename }) => filename),
      toMp4Name
    ),
    bytes: {
      ...stored,
      width: Option.some(plan.width),
      height: Option.some(plan.height),
      durationMs: Option.some(plan.duration_ms),
      // As `checkVideo` has just seen it.
      traits: Option.some(universalMp4Traits)
    }
  }
  return yield* store.succeed(claim, output, yield* DateTime.now).pipe(
    Effect.retry(whileStoreIsAway),
    Effect.tapError((error) => (error._tag === "LeaseLost" ? Effect.ignore(blobs.remove(stored.blobKey)) : Effect.void))
  )
})

/** Ends a job without a video. */
export const settleFailed = Effect.fn("settle.failed")(function* (
  { store }: SettlePorts,
  claim: Claim,
  reason: JobFailure
) {
  return yield* store.fail(claim, reason, yield* DateTime.now).pipe(Effect.retry(whileStoreIsAway))
})
