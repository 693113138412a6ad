import { DateTime, Effect, Option } from "effect"
import type { ReadFailed } from "../../src/connectors/ConnectorErrors.ts"
import type { Feed, FeedPage, FeedRequest, PollStep } from "../../src/connectors/Feed.ts"
import { HiddenChanged, type InboundActivity, type Posted } from "../../src/connectors/InboundActivity.ts"
import type { AccountAccess } from "../../src/connectors/SocialConnector.ts"
import type { Source } from "../../src/connectors/Source.ts"
import { FakeNetworks } from "../../src/testing/FakeConnector.ts"

/** One thing that stands on a fake network. */
export interface FakeItem {
  readonly account: string
  readonly feed: string
  readonly posted: Posted
  readonly isHidden?: boolean
}

/** A fake network: what stands on it, and what was asked of it. */
export interface FakeFeeds {
  items: ReadonlyArray<FakeItem>
  readonly pageSize: number
  /** The newest page of a conversation comes along with the list. */
  bringsPages: boolean
  readonly requests: Array<string>
  /** Fails a request, by what it asks. */
  failure: (request: string, access: AccountAccess) => ReadFailed | undefined
  /** Done before each answer. */
  before: (request: string, access: AccountAccess) => Effect.Effect<void>
}

const noRequest: FeedRequest = {
  cursor: Option.none(),
  checkpoint: Option.none(),
  since: Option.none(),
  limit: Option.none()
}

const millis = ({ posted }: FakeItem) => DateTime.toEpochMillis(posted.receivedAt)

const stepOf = (source: Source): PollStep => {
  if (source === "x_reply") return "mentions"
  if (source === "threads_reply") return "replies"
  return source.endsWith("_dm") ? "messages" : "comments"
}

/** Scripts the fake networks with feeds of pages, newest first; X filters by its checkpoint, the newest id's place. */
export const fakeFeeds = Effect.fnUntraced(function* (pageSize = 3) {
  const networks = yield* FakeNetworks
  const world: FakeFeeds = {
    items: [],
    pageSize,
    bringsPages: false,
    requests: [],
    failure: () => undefined,
    before: () => Effect.void
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
    const from = Number(Option.getOrElse(request.cursor, () => "0"))
    const size = Option.getOrElse(request.limit, () => world.pageSize)
    const shown = all.slice(from, from + size)
    const last = shown[shown.length - 1]
    const next = from + size < all.length ? Option.some(String(from + size)) : Option.none<string>()
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
    return Array.from(new Set(found.map(({ feed }) => feed))).map((id): Feed => {
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
        size: Option.none(),
        firstPage: Option.none()
      }
      return isConversation && world.bringsPages
        ? { ...feed, firstPage: Option.some(pageOf(access, feed, noRequest, now)) }
        : feed
    })
  })

  const readFeed = Effect.fnUntraced(function* (access: AccountAccess, feed: Feed, request: FeedRequest) {
    const requestedAt = yield* DateTime.now
    yield* asked(access, `read ${feed.id} ${Option.getOrElse(request.cursor, () => "0")}`)
    return pageOf(access, feed, request, requestedAt)
  })

  const isThere = Effect.fnUntraced(function* (access: AccountAccess, source: Source, externalId: string) {
    yield* asked(access, `isThere ${externalId}`)
    return of(access).some(({ posted }) => posted.source === source && posted.externalId === externalId)
  })
  networks.script = { ...networks.script, listFeeds, readFeed, isThere }
  return world
})
