import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Stream from "effect/Stream"
import type { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { InboxEvent, RoutedEvent } from "../items/InboxEvent.ts"
import type { LoggedJobEnd } from "./JobEnded.ts"

/** The stored event numbers of a workspace. */
export interface EventRange {
  /** Number of the newest event; 0 if there is none. */
  readonly last: number
  /** Number of the last deleted event; 0 if none were deleted. */
  readonly removed: number
}

/** An event that this version can't decode, because a newer version wrote it. */
export interface UnreadableEvent {
  readonly seq: number
  readonly at: DateTime.Utc
  /** Its tag. */
  readonly kind: string
}

/** The events after a number, with the range of stored numbers in the same snapshot. */
export interface EventPage extends EventRange {
  readonly events: ReadonlyArray<RoutedEvent>
  readonly unreadable: ReadonlyArray<UnreadableEvent>
  /** Ends of media jobs, which are numbered with the events and are none of the inbox. */
  readonly jobEnds: ReadonlyArray<LoggedJobEnd>
  /**
   * Time of the event with the requested number, if it is stored. A different time than before means that numbers were
   * reused, as after a failover to a database that had not received all events.
   */
  readonly anchor: Option.Option<DateTime.Utc>
}

/** The number up to which a page is complete: the end, if it has fewer events than requested. */
export const positionAfter = (page: EventPage, limit: number): number => {
  const numbers = [...page.events, ...page.unreadable, ...page.jobEnds].map(({ seq }) => seq)
  return isFull(page, limit) ? Math.max(...numbers) : page.last
}

/** Whether a page has as much as was asked for, so that there may be more. */
export const isFull = ({ events, jobEnds, unreadable }: EventPage, limit: number): boolean =>
  events.length + unreadable.length + jobEnds.length >= limit

/**
 * Port: the events of the inbox. Stores write them in the transaction of each change.
 *
 * `seq` increases by one within a workspace, in commit order, so a reader that continues after a number misses nothing.
 */
export class InboxEvents extends Context.Service<
  InboxEvents,
  {
    /** Writes events that belong to no other transaction, such as the end of a sync. */
    readonly publish: (
      workspaceId: WorkspaceId,
      events: ReadonlyArray<InboxEvent>,
      at: DateTime.Utc
    ) => Effect.Effect<void, StoreUnavailable>
    readonly range: (workspaceId: WorkspaceId) => Effect.Effect<EventRange, StoreUnavailable>
    /** The newest event number of each workspace, in one statement. */
    readonly lastOf: (
      workspaceIds: ReadonlyArray<WorkspaceId>
    ) => Effect.Effect<ReadonlyMap<WorkspaceId, number>, StoreUnavailable>
    /**
     * At most `limit` events after `after`, in order, including those that can't be decoded. The current owner and
     * visibility of each account are read in the same statement. Numbers of erased events are skipped.
     */
    readonly read: (
      workspaceId: WorkspaceId,
      after: number,
      limit: number
    ) => Effect.Effect<EventPage, StoreUnavailable>
    /** Workspaces with new events, notified after the commit. A notification may be lost, so readers also poll. */
    readonly changes: Stream.Stream<WorkspaceId>
    /**
     * Deletes at most `limit` events of all workspaces that are older than `before` (at least 24 h ago), in bounded
     * steps. Returns how many.
     */
    readonly removeOlder: (before: DateTime.Utc, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("@loopbox/core/feed/InboxEvents") {}
