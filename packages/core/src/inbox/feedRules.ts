import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { Feed, FeedPage, FeedRequest, PollStep } from "../connectors/Feed.ts"
import type { Source } from "../connectors/Source.ts"
import { smallestPage } from "./backfillRules.ts"
import type { FeedState } from "./SyncRun.ts"

/** How far the first poll of a feed of Meta's networks goes back (social-networks.md §8). */
export const window = { days: 30 } as const

/** Below the newest item that was seen: networks don't show all at once what was written at once. */
const overlap = { minutes: 5 } as const

/** What is this young may not be shown by the network yet: reading lags behind writing (design §6). */
const lag = { minutes: 2 } as const

/** Pages of one feed in one poll at most. */
const mostPages = 100

/** Whether the network charges for what is read: never more than is new, and the past is for a backfill. */
const isBilled = (source: Source): boolean => source === "x_reply"

/** One feed on its way from its newest page to its end, or to what is known. */
export interface Reading {
  readonly feed: Feed
  readonly state: Option.Option<FeedState>
  readonly pages: ReadonlyArray<FeedPage>
}

/** What changed without a word of its network, as a message that was unsent, is found so much later. */
const reopenAfter = { minutes: 55 } as const

/** Whether a feed has to be opened: it may have changed, or its newest page is here anyway. */
export const isOpened = (feed: Feed, state: Option.Option<FeedState>, now: DateTime.Utc): boolean =>
  Option.isSome(feed.firstPage) ||
  !Option.exists(
    state,
    ({ pending, readAt, updatedAt }) =>
      Option.isNone(pending) &&
      Option.exists(readAt, (at) => DateTime.isLessThan(now, DateTime.add(at, reopenAfter))) &&
      Option.isSome(updatedAt) &&
      Option.exists(feed.updatedAt, (at) => !DateTime.isGreaterThan(at, updatedAt.value))
  )

/** What is asked next. */
export const requestOf = ({ feed, pages, state }: Reading): FeedRequest => {
  const last = pages[pages.length - 1]
  const pending = Option.flatMap(state, (known) => known.pending)
  return {
    cursor: last === undefined ? Option.map(pending, ({ cursor }) => cursor) : last.next,
    checkpoint: Option.flatMap(state, ({ checkpoint }) => checkpoint),
    since: isBilled(feed.source) ? Option.map(state, ({ since }) => since) : Option.none(),
    limit: isBilled(feed.source) && Option.isNone(state) ? Option.some(smallestPage) : Option.none()
  }
}

/**
 * Whether the last page is not the end: a page that said anything new is followed by the next, and so is one that does
 * not reach back to what was seen when the feed was last read whole; the first time all is read.
 */
export const goesOn = ({ feed, pages, state }: Reading, isChanged: boolean, windowStart: DateTime.Utc): boolean => {
  const last = pages[pages.length - 1]
  if (last === undefined || Option.isNone(last.next) || pages.length >= mostPages) return false
  if (isBilled(feed.source)) return Option.isSome(state)
  const reachesBackTo = (moment: DateTime.Utc) =>
    Option.exists(last.coversFrom, (from) => !DateTime.isGreaterThan(from, moment))
  if (Option.isNone(state)) return !reachesBackTo(windowStart)
  if (isChanged) return true
  const { newest } = state.value
  if (Option.isNone(newest)) return false
  // Where nothing is newer than when it was last read whole, nothing can have been passed over since.
  const isNewer = Option.exists(newestIn(pages), (at) => DateTime.isGreaterThan(at, newest.value))
  return isNewer && !reachesBackTo(DateTime.subtract(newest.value, overlap))
}

const newestIn = (pages: ReadonlyArray<FeedPage>): Option.Option<DateTime.Utc> =>
  newestOf(
    pages.flatMap(({ activities }) =>
      activities.flatMap((activity) => (activity._tag === "Posted" ? [activity.receivedAt] : []))
    )
  )

const newestOf = (dates: ReadonlyArray<DateTime.Utc>): Option.Option<DateTime.Utc> =>
  dates.reduce<Option.Option<DateTime.Utc>>(
    (newest, date) => Option.some(Option.match(newest, { onNone: () => date, onSome: DateTime.max(date) })),
    Option.none()
  )

const firstCheckpoint = ({ pages, state }: Reading): Option.Option<string> =>
  Option.orElse(
    Option.flatMap(state, ({ pending }) => Option.flatMap(pending, ({ checkpoint }) => checkpoint)),
    () => Option.firstSomeOf(pages.map(({ checkpoint }) => checkpoint))
  )

