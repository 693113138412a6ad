import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { Feed, FeedPage, FeedRequest } from "../networks/Feed.ts"
import type { SourceTraits } from "../networks/Network.ts"
import type { Source } from "../networks/Source.ts"
import { smallestPage } from "./backfillRules.ts"
import type { FeedState } from "./SyncRun.ts"

/** How far the first poll of a feed of Meta's networks goes back (social-networks.md §8). */
export const window = { days: 30 } as const

/** How far to read behind the newest known item: networks don't list new items strictly in order. */
const overlap = { minutes: 5 } as const

/** Items younger than this may not be listed yet, because reads lag behind writes (design §6). */
const lag = { minutes: 2 } as const

/** Maximum number of pages of one feed in one poll; the next poll goes on from there. */
const mostPages = 100

/** A feed that is being read, from its newest page to its end or to known items. */
export interface Reading {
  readonly traits: SourceTraits
  readonly feed: Feed
  readonly state: Option.Option<FeedState>
  readonly pages: ReadonlyArray<FeedPage>
}

/**
 * A feed without a reported change is read again after this time, to find changes that networks don't report, such as
 * an unsent message.
 */
const reopenAfter = { minutes: 55 } as const

/**
 * A post with an unchanged number of comments is read again after this time, in every sixth poll. Edits, or one new and
 * one deleted comment, do not change the count. But reading every post in every poll takes 25 calls, and the call
 * budget of a quiet Page is small (social-networks.md §2.2).
 */
const recountAfter = { minutes: 28 } as const

/** Whether the network's count is the same as at the last complete read, and that read is recent. */
const isCountedAlike = ({ size }: Feed, { counted, pending }: FeedState, now: DateTime.Utc): boolean =>
  Option.isNone(pending) &&
  counted !== undefined &&
  counted.isSettled &&
  Option.contains(size, counted.size) &&
  DateTime.isLessThan(now, DateTime.add(counted.readAt, recountAfter))

/**
 * Whether to read a feed: it may have changed, or its newest page came with the listing. A sync on request also reads
 * feeds with an unchanged count.
 */
export const isOpened = (feed: Feed, state: Option.Option<FeedState>, now: DateTime.Utc, isAsked: boolean): boolean => {
  if (!isAsked && Option.exists(state, (known) => isCountedAlike(feed, known, now))) return false
  return Option.isSome(feed.firstPage) || isChangedSince(feed, state, now)
}

/** Whether its `updatedAt` shows a change. */
const isChangedSince = (feed: Feed, state: Option.Option<FeedState>, now: DateTime.Utc): boolean =>
  !Option.exists(
    state,
    ({ pending, readAt, updatedAt }) =>
      Option.isNone(pending) &&
      Option.exists(readAt, (at) => DateTime.isLessThan(now, DateTime.add(at, reopenAfter))) &&
      Option.isSome(updatedAt) &&
      Option.exists(feed.updatedAt, (at) => !DateTime.isGreaterThan(at, updatedAt.value))
  )

/** The next request. */
export const requestOf = ({ pages, state, traits }: Reading): FeedRequest => {
  const last = pages[pages.length - 1]
  const pending = Option.flatMap(state, (known) => known.pending)
  return {
    cursor: last === undefined ? Option.map(pending, ({ cursor }) => cursor) : last.next,
    checkpoint: Option.flatMap(state, ({ checkpoint }) => checkpoint),
    since: traits.isBilled ? Option.map(state, ({ since }) => since) : Option.none(),
    limit: traits.isBilled && Option.isNone(state) ? Option.some(smallestPage) : Option.none()
  }
}

/**
 * Whether to read another page: after a page with news, and until the read reaches the newest item of the last complete
 * read. The first read covers the whole window.
 */
