import * as Context from "effect/Context"
import * as Duration from "effect/Duration"

/** How many recent events a process keeps in memory, so that subscribers need not read them from the store. */
export interface FeedMemoryLimits {
  /** Estimated bytes of all workspaces together. Events of the least recently used workspaces are dropped first. */
  readonly maxBytes: number
  /** Per workspace. */
  readonly maxEvents: number
  /** Counted from when an event was read. */
  readonly maxAge: Duration.Duration
}

export const defaultFeedMemory: FeedMemoryLimits = {
  maxBytes: 64 * 1_024 * 1_024,
  maxEvents: 1_024,
  maxAge: Duration.minutes(5)
}

/** The limits; read when `EventFeed.layer` is built. */
export const FeedMemory = Context.Reference<FeedMemoryLimits>("@loopbox/core/feed/FeedMemory", {
  defaultValue: () => defaultFeedMemory
})
