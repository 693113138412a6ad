import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { ApiKey } from "../access/ApiKey.ts"
import type { ApiKeys } from "../access/ApiKeys.ts"
import type { Members } from "../access/Members.ts"
import { BackgroundColor } from "../conversions/ConversionJob.ts"
import { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { ConversionSignals } from "../conversions/ConversionSignals.ts"
import {
  type Claim,
  type ConversionOutput,
  ConversionStore,
  type NewConversion,
  type SubmitFacts
} from "../conversions/ConversionStore.ts"
import {
  type MediaId,
  nextApiKeyId,
  nextConversionJobId,
  nextMediaId,
  nextWorkspaceId,
  type WorkspaceId
} from "../kernel/Ids.ts"
import { PendingMedia, ReadyMedia } from "../media/Media.ts"
import { MediaStore } from "../media/MediaStore.ts"
import type { Plan } from "../plans/Plan.ts"
import { Workspace } from "../plans/Workspace.ts"
import { Workspaces } from "../plans/Workspaces.ts"
import { admit } from "../quota/Admission.ts"
import { limitsOf } from "../quota/Limits.ts"
import type { RetentionStore } from "../retention/RetentionStore.ts"

/** Every store port of one world: what the contract suites are run on. */
export type StorePorts =
  | Workspaces
  | Members
  | ApiKeys
  | MediaStore
  | ConversionStore
  | RetentionStore
  | ConversionSignals

/** The adapters under test and what the suites need besides. */
export const storeWorld = <E>(stores: Layer.Layer<StorePorts, E>) => Layer.merge(stores, SecureRandom.layerWebCrypto)

let tests = 0

/**
 * The time at which a test plays, earlier than that of every test before: what those have left lies in its future, so
 * the queues that span all workspaces (claim, sweep) show a test its own jobs first.
 */
export const epoch = Effect.sync(() =>
  DateTime.subtract(DateTime.makeUnsafe("2026-01-01T00:00:00.000Z"), { days: 200 * tests++ })
)

export const noOverrides = { activeJobs: Option.none<number>(), conversionsPer24Hours: Option.none<number>() }

/** A stored workspace of its own for a test. */
export const makeWorkspace = Effect.fnUntraced(function* (
  plan: Plan,
  createdAt: DateTime.Utc,
  limits: Workspace["limits"] = noOverrides
) {
  const random = yield* SecureRandom.SecureRandom
  const workspace = new Workspace({ id: yield* nextWorkspaceId(random), name: "Test", plan, limits, createdAt })
  yield* (yield* Workspaces).insert(workspace)
  return workspace
})

/** A key that is not stored yet. */
export const apiKey = Effect.fnUntraced(function* (
  workspaceId: WorkspaceId,
  createdAt: DateTime.Utc,
  creator?: string
) {
  return new ApiKey({
    id: yield* nextApiKeyId(yield* SecureRandom.SecureRandom),
    workspaceId,
    name: "key",
    creatorUserId: Option.fromUndefinedOr(creator),
    secretHash: "cd".repeat(32),
    createdAt,
    expiresAt: Option.some(DateTime.add(createdAt, { days: 1 })),
    lastUsedAt: Option.none()
  })
})

/** The record of a GIF that was uploaded, not stored yet. */
export const gif = Effect.fnUntraced(function* (workspaceId: WorkspaceId, createdAt: DateTime.Utc) {
  const id = yield* nextMediaId(yield* SecureRandom.SecureRandom)
  return new ReadyMedia({
    id,
    workspaceId,
    filename: Option.some("cat.gif"),
    contentType: "image/gif",
    createdAt,
    keepUntil: DateTime.add(createdAt, { days: 1 }),
    source: "upload",
    jobId: Option.none(),
    ...bytes(`${workspaceId}/${id}`)
  })
})

/** A stored GIF. */
export const makeGif = Effect.fnUntraced(function* (workspaceId: WorkspaceId, createdAt: DateTime.Utc) {
  const media = yield* gif(workspaceId, createdAt)
  yield* (yield* MediaStore).insert(media)
  return media
})

/** A stored reservation. */
export const makePending = Effect.fnUntraced(function* (workspaceId: WorkspaceId, createdAt: DateTime.Utc) {
  const media = new PendingMedia({
    id: yield* nextMediaId(yield* SecureRandom.SecureRandom),
    workspaceId,
    filename: Option.none(),
    contentType: "image/gif",
    createdAt,
    keepUntil: DateTime.add(createdAt, { days: 7 }),
    declaredSize: Option.some(1_000)
  })
  yield* (yield* MediaStore).insert(media)
  return media
})

export const bytes = (blobKey: string) => ({
  blobKey,
  sizeBytes: 5_000_000_000,
  sha256: "ab".repeat(32),
  width: Option.some(320),
  height: Option.some(200),
  durationMs: Option.none<number>()
})

/** A conversion that can be submitted; its lease clock shows its creation. */
export const conversion = Effect.fnUntraced(function* (
  media: Pick<ReadyMedia, "id" | "workspaceId">,
  createdAt: DateTime.Utc,
  key?: string
) {
  const made: NewConversion = {
    id: yield* nextConversionJobId(yield* SecureRandom.SecureRandom),
    workspaceId: media.workspaceId,
    gifMediaId: media.id,
    backgroundColor: BackgroundColor.make("#FFFFFF"),
    idempotencyKey: key === undefined ? Option.none() : Option.some(IdempotencyKey.make(key)),
    createdAt,
    claimableAt: createdAt
  }
  return made
})

/** Admits everything. */
export const always = () => Result.succeed(undefined)

/** Core's own rule of admission. */
export const byLimits = (now: DateTime.Utc) => (facts: SubmitFacts) =>
  admit(limitsOf(facts.workspace), facts.admission, now)

/** A queued job on a GIF of its own. */
export const makeQueued = Effect.fnUntraced(function* (workspaceId: WorkspaceId, createdAt: DateTime.Utc) {
  const media = yield* makeGif(workspaceId, createdAt)
  return yield* (yield* ConversionStore).submit(yield* conversion(media, createdAt), always)
})

/** One claim with a lease of 15 seconds. */
export const claimAt = Effect.fnUntraced(function* (now: DateTime.Utc, maxAttempts = 3) {
  const random = yield* SecureRandom.SecureRandom
  const store = yield* ConversionStore
  return yield* store.claim({
    token: yield* random.uuidV7(),
    now,
    leaseNow: now,
    leaseUntil: DateTime.add(now, { seconds: 15 }),
    maxAttempts
  })
})

/** A claim that must succeed. */
export const claimed = Effect.fnUntraced(function* (now: DateTime.Utc, maxAttempts = 3) {
  const outcome = yield* claimAt(now, maxAttempts)
  if (outcome._tag === "Claimed") return outcome.claim
  return yield* Effect.die(new Error(`expected a claim, found ${outcome._tag}`))
})

export const makeOutput = Effect.fnUntraced(function* ({ job }: Claim) {
  const id = yield* nextMediaId(yield* SecureRandom.SecureRandom)
  const output: ConversionOutput = {
    id,
    bytes: { ...bytes(`${job.workspaceId}/${id}`), durationMs: Option.some(5_000) },
    filename: Option.some("cat.mp4")
  }
  return output
})

/** Opens an adapter's connections, so that what follows races instead of queueing behind their opening. */
export const openConnections = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
  const workspaces = yield* Workspaces
  yield* Effect.all(
    Array.from({ length: 20 }, () => workspaces.find(workspaceId)),
    { concurrency: "unbounded", discard: true }
  )
})

/** Until when a stored file is kept. */
export const keptUntil = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: MediaId) {
  return Option.getOrThrow(yield* (yield* MediaStore).find(workspaceId, id)).keepUntil
})
