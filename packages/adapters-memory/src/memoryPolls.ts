import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import type { PollHints } from "@loopbox/core/sync/pollHints"
import type { PollLife } from "@loopbox/core/sync/pollPace"
import type { FeedState, PollState } from "@loopbox/core/sync/SyncRun"

/** When to poll an account next, the lease of a running poll, and the state of its feeds. */
export interface PollEntry {
  readonly state: PollState
  readonly dueAt: Option.Option<DateTime.Utc>
  readonly hints: PollHints
  /** How alive the account is; absent if it was never polled by itself. */
  readonly life: PollLife | undefined
  readonly token: string | undefined
  /** On the lease clock. */
  readonly leaseUntil: DateTime.Utc | undefined
  /** Items read by the current poll, over all of its workers. */
  readonly read: number
  readonly newItems: number
  /** By `feedKey`. */
  readonly feeds: ReadonlyMap<string, FeedState>
}
