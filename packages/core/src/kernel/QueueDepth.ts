import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"

/** How full a queue is now, over all workspaces; for metrics. */
export interface QueueDepth<Status extends string> {
  /** Entries by status; 0 when there are none. */
  readonly counts: Readonly<Record<Status, number>>
  /** When the oldest unfinished entry was added; `none` when there is none. */
  readonly oldestAt: Option.Option<DateTime.Utc>
}
