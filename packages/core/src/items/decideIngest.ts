import type * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { Deleted, type Posted } from "../networks/InboundActivity.ts"
import type { NetworkTable } from "../networks/Networks.ts"
import type { Source } from "../networks/Source.ts"
import { type Arrival, postedIn } from "./Arrival.ts"
import { threadUpdated } from "./decideMove.ts"
import { isNameless, type KnownPerson, withName } from "./decideName.ts"
import { type InboxEvent, itemUpdated } from "./InboxEvent.ts"
import { type InboxItem, toInboxItem } from "./InboxItem.ts"
import { type ItemActivity, type MergeableItem, mergeActivity, type MergeContext } from "./mergeActivity.ts"
import { type ItemKey, keyOf, type LiveItem, type StoredItem, threadOf } from "./StoredItem.ts"
import { isSameThread, reopen, untouched, type WorkState } from "./Thread.ts"
import { type PublishedPosts, withPost } from "./ownPost.ts"
import { unreadDelta } from "./unreadDelta.ts"

/** What a store reads in its transaction, under locks, as input of `decideIngest`. */
export interface IngestFacts {
  readonly networks: NetworkTable
  readonly account: SocialAccount
  /** By `keyOf`: every id of `idsOf`, and the target of each alias. */
  readonly items: ReadonlyMap<string, StoredItem>
  /** By `threadOf`: the existing rows of the threads of live items and of new items. */
  readonly threads: ReadonlyMap<string, WorkState>
  /** By id: the existing rows of the authors in `personsOf`. */
  readonly people: ReadonlyMap<string, KnownPerson>
  /** Posts of this program on the account, by the ids in `linkedPostsOf` by which its network names them. */
  readonly posts: PublishedPosts
}

/** A person without a known name, to be looked up once. */
export interface NewPerson {
  readonly personId: string
  /** The source that named the person first. */
  readonly source: Source
}

/** What a store writes, in the same transaction. */
export interface IngestChange {
  /** Rows to upsert, by `keyOf`, each as it is at the end. */
  readonly items: ReadonlyMap<string, StoredItem>
  /** Threads to upsert, by `threadOf`. */
  readonly threads: ReadonlyMap<
    string,
    { readonly source: Source; readonly threadKey: string; readonly state: WorkState }
  >
  /** In the order of their numbers. A new item gets the number of its `NewItem`. */
  readonly events: ReadonlyArray<InboxEvent>
  /** By source: changes of the account's unread counters, without zeros. */
  readonly unread: ReadonlyMap<Source, number>
  readonly people: ReadonlyMap<string, NewPerson>
  readonly created: number
  /** By `keyOf`: items that are new or changed. Only being seen in a list is not a change. */
  readonly changed: ReadonlySet<string>
}

/** Every external id that the facts must contain for these activities. */
export const idsOf = (activities: ReadonlyArray<ItemActivity>): ReadonlyArray<ItemKey> => {
  const keys = new Map<string, ItemKey>()
  const add = (key: ItemKey) => keys.set(keyOf(key), { source: key.source, externalId: key.externalId })
  for (const activity of activities) {
    add(activity)
    const posted = postedIn(activity)
    if (posted !== undefined) add({ source: posted.source, externalId: posted.replyTargetId })
  }
  return Array.from(keys.values())
}

/** The threads that these activities may create items in. */
export const threadsOf = (
  activities: ReadonlyArray<ItemActivity>
): ReadonlyArray<{ readonly source: Source; readonly threadKey: string }> =>
  activities.flatMap((activity) => {
    const posted = postedIn(activity)
    if (posted === undefined) return []
    const { source, threadKey } = posted
    return [{ source, threadKey: threadKey._tag === "Known" ? threadKey.key : threadKey.parentExternalId }]
  })

/** The networks' ids of the posts on which items of these activities hang. */
export const linkedPostsOf = (activities: ReadonlyArray<ItemActivity>): ReadonlyArray<string> =>
  Array.from(
    new Set(activities.flatMap((activity) => Option.toArray(postedIn(activity)?.linkedPostId ?? Option.none())))
  )

/** The authors of these activities. */
export const personsOf = (activities: ReadonlyArray<ItemActivity>): ReadonlyArray<string> =>
  Array.from(new Set(activities.flatMap((activity) => Option.toArray(postedIn(activity)?.author.id ?? Option.none()))))

/**
 * Applies the activities of one account in order to what is stored. The only place where ingest is decided (design §4):
 * adapters read the facts, call this, and write the result.
 */
export const decideIngest = (facts: IngestFacts, arrivals: ReadonlyArray<Arrival>, now: DateTime.Utc): IngestChange => {
  const unit = new Unit(facts, now)
  for (const arrival of arrivals) unit.apply(arrival)
  return unit
}

/** Whether the only news is that a poll saw a known item in a list. */
const isOnlyListed = (before: MergeableItem | undefined, after: MergeableItem): boolean =>
  before?._tag === "LiveItem" && Equal.equals({ ...before, isListed: true }, after)

/** The facts, overlaid with the changes of the activities so far. */
class Unit implements IngestChange {
  readonly items = new Map<string, StoredItem>()
  readonly threads = new Map<string, { source: Source; threadKey: string; state: WorkState }>()
  readonly events: Array<InboxEvent> = []
  readonly unread = new Map<Source, number>()
  readonly people = new Map<string, NewPerson>()
  readonly changed = new Set<string>()
  created = 0
  readonly #facts: IngestFacts
  readonly #now: DateTime.Utc

