import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type { ApiKey } from "@loopbox/core/workspaces/ApiKey"
import type { ConnectAttempt } from "@loopbox/core/connecting/ConnectAttempt"
import type { KeptSession } from "@loopbox/core/connecting/ConnectSessionStore"
import type { Role } from "@loopbox/core/workspaces/Role"
import type { ConversionFailureCode, ConversionTask } from "@loopbox/core/conversions/ConversionJob"
import { conversionKind } from "@loopbox/core/conversions/conversionKind"
import type { JobKind } from "@loopbox/core/jobs/JobKind"
import type { MediaJob } from "@loopbox/core/jobs/MediaJob"
import type { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import type {
  ApiKeyId,
  ConnectSessionId,
  ConversionJobId,
  MediaId,
  SavedReplyId,
  WorkspaceId
} from "@loopbox/core/kernel/Ids"
import type { Media } from "@loopbox/core/media/Media"
import type { OverlayFailureCode, OverlayTask } from "@loopbox/core/overlays/OverlayJob"
import { overlayKind } from "@loopbox/core/overlays/overlayKind"
import type { SavedReply } from "@loopbox/core/savedReplies/SavedReply"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { filesOf, hasEnded } from "@loopbox/core/posts/showPost"
import { makeMemoryInbox, type MemoryInbox } from "./memoryInbox.ts"

/** A media record with the internal fields of the store. */
export interface MediaEntry {
  readonly media: Media
  readonly deletedAt: DateTime.Utc | undefined
  /** Whether its bytes are confirmed as removed. */
  readonly isRemoved: boolean
  /** The sender's hash of a reservation that may be made once. */
  readonly contentHash?: string | undefined
}

/** A connect session with its attempts, the oldest first. */
export interface ConnectEntry {
  readonly kept: KeptSession
  readonly attempts: ReadonlyArray<ConnectAttempt>
}

/** A job with its lease. */
export interface JobEntry<Task, Code extends string> {
  readonly job: MediaJob<Task, Code>
  readonly idempotencyKey: Option.Option<IdempotencyKey>
  /** When a worker may claim it, on the lease clock. */
  readonly claimableAt: DateTime.Utc
  /** Token of the current lease, or of the one that ended the job. */
  readonly token: string | undefined
  /** It was released: the next claim counts no attempt. */
  readonly isReleased: boolean
}

/** The jobs of one kind. */
export type JobMap<Task, Code extends string> = Map<ConversionJobId, JobEntry<Task, Code>>

/**
 * The shared state of the memory adapters.
 *
 * Every method reads and writes it without a pause in between (no `yield*`), which makes it a transaction.
 */
export class MemoryState extends Context.Service<
  MemoryState,
  {
    readonly workspaces: Map<WorkspaceId, Workspace>
    readonly members: Map<WorkspaceId, Map<string, Role>>
    readonly keys: Map<ApiKeyId, ApiKey>
    readonly media: Map<MediaId, MediaEntry>
    readonly jobs: JobMap<ConversionTask, ConversionFailureCode>
    readonly overlays: JobMap<OverlayTask, OverlayFailureCode>
    readonly inbox: MemoryInbox
    readonly connecting: Map<ConnectSessionId, ConnectEntry>
    readonly savedReplies: Map<SavedReplyId, SavedReply>
    /** Workspaces in which access may have been revoked. */
    readonly accessChanges: PubSub.PubSub<WorkspaceId>
  }
>()("@loopbox/adapters-memory/MemoryState") {
  static readonly layer: Layer.Layer<MemoryState> = Layer.effect(
    MemoryState,
    Effect.gen(function* () {
      return {
        workspaces: new Map(),
        members: new Map(),
        keys: new Map(),
        media: new Map(),
        jobs: new Map(),
        overlays: new Map(),
        inbox: yield* makeMemoryInbox,
        connecting: new Map(),
        savedReplies: new Map(),
        accessChanges: yield* PubSub.sliding<WorkspaceId>(kept)
      }
    })
  )
}

/** Notifications to buffer per subscriber; losing the oldest is harmless because they are hints. */
const kept = 1_024

/** Whether the managed user is there, or without one the workspace. */
export const hasOwner = (
  { inbox, workspaces }: MemoryState["Service"],
  owned: { readonly workspaceId: WorkspaceId; readonly externalUserId: Option.Option<string> }
): boolean =>
  Option.match(owned.externalUserId, {
    onNone: () => workspaces.has(owned.workspaceId),
    onSome: (user) => inbox.managedUsers.get(owned.workspaceId)?.has(user) === true
  })

/** Whether a queued or processing job reads the media, or a post or a reply that has not ended names it. */
export const isInUse = (state: MemoryState["Service"], id: MediaId): boolean => {
  for (const { kept } of state.inbox.posts.values()) {
    if (!hasEnded(kept) && filesOf(kept).has(id)) return true
  }
  for (const { operations } of state.inbox.accounts.values()) {
    for (const { dueAt, operation } of operations.values()) {
      if (dueAt !== undefined && operation.media.some(({ mediaId }) => mediaId === id)) return true
    }
  }
  const reads = <Task, Code extends string>(jobs: JobMap<Task, Code>, kind: JobKind<Task, Code>) =>
    Array.from(jobs.values()).some(({ job }) => isActive(job) && kind.inputsOf(job.task).includes(id))
  return reads(state.jobs, conversionKind) || reads(state.overlays, overlayKind)
}

export const isActive = ({ _tag }: Pick<MediaJob<unknown, string>, "_tag">) =>
  _tag === "QueuedJob" || _tag === "ProcessingJob"

/** The jobs of both kinds, for what does not ask what they do. */
export const allJobs = (state: MemoryState["Service"]): ReadonlyArray<MediaJob<unknown, string>> =>
  [...state.jobs.values(), ...state.overlays.values()].map(({ job }) => job)
