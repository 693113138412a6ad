import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type { MediaId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** A deleted record whose bytes may still exist; a pending upload has no blob key. */
export interface RemovableMedia {
  readonly workspaceId: WorkspaceId
  readonly id: MediaId
  readonly blobKey: string
}

/** Port: finds and deletes expired files and rows. */
export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Marks at most `limit` records deleted, each under its workspace's submit lock: those whose `keepUntil` is before
     * `now` and that no queued or processing job reads.
     *
     * @returns how many; fewer than `limit` means that none are left.
     */
    readonly expire: (now: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
    /** Deleted records whose bytes are not yet confirmed as removed, at most `limit`. */
    readonly listRemovable: (limit: number) => Effect.Effect<ReadonlyArray<RemovableMedia>, StoreUnavailable>
    /** Confirms that the bytes were removed. */
    readonly confirmRemoved: (media: ReadonlyArray<RemovableMedia>) => Effect.Effect<void, StoreUnavailable>
    /** The keys that no record names and that no queued or processing job (`<workspace>/<job>-…`) may still use. */
    readonly findOrphans: (blobKeys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Deletes rows past their days (`jobRowDays`, `replyRowDays`, `postRowDays`, `mediaContextDays`, `deletedMediaRowDays`), at most `limit` of each kind. */
    readonly purgeRows: (now: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/retention/RetentionStore") {}
