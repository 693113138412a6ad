import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import * as PubSub from "effect/PubSub"
import type { ApiKey } from "../access/ApiKey.ts"
import type { Role } from "../access/Role.ts"
import type { ConversionJob } from "../conversions/ConversionJob.ts"
import type { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { ApiKeyId, ConversionJobId, MediaId, WorkspaceId } from "../kernel/Ids.ts"
import type { Media } from "../media/Media.ts"
import type { Workspace } from "../plans/Workspace.ts"
import { makeMemoryInbox, type MemoryInbox } from "./memoryInbox.ts"

/** A media record with what only the store knows of it. */
export interface MediaEntry {
  readonly media: Media
  readonly deletedAt: DateTime.Utc | undefined
  /** Whether its bytes are confirmed gone. */
  readonly isRemoved: boolean
}

/** A job with its lease. */
export interface JobEntry {
  readonly job: ConversionJob
  readonly idempotencyKey: Option.Option<IdempotencyKey>
  /** When a worker may take it, on the lease clock. */
  readonly claimableAt: DateTime.Utc
  /** Token of the current lease, or of the one that ended the job. */
  readonly token: string | undefined
  /** Handed back: the next claim counts no attempt. */
  readonly isReleased: boolean
}

/**
 * What the memory adapters share.
 *
 * Their methods read and write it without a pause in between (no `yield*`), so each is a transaction.
 */
export class MemoryState extends Context.Service<
  MemoryState,
  {
    readonly workspaces: Map<WorkspaceId, Workspace>
    readonly members: Map<WorkspaceId, Map<string, Role>>
    readonly keys: Map<ApiKeyId, ApiKey>
    readonly media: Map<MediaId, MediaEntry>
    readonly jobs: Map<ConversionJobId, JobEntry>
    readonly inbox: MemoryInbox
    /** Workspaces whose callers may now be refused. */
    readonly accessChanges: PubSub.PubSub<WorkspaceId>
  }
>()("@loopbox/core/local/MemoryState") {
  static readonly layer: Layer.Layer<MemoryState> = Layer.effect(
    MemoryState,
    Effect.gen(function* () {
      return {
        workspaces: new Map(),
        members: new Map(),
        keys: new Map(),
        media: new Map(),
        jobs: new Map(),
        inbox: yield* makeMemoryInbox,
        accessChanges: yield* PubSub.sliding<WorkspaceId>(kept)
      }
    })
  )
}

/** Words that a listener may fall behind by: they only save waiting. */
const kept = 1_024

/** Whether a queued or processing job reads the media. */
export const isInUse = (state: MemoryState["Service"], id: MediaId): boolean => {
  for (const { job } of state.jobs.values()) {
    if (job.gifMediaId === id && (job._tag === "QueuedJob" || job._tag === "ProcessingJob")) return true
  }
  return false
}
