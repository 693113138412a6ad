import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { InboxEvent, RoutedEvent } from "./InboxEvent.ts"

/** Which numbers of a workspace are kept. */
export interface EventRange {
  /** The number of the newest event; 0 before the first. */
  readonly last: number
  /** The number up to which events are no longer kept; 0 while all are. */
  readonly removed: number
}

/**
 * Port: the events of the inbox, which the stores write in the transaction of each change.
 *
 * `seq` grows by one within a workspace, in the order of commits: whoever reads what is above a number misses nothing.
 */
export class InboxEvents extends Context.Service<
  InboxEvents,
  {
    /** Writes events of no other transaction, such as the end of a sync. */
    readonly publish: (
      workspaceId: WorkspaceId,
      events: ReadonlyArray<InboxEvent>,
      at: DateTime.Utc
    ) => Effect.Effect<void, StoreUnavailable>
    readonly range: (workspaceId: WorkspaceId) => Effect.Effect<EventRange, StoreUnavailable>
    /** The number of the newest event of each workspace, in one statement. */
    readonly lastOf: (
      workspaceIds: ReadonlyArray<WorkspaceId>
    ) => Effect.Effect<ReadonlyMap<WorkspaceId, number>, StoreUnavailable>
    /**
     * At most `limit` events above `after`, in order; whose each account is, and whether it is shown, is read in the
     * same statement. The numbers of erased events are passed over.
     */
    readonly read: (
      workspaceId: WorkspaceId,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<RoutedEvent>, StoreUnavailable>
    /** Workspaces that have new events, told after the commit. One may be lost, so that readers also look by themselves. */
    readonly changes: Stream.Stream<WorkspaceId>
    /** Removes at most `limit` events of all workspaces that are older (kept: at least 24 h). Answers how many. */
    readonly removeOlder: (before: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/inbox/InboxEvents") {}
