import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { MediaId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** A deleted record whose bytes may still be there; a pending upload has no blob key. */
export interface RemovableMedia {
  readonly workspaceId: WorkspaceId
  readonly id: MediaId
  readonly blobKey: string
}

/** Port: what may be deleted. */
export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Marks at most `limit` records deleted whose `keepUntil` is before `now` and that no queued or processing job
     * reads, each under its workspace's submit lock.
     *
     * @returns how many; fewer than `limit` means that none is left.
     */
    readonly expire: (now: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Deleted records whose bytes were not yet confirmed gone, at most `limit`. */
    readonly listRemovable: (limit: number) => Effect.Effect<ReadonlyArray<RemovableMedia>, StoreUnavailable>
    /** Confirms that the bytes of these are gone. */
    readonly confirmRemoved: (media: ReadonlyArray<RemovableMedia>) => Effect.Effect<void, StoreUnavailable>
    /** Which of these keys no record names and no queued or processing job (`<workspace>/<job>-…`) may yet settle. */
    readonly findOrphans: (blobKeys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Deletes rows past their days (`jobRowDays`, `replyRowDays`, `mediaContextDays`, `deletedMediaRowDays`), at most `limit` of each kind. */
    readonly purgeRows: (now: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/retention/RetentionStore") {}
