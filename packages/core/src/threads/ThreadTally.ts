import * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { InboxItemId } from "../kernel/Ids.ts"
import type { IngestChange, IngestFacts } from "../items/decideIngest.ts"
import type { ItemPosition } from "../items/InboxItem.ts"
import { type LiveItem, type StoredItem, type ThreadName, threadOf } from "../items/StoredItem.ts"
import { unreadDelta } from "../items/unreadDelta.ts"

/** A person's newest item in a thread. */
export interface Spoken {
  /** Tells people apart: by id, else by name. */
  readonly by: string
  readonly at: DateTime.Utc
  readonly itemId: InboxItemId
}

/** What a thread keeps of its items, so that no reader counts them. */
export interface ThreadTally {
  readonly itemCount: number
  /** Items that are neither read nor the account's own. */
  readonly unreadCount: number
  readonly last: Option.Option<ItemPosition>
  readonly lastInboundAt: Option.Option<DateTime.Utc>
  /** When the first item was stored, even if that is deleted since. */
  readonly createdAt: Option.Option<DateTime.Utc>
  /** The newest first. */
  readonly participants: ReadonlyArray<Spoken>
}

/** Of a thread without items. */
export const emptyTally: ThreadTally = {
  itemCount: 0,
  unreadCount: 0,
  last: Option.none(),
  lastInboundAt: Option.none(),
  createdAt: Option.none(),
  participants: []
}

/** How many participants a thread keeps: more than it shows, for some have no name yet. */
export const keptParticipants = 8

/** How a change of one item is told: `undefined` is no item, or a deleted one. */
export interface ItemChange {
  readonly before: LiveItem | undefined
  readonly after: LiveItem | undefined
}

/** A thread after changes of its items. */
export interface TallyChange {
  readonly name: ThreadName
  readonly tally: ThreadTally
  /** How many items are new. */
  readonly added: number
  /** The newest item or a participant's was taken away: these members are to be read anew from the items. */
  readonly isStale: boolean
}

/** Whom an item is told by; none for the account itself, and for people without id and name. */
export const speakerOf = ({ authorId, authorName, isOwn }: LiveItem): string | undefined =>
  isOwn
    ? undefined
    : Option.getOrUndefined(
        Option.orElse(
          Option.map(authorId, (id) => `id:${id}`),
          () => Option.map(authorName, (name) => `name:${name}`)
        )
      )

const isNewer = (a: ItemPosition, b: ItemPosition): boolean => {
  const [x, y] = [DateTime.toEpochMillis(a.receivedAt), DateTime.toEpochMillis(b.receivedAt)]
  return x === y ? a.id > b.id : x > y
}

const placeOf = ({ at, itemId }: Spoken): ItemPosition => ({ receivedAt: at, id: itemId })

const withSpoken = (participants: ReadonlyArray<Spoken>, item: LiveItem): ReadonlyArray<Spoken> => {
  const by = speakerOf(item)
  if (by === undefined) return participants
  const known = participants.find((one) => one.by === by)
  if (known !== undefined && isNewer(placeOf(known), item)) return participants
  const spoken: Spoken = { by, at: item.receivedAt, itemId: item.id }
  return [...participants.filter((one) => one.by !== by), spoken]
    .sort((a, b) => (isNewer(placeOf(a), placeOf(b)) ? -1 : 1))
    .slice(0, keptParticipants)
}

const later = (known: Option.Option<DateTime.Utc>, at: DateTime.Utc): Option.Option<DateTime.Utc> =>
  Option.some(Option.match(known, { onNone: () => at, onSome: (one) => DateTime.max(one, at) }))

/** The tally with one item more. */
const withItem = (tally: ThreadTally, item: LiveItem): ThreadTally => ({
  itemCount: tally.itemCount + 1,
  unreadCount: tally.unreadCount + unreadDelta(undefined, item),
  last: Option.exists(tally.last, (last) => isNewer(last, item))
    ? tally.last
    : Option.some({ receivedAt: item.receivedAt, id: item.id }),
  lastInboundAt: item.isOwn ? tally.lastInboundAt : later(tally.lastInboundAt, item.receivedAt),
  createdAt: Option.orElse(tally.createdAt, () => Option.some(item.createdAt)),
  participants: withSpoken(tally.participants, item)
})

/** Counted from the items themselves. */
export const tallyOf = (items: Iterable<LiveItem>): ThreadTally => {
  let tally = emptyTally
  for (const item of items) {
    const createdAt = Option.map(tally.createdAt, (at) => DateTime.min(at, item.createdAt))
    tally = withItem({ ...tally, createdAt }, item)
  }
  return tally
}

/** Whether members that are not counts may depend on the item. */
const isSeen = (tally: ThreadTally, item: LiveItem): boolean =>
  Option.exists(tally.last, ({ id }) => id === item.id) ||
  (!item.isOwn && Option.exists(tally.lastInboundAt, (at) => Equal.equals(at, item.receivedAt))) ||
  tally.participants.some(({ itemId }) => itemId === item.id)

const isPlacedAlike = (a: LiveItem, b: LiveItem): boolean =>
  Equal.equals(a.receivedAt, b.receivedAt) && a.isOwn === b.isOwn && speakerOf(a) === speakerOf(b)

const change = (
  { isStale, tally }: Pick<TallyChange, "tally" | "isStale">,
  { after, before }: ItemChange
): Pick<TallyChange, "tally" | "isStale"> => {
  if (before === undefined) return { isStale, tally: after === undefined ? tally : withItem(tally, after) }
  const counted: ThreadTally = {
    ...tally,
    itemCount: tally.itemCount + (after === undefined ? -1 : 0),
    unreadCount: tally.unreadCount + unreadDelta(before, after)
  }
  if (after === undefined) return { tally: counted, isStale: isStale || isSeen(tally, before) }
  return { tally: counted, isStale: isStale || !isPlacedAlike(before, after) }
}

const live = (item: StoredItem | undefined): LiveItem | undefined => (item?._tag === "LiveItem" ? item : undefined)

/**
 * The threads that a unit of ingest changes, in the order in which it changes them. One that is not among `tallies` has
 * none yet, and its tally is empty.
 */
export const tallyIngest = (
  facts: Pick<IngestFacts, "items">,
  ingested: Pick<IngestChange, "items">,
  tallies: ReadonlyMap<string, ThreadTally>
): ReadonlyArray<TallyChange> => {
  const changed = new Map<string, TallyChange>()
  for (const [key, item] of ingested.items) {
    const [before, after] = [live(facts.items.get(key)), live(item)]
    const named = after ?? before
    if (named === undefined) continue
    const name = threadOf(named)
    const so = changed.get(name) ?? {
      name: { source: named.source, threadKey: named.threadKey },
      tally: tallies.get(name) ?? emptyTally,
      added: 0,
      isStale: false
    }
    const isNew = before === undefined ? 1 : 0
    changed.set(name, { ...so, ...change(so, { before, after }), added: so.added + isNew })
  }
  return Array.from(changed.values())
}
