import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import type { InboundActivity, Unreadable } from "./InboundActivity.ts"
import type { PollStep } from "./PollStep.ts"
import type { Source } from "./Source.ts"

/** A list that is read page by page: the comments of one post, one conversation, the mentions of an account. */
export interface Feed {
  readonly step: PollStep
  readonly source: Source
  /**
   * The network's id of the post or conversation; for mentions, the id of the account. Also the key of the checkpoint.
   */
  readonly id: string
  /**
   * Selects the stored items of this feed, by `linkedPostId` or `threadKey`, so that a complete read shows which are
   * missing. `none` if a read does not prove that (X).
   */
  readonly items: Option.Option<{ readonly by: "linkedPostId" | "threadKey"; readonly value: string }>
  /** When the network says it last changed. A feed that has not changed since its last read need not be read. */
  readonly updatedAt: Option.Option<DateTime.Utc>
  /** The network's count of its items; 0 saves the read. `none` if the network gives no count. */
  readonly size: Option.Option<number>
  /** The newest page, if the listing contained it. */
  readonly firstPage: Option.Option<FeedPage>
}

export interface FeedRequest {
  /** `next` of the previous page; `none` for the newest page. */
  readonly cursor: Option.Option<string>
  /** From an earlier read: ask only for newer items, if the network can filter so (X). */
  readonly checkpoint: Option.Option<string>
  /** Leave out older items, if the network can filter so (X). */
  readonly since: Option.Option<DateTime.Utc>
  /** Page size; `none` for the network's maximum. X charges per item and accepts no size below 5. */
  readonly limit: Option.Option<number>
}

/** One page of a feed, newest first. */
export interface FeedPage {
  /**
   * `Posted` for each item, with the network's version (0 if it gives none), and `HiddenChanged` if the network says
   * whether an item is hidden; its `asOf` is `requestedAt`. Ids, threads and authors are the same as from webhooks.
   */
  readonly activities: ReadonlyArray<InboundActivity>
  /** The external ids of everything on the page, also of what became no activity: these are not deleted. */
  readonly seen: ReadonlyArray<string>
  /**
   * The oldest time that the page covers without gaps; `none` if the page seems to be complete. A cursor alone does not
   * prove that there is another page.
   */
  readonly coversFrom: Option.Option<DateTime.Utc>
  /** Cursor of the next page; `none` at the end. Never a URL. */
  readonly next: Option.Option<string>
  /** The `checkpoint` of the next poll, to be stored once everything up to here is stored. Absent: keep the old one. */
  readonly checkpoint: Option.Option<string>
  /** Items that the network counts as read: billed on X. */
  readonly read: number
  /** Items that do not belong in the inbox: own posts that answer nothing, reposts, deleted posts. */
  readonly suppressed: number
  readonly unreadable: ReadonlyArray<Unreadable>
  /** When the request started. The page describes that time, so it never overrules anything newer. */
  readonly requestedAt: DateTime.Utc
}
