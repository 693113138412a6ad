import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Feed, FeedPage, FeedRequest } from "@loopbox/core/networks/Feed"
import type { PollStep } from "@loopbox/core/networks/PollStep"
import { HiddenChanged, type InboundActivity, type Posted } from "@loopbox/core/networks/InboundActivity"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { Source } from "@loopbox/core/networks/Source"
import { FakeNetworks } from "./FakeConnector.ts"

/** One item on a fake network. */
export interface FakeItem {
  readonly account: string
  readonly feed: string
  readonly posted: Posted
  readonly isHidden?: boolean
}

/** A fake network: its items, and the calls it received. */
export interface FakeFeeds {
  items: ReadonlyArray<FakeItem>
  /** Posts that are listed without items, and the network's count of comments on each. */
  posts: ReadonlyArray<{ readonly feed: string; readonly size: number }>
  readonly pageSize: number
  /** The listing contains the newest page of each conversation. */
  bringsPages: boolean
  readonly requests: Array<string>
  /** The failure of a request, if it should fail. */
  failure: (request: string, access: AccountAccess) => ReadFailed | undefined
  /** Runs before each answer. */
  before: (request: string, access: AccountAccess) => Effect.Effect<void>
  /** Runs after each page is made, before it arrives: meanwhile its items may change. */
  after: (request: string, access: AccountAccess) => Effect.Effect<void>
}

const noRequest: FeedRequest = {
  cursor: Option.none(),
  checkpoint: Option.none(),
  since: Option.none(),
  limit: Option.none()
}

const millis = ({ posted }: FakeItem) => DateTime.toEpochMillis(posted.receivedAt)

/**
 * Where the next page begins: behind an item, as with real networks, so that what is deleted meanwhile moves nothing. It
 * begins with how many were before it, for tests.
 */
const cursorBehind = (item: FakeItem, count: number): string => `${count} ${millis(item)} ${item.posted.externalId}`

const placeOf = (all: ReadonlyArray<FakeItem>, cursor: FeedRequest["cursor"]): number => {
  if (Option.isNone(cursor)) return 0
  const [, at, externalId] = cursor.value.split(" ")
  const found = all.findIndex(({ posted }) => posted.externalId === externalId)
  if (found >= 0) return found + 1
  // It is gone: behind it is what is older.
  const older = all.findIndex((item) => millis(item) < Number(at))
  return older < 0 ? all.length : older
}

const stepOf = (source: Source): PollStep => {
  if (source === "x_reply") return "mentions"
  if (source === "threads_reply") return "replies"
  return source.endsWith("_dm") ? "messages" : "comments"
}

/**
 * Scripts the fake networks with paged feeds, newest first. X filters by its checkpoint, the position of the newest id.
 */
export const fakeFeeds = Effect.fnUntraced(function* (pageSize = 3) {
  const networks = yield* FakeNetworks
  const world: FakeFeeds = {
    items: [],
    posts: [],
    pageSize,
    bringsPages: false,
    requests: [],
    failure: () => undefined,
    before: () => Effect.void,
    after: () => Effect.void
  }
  const asked = (access: AccountAccess, request: string) =>
    Effect.gen(function* () {
      world.requests.push(request)
      yield* world.before(request, access)
      const failure = world.failure(request, access)
      if (failure !== undefined) return yield* Effect.fail(failure)
    })
  const of = (access: AccountAccess) => world.items.filter(({ account }) => account === access.networkAccountId)

  const pageOf = (access: AccountAccess, feed: Feed, request: FeedRequest, requestedAt: DateTime.Utc): FeedPage => {
    const isX = feed.source === "x_reply"
    const all = of(access)
      .filter((item) => (isX ? item.posted.source === "x_reply" : item.feed === feed.id))
      .filter((item) => !isX || millis(item) > Number(Option.getOrElse(request.checkpoint, () => "-Infinity")))
      .filter((item) => Option.isNone(request.since) || millis(item) >= DateTime.toEpochMillis(request.since.value))
      .toSorted((a, b) => millis(b) - millis(a))
    const from = placeOf(all, request.cursor)
    const size = Option.getOrElse(request.limit, () => world.pageSize)
    const shown = all.slice(from, from + size)
    const last = shown[shown.length - 1]
    const next =
      from + size < all.length && last !== undefined
        ? Option.some(cursorBehind(last, from + size))
        : Option.none<string>()
    return {
      activities: shown.flatMap(({ isHidden = false, posted }): ReadonlyArray<InboundActivity> => [
        posted,
        new HiddenChanged({ ...posted, isHidden, version: 1, asOf: requestedAt })
      ]),
      seen: shown.map(({ posted }) => posted.externalId),
      coversFrom: Option.isSome(next) && last !== undefined ? Option.some(last.posted.receivedAt) : Option.none(),
      next,
      checkpoint: isX && from === 0 && shown[0] !== undefined ? Option.some(String(millis(shown[0]))) : Option.none(),
      read: shown.length,
      suppressed: 0,
      unreadable: [],
      requestedAt
    }
  }

  const listFeeds = Effect.fnUntraced(function* (access: AccountAccess, step: PollStep) {
    if (step === "mentions") {
      const feed: Feed = {
        step,
        source: "x_reply",
        id: access.networkAccountId,
        items: Option.none(),
        updatedAt: Option.none(),
        size: Option.none(),
        firstPage: Option.none()
      }
      return [feed]
    }
    yield* asked(access, `list ${step}`)
    const found = of(access).filter(({ posted }) => stepOf(posted.source) === step)
    const now = yield* DateTime.now
    const posts = step === "comments" ? world.posts : []
    return Array.from(new Set([...posts, ...found].map(({ feed }) => feed))).map((id): Feed => {
      const items = found.filter(({ feed }) => feed === id)
      const source = items[0]?.posted.source ?? "ig_comment"
      const isConversation = step === "messages"
      const newest = Math.max(...items.map(millis))
      const feed: Feed = {
        step,
        source,
        id,
        items: Option.some({ by: isConversation ? "threadKey" : "linkedPostId", value: id }),
        updatedAt: isConversation ? Option.some(DateTime.makeUnsafe(newest)) : Option.none(),
        size: Option.map(Option.fromUndefinedOr(posts.find(({ feed }) => feed === id)), ({ size }) => size),
        firstPage: Option.none()
      }
      return isConversation && world.bringsPages
        ? { ...feed, firstPage: Option.some(pageOf(access, feed, noRequest, now)) }
        : feed
    })
  })

  const readFeed = Effect.fnUntraced(function* (access: AccountAccess, feed: Feed, request: FeedRequest) {
    const requestedAt = yield* DateTime.now
    const name = `read ${feed.id} ${Option.getOrElse(request.cursor, () => "0").split(" ")[0]}`
    yield* asked(access, name)
    const page = pageOf(access, feed, request, requestedAt)
    yield* world.after(name, access)
    return page
  })

  const isThere = Effect.fnUntraced(function* (access: AccountAccess, source: Source, externalId: string) {
    yield* asked(access, `isThere ${externalId}`)
    return of(access).some(({ posted }) => posted.source === source && posted.externalId === externalId)
  })
  networks.script = { ...networks.script, listFeeds, readFeed, isThere }
  return world
})