/** How far the feed is read after its last page, whether that was the end or not; none where nothing is to be noted. */
export const stateAfter = (reading: Reading, isEnd: boolean): Option.Option<FeedState> => {
  const { feed, pages, state } = reading
  const last = pages[pages.length - 1]
  if (last === undefined) return Option.none()
  const before: FeedState = Option.getOrElse(state, () => ({
    source: feed.source,
    feedId: feed.id,
    checkpoint: Option.none<string>(),
    newest: Option.none<DateTime.Utc>(),
    updatedAt: Option.none<DateTime.Utc>(),
    readAt: Option.none<DateTime.Utc>(),
    since: pages[0]?.requestedAt ?? last.requestedAt,
    pending: Option.none()
  }))
  if (!isEnd) {
    if (!isBilled(feed.source)) return Option.none()
    const pending = Option.map(last.next, (cursor) => ({ cursor, checkpoint: firstCheckpoint(reading) }))
    return Option.some({ ...before, pending })
  }
  const after: FeedState = {
    ...before,
    checkpoint: Option.orElse(firstCheckpoint(reading), () => before.checkpoint),
    newest: newestOf([newestIn(pages), before.newest].flatMap(Option.toArray)),
    updatedAt: Option.orElse(feed.updatedAt, () => before.updatedAt),
    // What comes with the listing is never left alone.
    readAt: Option.flatMap(feed.updatedAt, () =>
      Option.isSome(feed.firstPage) ? Option.none() : Option.some(pages[0]?.requestedAt ?? last.requestedAt)
    ),
    pending: Option.none()
  }
  return Option.isSome(state) && Equal.equals(state.value, after) ? Option.none() : Option.some(after)
}

/** Stored items that a complete read should have shown. */
export interface ExpectedItems {
  readonly source: Source
  readonly by: "linkedPostId" | "threadKey"
  /** Of which posts or conversations; with `isListed` false, of all others. */
  readonly values: ReadonlyArray<string>
  readonly isListed: boolean
  /** Only what is newer than the end of what was read. */
  readonly after: Option.Option<DateTime.Utc>
  readonly before: DateTime.Utc
  readonly seen: ReadonlyArray<string>
}

/** Which items a feed should have shown that was read to its end, or that the network says is empty. */
export const expectedOf = ({ feed, pages }: Reading, now: DateTime.Utc): Option.Option<ExpectedItems> => {
  const last = pages[pages.length - 1]
  return Option.map(feed.items, ({ by, value }) => ({
    source: feed.source,
    by,
    values: [value],
    isListed: true,
    // Also at the end: what is older than a page's details can't be read, and is not gone for that.
    after: last === undefined ? Option.none() : last.coversFrom,
    before: DateTime.subtract(pages[0]?.requestedAt ?? now, lag),
    seen: pages.flatMap(({ seen }) => seen)
  }))
}

/** Feeds that a listing gives at most: with fewer it is complete (`NetworkReads.listFeeds`). */
const mostFeeds = 25

const listedBy: Record<Source, { readonly step: PollStep; readonly by: ExpectedItems["by"] } | undefined> = {
  ig_comment: { step: "comments", by: "linkedPostId" },
  ig_dm: { step: "messages", by: "threadKey" },
  fb_comment: { step: "comments", by: "linkedPostId" },
  fb_dm: { step: "messages", by: "threadKey" },
  threads_reply: { step: "replies", by: "linkedPostId" },
  x_reply: undefined
}

/** How a source is listed by its network. */
export const stepOf = (source: Source): PollStep => listedBy[source]?.step ?? "mentions"

/** What hangs on nothing that a complete list has: its post or its whole conversation may be gone. */
export const unlisted = (
  source: Source,
  feeds: ReadonlyArray<Feed>,
  windowStart: DateTime.Utc,
  now: DateTime.Utc
): Option.Option<ExpectedItems> => {
  const by = listedBy[source]?.by
  if (by === undefined || feeds.length >= mostFeeds) return Option.none()
  const values = feeds.flatMap(({ items }) => Option.toArray(items)).map(({ value }) => value)
  return Option.some({
    source,
    by,
    values,
    isListed: false,
    after: Option.some(windowStart),
    before: DateTime.subtract(now, lag),
    seen: []
  })
}