  constructor(facts: IngestFacts, now: DateTime.Utc) {
    this.#facts = facts
    this.#now = now
  }

  apply({ activity, newId, polledAt }: Arrival): void {
    const context = { networks: this.#facts.networks, account: this.#facts.account, now: this.#now, newId, polledAt }
    const name = this.#aliasTarget(activity)
    const posted = postedIn(activity)
    const isBuried = posted !== undefined && this.#alias(posted)
    // An item that was deleted by the id of a later edit is never shown.
    this.#merge(name, isBuried ? new Deleted(posted) : activity, context)
    if (isBuried) this.#merge(name, posted, context)
    if (activity._tag === "Deleted" && name.externalId !== activity.externalId) this.#bury(activity)
  }

  /** Records the id of an item's later edit. Returns whether the network deleted the item by that id. */
  #alias({ externalId, replyTargetId, source }: Posted): boolean {
    if (replyTargetId === externalId) return false
    const alias = { source, externalId: replyTargetId }
    const known = this.#itemOf(alias)
    if (known === undefined) this.#put({ _tag: "ItemAlias", ...alias, of: externalId })
    return known?._tag === "DeletedItem"
  }

  /** The item of an id: the item itself, or the target of an alias. */
  #aliasTarget({ externalId, source }: ItemKey): ItemKey {
    const item = this.#itemOf({ source, externalId })
    return { source, externalId: item?._tag === "ItemAlias" ? item.of : externalId }
  }

  #merge(name: ItemKey, activity: ItemActivity, context: MergeContext): void {
    const before = this.#mergeable(name)
    const merged = mergeActivity(before, activity, context)
    if (merged === undefined) return
    const named = { ...merged, externalId: name.externalId }
    this.#replace(name, before, withPost(this.#withPerson(before, named), this.#facts.posts))
  }

  /** Marks another id of a deleted item as deleted, so that the item stays deleted if it arrives under that id. */
  #bury({ externalId, source }: ItemKey): void {
    this.#put({ _tag: "DeletedItem", source, externalId, id: Option.none(), threadKey: Option.none() })
  }

  #replace(name: ItemKey, before: MergeableItem | undefined, after: MergeableItem): void {
    if (Equal.equals(before, after)) return
    if (isOnlyListed(before, after)) this.items.set(keyOf(after), after)
    else this.#put(after)
    const was = before?._tag === "LiveItem" ? before : undefined
    const is = after._tag === "LiveItem" ? after : undefined
    const delta = unreadDelta(was, is)
    if (delta !== 0) this.#count(name.source, delta)
    if (is !== undefined) this.#tell(was, is)
    else if (was !== undefined) {
      this.events.push({ _tag: "ItemDeleted", accountId: was.accountId, source: was.source, itemId: was.id })
    }
  }

  #tell(was: LiveItem | undefined, is: LiveItem): void {
    const thread = this.#threadOf(is)
    if (was !== undefined) {
      const item = this.#shown(is, thread)
      if (!Equal.equals(this.#shown(was, thread), item)) this.events.push(itemUpdated(item))
      return
    }
    this.created += 1
    const moved = is.isOwn ? thread : reopen(thread)
    this.events.push({
      _tag: "NewItem",
      accountId: is.accountId,
      source: is.source,
      item: this.#shown(is, moved)
    })
    if (isSameThread(thread, moved)) return
    this.threads.set(threadOf(is), { source: is.source, threadKey: is.threadKey, state: moved })
    this.events.push(threadUpdated(is, moved))
  }

  /** In a conversation the item itself counts as the newest message, which a new one of another person mostly is. */
  #shown(item: LiveItem, thread: WorkState): InboxItem {
    const { account, networks } = this.#facts
    return toInboxItem(networks, item, thread, account, { now: this.#now, newestInboundAt: Option.none() })
  }

  /** Fills in a known author name, or requests a look-up of an unknown one. */
  #withPerson(before: MergeableItem | undefined, after: MergeableItem): MergeableItem {
    if (after._tag !== "LiveItem" || Option.isNone(after.authorId) || !isNameless(after)) return after
    if (before?._tag === "LiveItem" && Option.isSome(before.authorId)) return after
    const personId = after.authorId.value
    const person = this.#facts.people.get(personId)
    if (person === undefined) {
      if (!this.people.has(personId)) this.people.set(personId, { personId, source: after.source })
      return after
    }
    return withName(after, person)
  }

  #itemOf(key: ItemKey): StoredItem | undefined {
    const text = keyOf(key)
    return this.items.get(text) ?? this.#facts.items.get(text)
  }

  #mergeable(key: ItemKey): MergeableItem | undefined {
    const item = this.#itemOf(key)
    return item?._tag === "ItemAlias" ? undefined : item
  }

  #threadOf(item: LiveItem): WorkState {
    const text = threadOf(item)
    return this.threads.get(text)?.state ?? this.#facts.threads.get(text) ?? untouched
  }

  #put(item: StoredItem): void {
    this.items.set(keyOf(item), item)
    this.changed.add(keyOf(item))
  }

  #count(source: Source, delta: number): void {
    const sum = (this.unread.get(source) ?? 0) + delta
    if (sum === 0) this.unread.delete(source)
    else this.unread.set(source, sum)
  }
}
