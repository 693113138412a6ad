import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Feed, FeedPage } from "../networks/Feed.ts"
import type { Posted } from "../networks/InboundActivity.ts"
import type { Source } from "../networks/Source.ts"
import { type AccountPoll, type PollPorts, requestsAtOnce } from "./AccountPoll.ts"
import { type AccountReader, makeAccountReader } from "./AccountReader.ts"
import {
  expectedOf,
  goesOn,
  isOpened,
  type Reading,
  requestOf,
  stateAfter,
  unlisted,
  window
} from "../sync/feedRules.ts"
import type { IngestOutcome } from "../inbox/IngestStore.ts"
import { lookForMissing } from "./lookForMissing.ts"
import { keyOf } from "../items/StoredItem.ts"
import { type JudgedFailure, refused } from "../sync/syncFailures.ts"
import { feedKey, type FeedState, type PollState } from "../sync/SyncRun.ts"
import type { PollNotes } from "../sync/PollStore.ts"

export interface PollOutcome {
  readonly read: number
  readonly newItems: number
  readonly failures: ReadonlyArray<JudgedFailure>
  readonly state: PollState
}

/** Items of posts and conversations that are no longer listed are rare, so they are checked at this interval. */
const searchPause = { minutes: 55 } as const

/** The result of one request of a feed. */
type Step =
  | { readonly _tag: "Page"; readonly reading: Reading; readonly page: FeedPage }
  /** No page: the post was deleted, or its listing says that it is empty. */
  | { readonly _tag: "Empty"; readonly reading: Reading }
  /** The cursor of an earlier poll is not valid any more. */
  | { readonly _tag: "Again"; readonly reading: Reading }
  | { readonly _tag: "Failed" }

/** Polls one account: every step, each feed from its newest page to known items; then looks up missing items. */
export const pollAccount = Effect.fnUntraced(function* (ports: PollPorts, poll: AccountPoll) {
  const started = yield* DateTime.now
  const windowStart = DateTime.subtract(started, window)
  const reader = makeAccountReader(poll.account)
  for (const { error, until } of poll.claim.state.blocked) {
    if (DateTime.isGreaterThan(until, started)) reader.fail({ error, stops: "step", until: Option.some(until) })
  }
  const { listed, readings } = yield* listReadings(poll, reader, started)
  const sum = { read: 0, newItems: 0 }
  const waiting: Array<Posted> = []
  const ended: Array<Reading> = []
  for (let open = readings; open.length > 0;) {
    const steps = yield* Effect.forEach(open, (reading) => readPage(poll, reader, reading), {
      concurrency: requestsAtOnce
    })
    const round = yield* storeRound(ports, poll, steps, windowStart, waiting)
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
      ? Array.from(listed).flatMap(([source, feeds]) =>
          Option.toArray(unlisted(poll.networks.traitsOf(source), feeds, windowStart, started))
        )
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

/** What to skip in later polls after these failures. */
const stateOf = (failures: ReadonlyArray<JudgedFailure>): Pick<PollState, "wait" | "blocked"> => {
  const paused = (stops: JudgedFailure["stops"]) =>
    failures.flatMap(({ error, stops: stopped, until }) =>
      stopped === stops && Option.isSome(until) ? [{ until: until.value, error }] : []
    )
  return { wait: Option.fromUndefinedOr(paused("account")[0]), blocked: paused("step") }
}

const listReadings = Effect.fnUntraced(function* (
  { connector, feeds, isAsked, networks }: AccountPoll,
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
    for (const source of networks.sourcesOf(connector.network)) {
      if (networks.traitsOf(source).pollStep === step) listed.set(source, found)
    }
    for (const feed of found) {
      const state = Option.fromUndefinedOr(feeds.get(feedKey({ source: feed.source, feedId: feed.id })))
      if (isOpened(feed, state, started, isAsked))
        readings.push({ feed, traits: networks.traitsOf(feed.source), state, pages: [] })
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
  activities.some((activity) => "externalId" in activity && changed.has(keyOf(activity)))

/** When the oldest of these items was written, of those that the pages of a feed have. */
const oldestIn = ({ pages }: Reading, items: ReadonlyArray<Posted>): Option.Option<DateTime.Utc> => {
  if (items.length === 0) return Option.none()
  const shown = new Set(
    pages.flatMap(({ activities }) => activities.flatMap((one) => ("externalId" in one ? [keyOf(one)] : [])))
  )
  const [first, ...others] = items.filter((item) => shown.has(keyOf(item))).map(({ receivedAt }) => receivedAt)
  return Option.map(Option.fromUndefinedOr(first), (at) => others.reduce((a, b) => DateTime.min(a, b), at))
}

/** Stores the pages of one round in one transaction, and returns the feeds with more pages. */
const storeRound = Effect.fnUntraced(function* (
  { ingest }: PollPorts,
  { claim }: AccountPoll,
  steps: ReadonlyArray<Step>,
  windowStart: DateTime.Utc,
  /** The items of this poll, on whichever page, that wait for their thread key. */
  waiting: Array<Posted>
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
    poll: (unsettled) => {
      waiting.push(...unsettled)
      return {
        claim,
        notes: (stored): PollNotes => ({
          feeds: read.flatMap((one) =>
            Option.toArray(stateAfter(one.reading, !isOpen(one, stored), oldestIn(one.reading, waiting)))
          ),
          read: count,
          backfill: Option.none()
        })
      }
    }
  })
  const open = read.filter((one) => isOpen(one, outcome)).map(({ reading }) => reading)
  const ended = read.filter((one) => !isOpen(one, outcome)).map(({ reading }) => reading)
  return { read: count, newItems: outcome.created, open: [...again, ...open], ended: [...empty, ...ended] }
})

const withoutPending = (state: FeedState): FeedState => ({ ...state, pending: Option.none() })