export const goesOn = ({ pages, state, traits }: Reading, isChanged: boolean, windowStart: DateTime.Utc): boolean => {
  const last = pages[pages.length - 1]
  if (last === undefined || Option.isNone(last.next) || pages.length >= mostPages) return false
  if (traits.isBilled) return Option.isSome(state)
  const reachesBackTo = (moment: DateTime.Utc) =>
    Option.exists(last.coversFrom, (from) => !DateTime.isGreaterThan(from, moment))
  // Also where the last complete read found nothing, and where one goes on that was cut off: what is known of such a feed
  // does not say that older items are.
  if (Option.isNone(state) || Option.isNone(state.value.newest) || Option.isSome(state.value.pending)) {
    return !reachesBackTo(windowStart)
  }
  if (isChanged) return true
  const { newest } = state.value
  // If nothing is newer than the last complete read, no item can have been missed.
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

/** The stored count after a complete read. */
const countedAfter = ({ feed, pages, state }: Reading, readAt: DateTime.Utc): Pick<FeedState, "counted"> => {
  if (Option.isNone(feed.size)) return {}
  const size = feed.size.value
  const shown = pages.reduce((sum, { seen }) => sum + seen.length, 0)
  const isSettled = shown >= size || Option.exists(state, ({ counted }) => counted?.size === size)
  return { counted: { size, isSettled, readAt } }
}

/** What the listing said of a feed that was read from its newest page. */
const listedAfter = (reading: Reading, before: FeedState, readAt: DateTime.Utc) => {
  const { feed } = reading
  return {
    updatedAt: Option.orElse(feed.updatedAt, () => before.updatedAt),
    // A feed whose newest page comes with the listing is always read.
    readAt: Option.flatMap(feed.updatedAt, () => (Option.isSome(feed.firstPage) ? Option.none() : Option.some(readAt))),
    ...countedAfter(reading, readAt)
  }
}

/** Whether the read went on from where one was cut off. */
const isResumed = ({ state }: Reading): boolean => Option.exists(state, ({ pending }) => Option.isSome(pending))

/** Whether a poll has read as many pages of the feed as it may, and there are more. */
const isCut = ({ pages, traits }: Reading): boolean =>
  !traits.isBilled &&
  pages.length >= mostPages &&
  Option.exists(Option.fromUndefinedOr(pages.at(-1)), ({ next }) => Option.isSome(next))

/**
 * The state to store after the last page, whether the read was complete or not; `none` if nothing changed.
 *
 * `waitsSince`: when the oldest of its items was written that could not be stored yet. The next read goes back to it, and one
 * that costs money begins where this one did.
 */
export const stateAfter = (
  reading: Reading,
  isEnd: boolean,
  waitsSince: Option.Option<DateTime.Utc> = Option.none()
): Option.Option<FeedState> => {
  const { feed, pages, state, traits } = reading
  const last = pages[pages.length - 1]
  if (last === undefined || (traits.isBilled && Option.isSome(waitsSince))) return Option.none()
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
  const read = newestOf([newestIn(pages), before.newest].flatMap(Option.toArray))
  const newest = Option.match(waitsSince, {
    onNone: () => read,
    onSome: (since) => Option.some(DateTime.subtract(since, { milliseconds: 1 }))
  })
  if (!isEnd || isCut(reading)) {
    if (!traits.isBilled && !isCut(reading)) return Option.none()
    const pending = Option.map(last.next, (cursor) => ({ cursor, checkpoint: firstCheckpoint(reading) }))
    // What is newer than the pages of a read that is cut off comes with the read after it.
    return Option.some({ ...before, pending, newest: isCut(reading) ? newest : before.newest })
  }
  const after: FeedState = {
    ...before,
    checkpoint: Option.orElse(firstCheckpoint(reading), () => before.checkpoint),
    newest,
    pending: Option.none(),
    // The listing tells of what is newer, too, which a resumed read has not seen: the next poll reads the feed again. So it does
    // where something waits.
    ...(isResumed(reading) || Option.isSome(waitsSince)
      ? {}
      : listedAfter(reading, before, pages[0]?.requestedAt ?? last.requestedAt))
  }
  return Option.isSome(state) && Equal.equals(state.value, after) ? Option.none() : Option.some(after)
}

/** Selects the stored items that a complete read must contain, of those that a list contained before. */
export interface ExpectedItems {
  readonly source: Source
  readonly by: "linkedPostId" | "threadKey"
  /** The posts or conversations; with `isListed` false, all others. */
  readonly values: ReadonlyArray<string>
  readonly isListed: boolean
  /** Only items newer than the end of the read. */
  readonly after: Option.Option<DateTime.Utc>
  readonly before: DateTime.Utc
  readonly seen: ReadonlyArray<string>
  /** The network's count; `none` if it gives no count. */
  readonly size: Option.Option<number>
}

/**
 * The items that a feed must contain after a complete read, or if the network says that it is empty. A resumed read has not
 * seen what is newer.
 */
export const expectedOf = (reading: Reading, now: DateTime.Utc): Option.Option<ExpectedItems> => {
  const { feed, pages } = reading
  const last = pages[pages.length - 1]
  if (last !== undefined && isResumed(reading)) return Option.none()
  return Option.map(feed.items, ({ by, value }) => ({
    source: feed.source,
    by,
    values: [value],
    isListed: true,
    // Also at the end of the feed: items that are older than the page covers can't be read, but are not deleted.
    after: last === undefined ? Option.none() : last.coversFrom,
    before: DateTime.subtract(pages[0]?.requestedAt ?? now, lag),
    seen: pages.flatMap(({ seen }) => seen),
    size: feed.size
  }))
}

/** Maximum number of feeds in a listing; a listing with fewer is complete (`NetworkReads.listFeeds`). */
const mostFeeds = 25

/** Selects the items whose post or conversation is not in a complete listing, and may be deleted. */
export const unlisted = (
  { listedBy, source }: SourceTraits,
  feeds: ReadonlyArray<Feed>,
  windowStart: DateTime.Utc,
  now: DateTime.Utc
): Option.Option<ExpectedItems> => {
  if (feeds.length >= mostFeeds) return Option.none()
  const values = feeds.flatMap(({ items }) => Option.toArray(items)).map(({ value }) => value)
  return Option.map(listedBy, (by) => ({
    source,
    by,
    values,
    isListed: false,
    after: Option.some(windowStart),
    before: DateTime.subtract(now, lag),
    seen: [],
    size: Option.none()
  }))
}
