import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Feed, FeedPage } from "../connectors/Feed.ts"
import { Deleted } from "../connectors/InboundActivity.ts"
import type { SocialConnector } from "../connectors/SocialConnector.ts"
import { type Source, sourcesOf } from "../connectors/Source.ts"
import { type AccountReader, makeAccountReader } from "./AccountReader.ts"
import type { OpenAccount } from "./AccountTokens.ts"
import {
  type ExpectedItems,
  expectedOf,
  goesOn,
  isOpened,
  type Reading,
  requestOf,
  stateAfter,
  stepOf,
  unlisted,
  window
} from "./feedRules.ts"
import type { Ingest } from "./Ingest.ts"
import type { IngestOutcome, InboxStore } from "./InboxStore.ts"
import { type ItemKey, keyOf } from "./StoredItem.ts"
import { type JudgedFailure, refused } from "./syncFailures.ts"
import { feedKey, type FeedState, type PollState } from "./SyncRun.ts"
import type { PollNotes, SyncClaim } from "./SyncStore.ts"

export interface PollPorts {
  readonly ingest: Ingest["Service"]
  readonly store: InboxStore["Service"]
}

/** One account that is to be polled. */
export interface AccountPoll {
  readonly claim: SyncClaim
  readonly account: OpenAccount
  readonly connector: SocialConnector
  /** By `feedKey`. */
  readonly feeds: ReadonlyMap<string, FeedState>
}

export interface PollOutcome {
  readonly read: number
  readonly newItems: number
  readonly failures: ReadonlyArray<JudgedFailure>
  readonly state: PollState
}

/** Feeds of one account that are read at once. */
const feedsAtOnce = 4

/** Items that one poll asks for by their ids, to know whether they are gone (social-networks.md §8). */
const mostLooks = 20
/** One item is asked for no sooner again. */
const lookPause = { hours: 1 } as const
/** What hangs on nothing that is listed is rare: it is looked for now and then. */
const searchPause = { minutes: 55 } as const

/** What happened to a reading in one round. */
type Step =
  | { readonly _tag: "Page"; readonly reading: Reading; readonly page: FeedPage }
  /** Without a page: the post is gone, or empty as its listing says. */
  | { readonly _tag: "Empty"; readonly reading: Reading }
  /** The cursor of an earlier poll is no longer good. */
  | { readonly _tag: "Again"; readonly reading: Reading }
  | { readonly _tag: "Failed" }

/** Polls one account: every step, each feed from its newest page to what is known; then what a poll can't show. */
export const pollAccount = Effect.fnUntraced(function* (ports: PollPorts, poll: AccountPoll) {
  const started = yield* DateTime.now
  const windowStart = DateTime.subtract(started, window)
  const reader = makeAccountReader(poll.account)
  for (const { error, until } of poll.claim.state.blocked) {
    if (DateTime.isGreaterThan(until, started)) reader.fail({ error, stops: "step", until: Option.some(until) })
  }
  const { listed, readings } = yield* listReadings(poll, reader, started)
  const sum = { read: 0, newItems: 0 }
  const ended: Array<Reading> = []
  for (let open = readings; open.length > 0;) {
    const steps = yield* Effect.forEach(open, (reading) => readPage(poll, reader, reading), {
      concurrency: feedsAtOnce
    })
    const round = yield* storeRound(ports, poll, steps, windowStart)
    sum.read += round.read
    sum.newItems += round.newItems
    ended.push(...round.ended)
    open = round.open
  }
  const { searchedAt } = poll.claim.state
  const isSearched = !Option.exists(searchedAt, (at) => DateTime.isGreaterThan(DateTime.add(at, searchPause), started))
  const expected = [
    ...ended.flatMap((reading) => Option.toArray(expectedOf(reading, started))),
    ...(isSearched
      ? Array.from(listed).flatMap(([source, feeds]) => Option.toArray(unlisted(source, feeds, windowStart, started)))
      : [])
  ]
  const looks = yield* lookForMissing(ports, poll, reader, expected, started)
  const failures = reader.failures()
  const state: PollState = {
    ...stateOf(failures),
    looks,
    searchedAt: isSearched ? Option.some(started) : searchedAt
  }
  const outcome: PollOutcome = { ...sum, failures, state }
  return outcome
})

/** What is left alone after these failures. */
const stateOf = (failures: ReadonlyArray<JudgedFailure>): Pick<PollState, "wait" | "blocked"> => {
  const paused = (stops: JudgedFailure["stops"]) =>
    failures.flatMap(({ error, stops: stopped, until }) =>
      stopped === stops && Option.isSome(until) ? [{ until: until.value, error }] : []
    )
  return { wait: Option.fromUndefinedOr(paused("account")[0]), blocked: paused("step") }
}

const listReadings = Effect.fnUntraced(function* (
  { connector, feeds }: AccountPoll,
  reader: AccountReader,
  started: DateTime.Utc
) {
  const windowStart = DateTime.subtract(started, window)
  const readings: Array<Reading> = []
  const listed = new Map<Source, ReadonlyArray<Feed>>()
  for (const step of connector.pollSteps) {
    const answer = yield* reader.ask(step, (access) => connector.listFeeds(access, step, windowStart))
    if (Option.isNone(answer)) continue
    if (answer.value._tag === "Refused") {
      reader.fail(refused(step))
      continue
    }
    const found = answer.value.value
    for (const source of sourcesOf(connector.network).filter((one) => stepOf(one) === step)) listed.set(source, found)
    for (const feed of found) {
      const state = Option.fromUndefinedOr(feeds.get(feedKey({ source: feed.source, feedId: feed.id })))
      if (isOpened(feed, state, started)) readings.push({ feed, state, pages: [] })
    }
  }
  return { listed, readings }
})

