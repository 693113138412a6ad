import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { InboundActivity, Unreadable } from "./InboundActivity.ts"
import type { Source } from "./Source.ts"

/** Parts of a poll that fail apart from each other: comments of Instagram and Facebook, their messages, Threads, X. */
export const pollSteps = ["comments", "messages", "replies", "mentions"] as const
export const PollStep = Schema.Literals(pollSteps)
export type PollStep = typeof PollStep.Type

/** What is read by itself, page by page: the comments of one post, one conversation, the mentions of an account. */
export interface Feed {
  readonly step: PollStep
  readonly source: Source
  /** The network's id of the post or conversation, or the account's own for its mentions; names the checkpoint. */
  readonly id: string
  /**
   * Which stored items are of this feed, so that a complete read can tell which are missing: those with this
   * `linkedPostId`, or this `threadKey`. None where a read proves nothing about what it leaves out (X).
   */
  readonly items: Option.Option<{ readonly by: "linkedPostId" | "threadKey"; readonly value: string }>
  /** When it last changed, as the network says: one that did not change since its last read need not be opened. */
  readonly updatedAt: Option.Option<DateTime.Utc>
  /** How many items the network counts in it; 0 saves the read. None where it does not say. */
  readonly size: Option.Option<number>
  /** The newest page, where the listing brought it along. */
  readonly firstPage: Option.Option<FeedPage>
}

export interface FeedRequest {
  /** `next` of the page before; none for the newest page. */
  readonly cursor: Option.Option<string>
  /** What an earlier read gave: only what is newer is asked for, where the network can filter so (X). */
  readonly checkpoint: Option.Option<string>
  /** Leave out what is older, where the network can filter so (X). */
  readonly since: Option.Option<DateTime.Utc>
  /** Items of a page at most; none for the network's largest. X charges for each and takes no fewer than 5. */
  readonly limit: Option.Option<number>
}

/** One page of a feed, newest first. */
export interface FeedPage {
  /**
   * `Posted` for each item, with the version that the network tells (0 where it tells none), and `HiddenChanged` where
   * it says whether one is hidden; `asOf` is then `requestedAt`. The same ids, threads and authors as from webhooks.
   */
  readonly activities: ReadonlyArray<InboundActivity>
  /** The external ids of everything on the page, also of what gave no activity: what is here is not gone. */
  readonly seen: ReadonlyArray<string>
  /**
   * The oldest moment that the page covers without gaps; none where it is everything, as far as can be told: a cursor
   * alone says only where a next page would begin.
   */
  readonly coversFrom: Option.Option<DateTime.Utc>
  /** Where to go on; none at the end. Never a URL: only the cursor in it. */
  readonly next: Option.Option<string>
  /** To be kept, once everything up to here is stored, for the next run's `checkpoint`. Absent: keep the old one. */
  readonly checkpoint: Option.Option<string>
  /** What the network sent, as it counts: billed on X. */
  readonly read: number
  /** Read, and not for the inbox: own posts that answer nothing, reposts, what is gone already. */
  readonly suppressed: number
  readonly unreadable: ReadonlyArray<Unreadable>
  /** When the request began: what the page says is as of then, so it never overrules what came since. */
  readonly requestedAt: DateTime.Utc
}
