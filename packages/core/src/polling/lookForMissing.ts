import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import { Deleted } from "../networks/InboundActivity.ts"
import type { Network } from "../networks/Source.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { type AccountPoll, type PollPorts, requestsAtOnce } from "./AccountPoll.ts"
import type { AccountReader } from "./AccountReader.ts"
import type { ExpectedItems } from "../sync/feedRules.ts"
import * as syncMetrics from "./syncMetrics.ts"
import type { MissingItems } from "../inbox/IngestStore.ts"
import type { ItemKey } from "../items/StoredItem.ts"

/** Maximum number of missing items that one poll looks up by id (social-networks.md §8). */
const mostLooks = 20
/** Shortest interval between two look-ups of one item. */
const lookPause = { hours: 1 } as const

/** Up to this many items missing from one list are always plausible. */
const fewOfList = 4
/** The same for all lists of a source together. */
const fewOfSource = 9
/** The same for whole posts and conversations. */
const fewWhole = 2

/** One complete read: the expected items, and those that were missing. */
export interface CheckedRead {
  readonly expected: ExpectedItems
  readonly missing: MissingItems
}

/**
 * Whether so much is missing from a list that the list is probably wrong. An app that loses a permission gets empty
 * lists without an error, and then "does not exist" for every id, which would delete the account's whole inbox.
 */
const isDoubtful = ({ expected: { seen, size }, missing: { count } }: CheckedRead): boolean => {
  const isEmptyThoughCounted = seen.length === 0 && Option.exists(size, (elements) => elements > 0)
  return (isEmptyThoughCounted && count > 0) || (count > fewOfList && count > seen.length)
}

/** The same for all lists of a source together, since each of them may have had few items. */
const isSourceDoubtful = (all: ReadonlyArray<CheckedRead>): boolean => {
  const lost = all.reduce((sum, { missing }) => sum + missing.count, 0)
  return lost > fewOfSource && lost > all.reduce((sum, { expected }) => sum + expected.seen.length, 0)
}

/**
 * The reads whose missing items are plausible. Posts and conversations that are in no list are judged by their
 * look-ups.
 */
export const believable = (all: ReadonlyArray<CheckedRead>): ReadonlyArray<CheckedRead> => {
  const read = all.filter(({ expected }) => expected.isListed)
  const doubtful = new Set(
    read
      .map(({ expected }) => expected.source)
      .filter((source) => isSourceDoubtful(read.filter(({ expected }) => expected.source === source)))
  )
  return all.filter((one) => !one.expected.isListed || !(isDoubtful(one) || doubtful.has(one.expected.source)))
}

/** An item that was looked up by its id. */
export interface Looked {
  readonly item: ItemKey
  readonly hangsOn: string
  readonly isGone: boolean
  readonly at: DateTime.Utc
}

/**
 * Whether it is plausible that whole posts or conversations were deleted: others of the account can still be read, and
 * are more than the deleted ones, unless those are few.
 */
export const isWholeBelievable = (listed: ReadonlyArray<string>, looks: ReadonlyArray<Looked>): boolean => {
  const there = new Set([...listed, ...looks.flatMap(({ hangsOn, isGone }) => (isGone ? [] : [hangsOn]))])
  const gone = new Set(looks.flatMap(({ hangsOn, isGone }) => (isGone ? [hangsOn] : [])))
  return there.size > 0 && (gone.size <= fewWhole || gone.size <= there.size)
}

type Candidate = MissingItems["items"][number] & { readonly expected: ExpectedItems }

const newestFirst = Order.mapInput(Order.flip(DateTime.Order), ({ receivedAt }: Candidate) => receivedAt)

const countIn = (reads: ReadonlyArray<CheckedRead>): number =>
  reads.reduce((sum, { missing }) => sum + missing.count, 0)

const tellDoubt = Effect.fnUntraced(function* (network: Network, items: number) {
  if (items === 0) return
  yield* Metric.update(Metric.withAttributes(syncMetrics.doubted, { network }), items)
  yield* Effect.logWarning("lists lost most of what they had at once, so nothing of it is deleted", { network, items })
})

/**
 * Looks up items that are missing from a complete read, and deletes those that the network says do not exist. Deletes
 * nothing when so much is missing that the lists are probably wrong.
 */
export const lookForMissing = Effect.fnUntraced(function* (
  ports: PollPorts,
  poll: AccountPoll,
  reader: AccountReader,
  expected: ReadonlyArray<ExpectedItems>,
  started: DateTime.Utc
) {
  const { claim, connector } = poll
  const recent = claim.state.looks.filter(({ at }) => DateTime.isGreaterThan(DateTime.add(at, lookPause), started))
  if (expected.length === 0) return recent
  const unasked = expected.map((one) => ({
    ...one,
    seen: [...one.seen, ...recent.flatMap((look) => (look.source === one.source ? [look.externalId] : []))]
  }))
  const found = yield* ports.store.findMissing(claim.workspaceId, claim.accountId, unasked, mostLooks)
  const checked = expected.flatMap((one, place) => {
    const missing = found[place]
    return missing === undefined ? [] : [{ expected: one, missing }]
  })
  const believed = believable(checked)
  const candidates = believed
    .flatMap((one) => one.missing.items.map((item): Candidate => ({ ...item, expected: one.expected })))
    .toSorted(newestFirst)
    .slice(0, mostLooks)
  const looks = yield* askFor(poll, reader, candidates)
  const gone = looks.filter((look) => {
    if (!look.isGone || look.expected.isListed) return look.isGone
    return isWholeBelievable(
      look.expected.values,
      looks.filter((other) => other.expected === look.expected)
    )
  })
  const doubted = looks.filter((look) => look.isGone && !gone.includes(look))
  yield* tellDoubt(connector.network, countIn(checked) - countIn(believed) + doubted.length)
  if (gone.length > 0) yield* remove(ports, poll, gone)
  return [...recent, ...looks.flatMap((look) => (gone.includes(look) ? [] : [{ ...look.item, at: look.at }]))]
})

const askFor = (
  { connector: { isThere }, networks: { traitsOf } }: AccountPoll,
  reader: AccountReader,
  candidates: ReadonlyArray<Candidate>
): Effect.Effect<ReadonlyArray<Looked & { readonly expected: ExpectedItems }>, StoreUnavailable> =>
  Effect.forEach(
    candidates,
    Effect.fnUntraced(function* ({ expected, externalId, hangsOn, source }) {
      const at = yield* DateTime.now
      const answer = yield* reader.ask(traitsOf(source).pollStep, (access) => isThere(access, source, externalId))
      if (Option.isNone(answer)) return []
      const isGone = answer.value._tag === "Refused" ? answer.value.isGone : !answer.value.value
      return [{ item: { source, externalId }, hangsOn, isGone, at, expected }]
    }),
    { concurrency: requestsAtOnce }
  ).pipe(Effect.map((all) => all.flat()))

const remove = ({ ingest }: PollPorts, { account, claim }: AccountPoll, gone: ReadonlyArray<Looked>) => {
  const { network, networkAccountId, username } = account.account
  const route = { network, accountId: Option.some(networkAccountId), username }
  return ingest.ingestPages({
    ...claim,
    pages: gone.map(({ at, item }) => ({ activities: [new Deleted({ route, ...item })], requestedAt: at })),
    poll: () => ({ claim, notes: () => ({ feeds: [], read: 0, backfill: Option.none() }) })
  })
}