const readPage = Effect.fnUntraced(function* ({ connector }: AccountPoll, reader: AccountReader, reading: Reading) {
  const { feed, pages, state } = reading
  const isFirst = pages.length === 0
  const failed: Step = { _tag: "Failed" }
  if (isFirst && Option.contains(feed.size, 0)) return { _tag: "Empty", reading } satisfies Step
  const hasPending = Option.exists(state, ({ pending }) => Option.isSome(pending))
  if (isFirst && !hasPending && Option.isSome(feed.firstPage)) {
    return { _tag: "Page", reading, page: feed.firstPage.value } satisfies Step
  }
  const answer = yield* reader.ask(feed.step, (access) => connector.readFeed(access, feed, requestOf(reading)))
  if (Option.isNone(answer)) return failed
  if (answer.value._tag === "Answered") return { _tag: "Page", reading, page: answer.value.value } satisfies Step
  if (answer.value.isGone) return { _tag: "Empty", reading: { ...reading, pages: [] } } satisfies Step
  if (isFirst && hasPending) return { _tag: "Again", reading } satisfies Step
  reader.fail(refused(feed.step))
  return failed
})

const isChangedBy = ({ activities }: FeedPage, { changed }: IngestOutcome): boolean =>
  activities.some((activity) => activity._tag !== "AccessRevoked" && changed.has(keyOf(activity)))

/** Stores the pages of one round in one transaction, and says which feeds go on. */
const storeRound = Effect.fnUntraced(function* (
  { ingest }: PollPorts,
  { claim }: AccountPoll,
  steps: ReadonlyArray<Step>,
  windowStart: DateTime.Utc
) {
  const read = steps.flatMap((step) =>
    step._tag === "Page"
      ? [{ page: step.page, reading: { ...step.reading, pages: [...step.reading.pages, step.page] } }]
      : []
  )
  const again = steps.flatMap((step): ReadonlyArray<Reading> =>
    step._tag === "Again" ? [{ ...step.reading, state: Option.map(step.reading.state, withoutPending) }] : []
  )
  const empty = steps.flatMap((step) => (step._tag === "Empty" ? [step.reading] : []))
  const count = read.reduce((sum, { page }) => sum + page.read, 0)
  if (read.length === 0) return { read: 0, newItems: 0, open: again, ended: empty }
  const isOpen = ({ page, reading }: (typeof read)[number], outcome: IngestOutcome) =>
    goesOn(reading, isChangedBy(page, outcome), windowStart)
  const outcome = yield* ingest.ingestPages({
    ...claim,
    pages: read.map(({ page }) => page),
    poll: (waiting) => ({
      claim,
      notes: (stored): PollNotes => ({
        // What waits for its thread is read again the next time, and so is what stands beside it.
        feeds: waiting > 0 ? [] : read.flatMap((one) => Option.toArray(stateAfter(one.reading, !isOpen(one, stored)))),
        read: count,
        backfill: Option.none()
      })
    })
  })
  const open = read.filter((one) => isOpen(one, outcome)).map(({ reading }) => reading)
  const ended = read.filter((one) => !isOpen(one, outcome)).map(({ reading }) => reading)
  return { read: count, newItems: outcome.created, open: [...again, ...open], ended: [...empty, ...ended] }
})

const withoutPending = (state: FeedState): FeedState => ({ ...state, pending: Option.none() })

/** Asks for what a complete read should have shown and did not, and deletes what the network says is not there. */
const lookForMissing = Effect.fnUntraced(function* (
  { ingest, store }: PollPorts,
  { account, claim, connector }: AccountPoll,
  reader: AccountReader,
  given: ReadonlyArray<ExpectedItems>,
  started: DateTime.Utc
) {
  const recent = claim.state.looks.filter(({ at }) => DateTime.isGreaterThan(DateTime.add(at, lookPause), started))
  const expected = given.map((one) => ({
    ...one,
    seen: [...one.seen, ...recent.flatMap((look) => (look.source === one.source ? [look.externalId] : []))]
  }))
  if (expected.length === 0) return recent
  const missing = yield* store.findMissing(claim.workspaceId, claim.accountId, expected, mostLooks)
  const looks = yield* Effect.forEach(
    missing,
    Effect.fnUntraced(function* (item: ItemKey) {
      const step = stepOf(item.source)
      const at = yield* DateTime.now
      const answer = yield* reader.ask(step, (access) => connector.isThere(access, item.source, item.externalId))
      if (Option.isNone(answer)) return []
      const isGone = answer.value._tag === "Refused" ? answer.value.isGone : !answer.value.value
      return [{ item, isGone, at }]
    }),
    { concurrency: feedsAtOnce }
  ).pipe(Effect.map((all) => all.flat()))
  const gone = looks.filter(({ isGone }) => isGone)
  if (gone.length > 0) {
    const { network, networkAccountId, username } = account.account
    const route = { network, accountId: Option.some(networkAccountId), username }
    yield* ingest.ingestPages({
      ...claim,
      pages: gone.map(({ at, item }) => ({ activities: [new Deleted({ route, ...item })], requestedAt: at })),
      poll: () => ({ claim, notes: () => ({ feeds: [], read: 0, backfill: Option.none() }) })
    })
  }
  return [
    ...recent,
    ...looks.flatMap(({ at, isGone, item }) =>
      isGone ? [] : [{ source: item.source, externalId: item.externalId, at }]
    )
  ]
})
