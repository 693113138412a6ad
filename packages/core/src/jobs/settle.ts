import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { nextMediaId } from "../kernel/Ids.ts"
import type { BlobStore } from "../media/BlobStore.ts"
import { JobFailed } from "./JobErrors.ts"
import type { JobKind } from "./JobKind.ts"
import type { Claim, JobStore } from "./JobStore.ts"
import type { JobFailure } from "./MediaJob.ts"
import type { RenderedVideo } from "./RenderedVideo.ts"

export interface SettlePorts<Task, Code extends string> {
  readonly kind: JobKind<Task, Code>
  readonly store: JobStore<Task, Code>
  readonly blobs: BlobStore["Service"]
  readonly random: SecureRandom["Service"]
  /** Runs once the work is done and only the database is to be told: the next job need not wait for that. */
  readonly isMade: Effect.Effect<void>
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
const storeVideo = Effect.fn("settle.storeVideo")(function* <Task, Code extends string>(
  { blobs, kind }: SettlePorts<Task, Code>,
  { job, token }: Claim<Task>,
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
    Effect.mapError(() => new JobFailed({ failure: kind.failures.notStored }))
  )
  return { blobKey, ...facts }
})

/** Stores a video and ends its job. After a lost lease the bytes are deleted. */
export const settleSucceeded = Effect.fn("settle.succeeded")(function* <Task, Code extends string>(
  ports: SettlePorts<Task, Code>,
  claim: Claim<Task>,
  rendered: RenderedVideo
) {
  const { blobs, random, store } = ports
  const stored = yield* storeVideo(ports, claim, rendered)
  yield* ports.isMade
  const output = {
    id: yield* nextMediaId(random),
    filename: rendered.filename,
    bytes: {
      ...stored,
      width: Option.some(rendered.width),
      height: Option.some(rendered.height),
      durationMs: Option.some(rendered.durationMs),
      traits: Option.some(rendered.traits)
    }
  }
  return yield* store.succeed(claim, output, yield* DateTime.now).pipe(
    Effect.retry(whileStoreIsAway),
    Effect.tapError((error) => (error._tag === "LeaseLost" ? Effect.ignore(blobs.remove(stored.blobKey)) : Effect.void))
  )
})

/** Ends a job without a video. */
export const settleFailed = Effect.fn("settle.failed")(function* <Task, Code extends string>(
  { isMade, store }: SettlePorts<Task, Code>,
  claim: Claim<Task>,
  reason: JobFailure<Code>
) {
  yield* isMade
  return yield* store.fail(claim, reason, yield* DateTime.now).pipe(Effect.retry(whileStoreIsAway))
})
