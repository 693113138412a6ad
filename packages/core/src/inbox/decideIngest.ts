import type * as DateTime from "effect/DateTime"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { Deleted, type Posted } from "../connectors/InboundActivity.ts"
import type { Source } from "../connectors/Source.ts"
import type { InboxItemId } from "../kernel/Ids.ts"
import type { InboxEvent } from "./InboxEvent.ts"
import { toInboxItem } from "./InboxItem.ts"
import { type ItemActivity, type MergeableItem, mergeActivity, type MergeContext } from "./mergeActivity.ts"
import { type ItemKey, keyOf, type LiveItem, type StoredItem, threadOf } from "./StoredItem.ts"
import { isSameThread, reopen, type ThreadState, untouched } from "./Thread.ts"
import { unreadDelta } from "./unreadDelta.ts"

/** What the account's store knows of a person beside the items. */
export interface KnownPerson {
  readonly name: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
}

/** What a store reads, under the locks of its transaction, for core to judge. */
export interface IngestFacts {
  readonly account: SocialAccount
  /** By `keyOf`: every id that `idsOf` names, and for an alias also what it stands for. */
  readonly items: ReadonlyMap<string, StoredItem>
  /** By `threadOf`: the threads of live items above and of what is new, where a row exists. */
  readonly threads: ReadonlyMap<string, ThreadState>
  /** By id: the authors in `personsOf`, where a row exists. */
  readonly people: ReadonlyMap<string, KnownPerson>
}

/** An activity with the id of the item that it may create. */
export interface IdentifiedActivity {
  readonly newId: InboxItemId
  readonly activity: ItemActivity
  /** When the request began that read it: what it says is as of then. None for what the network sent by itself. */
  readonly polledAt: Option.Option<DateTime.Utc>
}

/** A person whose name nobody has told yet: looked up once. */
export interface NewPerson {
  readonly personId: string
  /** How the network was asked for it first. */
  readonly source: Source
}

/** What a store writes, in the same transaction. */
export interface IngestChange {
  /** Rows to upsert, by `keyOf`, each as it is at the end. */
  readonly items: ReadonlyMap<string, StoredItem>
  /** Threads to upsert, by `threadOf`. */
  readonly threads: ReadonlyMap<
    string,
    { readonly source: Source; readonly threadKey: string; readonly state: ThreadState }
  >
  /** In the order of their numbers; a new item carries the number of its `NewItem`. */
  readonly events: ReadonlyArray<InboxEvent>
  /** By source: what is added to the account's unread counters; zeros are left out. */
  readonly unread: ReadonlyMap<Source, number>
  readonly people: ReadonlyMap<string, NewPerson>
  readonly created: number
}

/** Every external id that the facts must have for these activities. */
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

/** The authors that these activities name. */
export const personsOf = (activities: ReadonlyArray<ItemActivity>): ReadonlyArray<string> =>
  Array.from(new Set(activities.flatMap((activity) => Option.toArray(postedIn(activity)?.author.id ?? Option.none()))))

const postedIn = (activity: ItemActivity) =>
  activity._tag === "Posted" ? activity : activity._tag === "Edited" ? Option.getOrUndefined(activity.whole) : undefined

/**
 * Judges activities of one account, one after the other, against what is stored: the only place where ingest is
 * decided (design §4). Adapters read the facts, call this, and write what it says.
 */
export const decideIngest = (
  facts: IngestFacts,
  activities: ReadonlyArray<IdentifiedActivity>,
  now: DateTime.Utc
): IngestChange => {
  const unit = new Unit(facts, now)
  for (const activity of activities) unit.apply(activity)
  return unit
}

/** The facts and, over them, what the activities so far have changed. */
class Unit implements IngestChange {
  readonly items = new Map<string, StoredItem>()
  readonly threads = new Map<string, { source: Source; threadKey: string; state: ThreadState }>()
  readonly events: Array<InboxEvent> = []
  readonly unread = new Map<Source, number>()
  readonly people = new Map<string, NewPerson>()
  created = 0
  readonly #facts: IngestFacts
  readonly #now: DateTime.Utc

  constructor(facts: IngestFacts, now: DateTime.Utc) {
    this.#facts = facts
    this.#now = now
  }

  apply({ activity, newId, polledAt }: IdentifiedActivity): void {
    const context = { account: this.#facts.account, now: this.#now, newId, polledAt }
    const name = this.#aliasTarget(activity)
    const posted = postedIn(activity)
    const isBuried = posted !== undefined && this.#alias(posted)
    // An item that was deleted by the id of its later edit is not shown even for a moment.
    this.#merge(name, isBuried ? new Deleted(posted) : activity, context)
    if (isBuried) this.#merge(name, posted, context)
    if (activity._tag === "Deleted" && name.externalId !== activity.externalId) this.#bury(activity)
  }

  /** Notes the id of an item's later edit. Answers whether the network deleted the item by that id. */
  #alias({ externalId, replyTargetId, source }: Posted): boolean {
    if (replyTargetId === externalId) return false
    const alias = { source, externalId: replyTargetId }
    const known = this.#itemOf(alias)
    if (known === undefined) this.#put({ _tag: "ItemAlias", ...alias, of: externalId })
    return known?._tag === "DeletedItem"
  }

  /** The item that an id stands for: itself, or what it is an alias of. */
  #aliasTarget({ externalId, source }: ItemKey): ItemKey {
    const item = this.#itemOf({ source, externalId })
    return { source, externalId: item?._tag === "ItemAlias" ? item.of : externalId }
  }

  #merge(name: ItemKey, activity: ItemActivity, context: MergeContext): void {
    const before = this.#mergeable(name)
    const merged = mergeActivity(before, activity, context)
    if (merged === undefined) return
    const named = { ...merged, externalId: name.externalId }
    this.#replace(name, before, this.#withPerson(before, named))
  }

  /** Whoever comes back by an alias is the same item, deleted. */
  #bury({ externalId, source }: ItemKey): void {
    this.#put({ _tag: "DeletedItem", source, externalId, id: Option.none(), threadKey: Option.none() })
  }

  #replace(name: ItemKey, before: MergeableItem | undefined, after: MergeableItem): void {
    if (Equal.equals(before, after)) return
    this.#put(after)
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
    const { account } = this.#facts
    const about = { accountId: is.accountId, source: is.source }
    const thread = this.#threadOf(is)
    if (was !== undefined) {
      const item = toInboxItem(is, thread, account)
      if (!Equal.equals(toInboxItem(was, thread, account), item))
        this.events.push({ _tag: "ItemUpdated", ...about, item })
      return
    }
    this.created += 1
    const moved = is.isOwn ? thread : reopen(thread)
    this.events.push({ _tag: "NewItem", ...about, item: toInboxItem(is, moved, account) })
    if (isSameThread(thread, moved)) return
    this.threads.set(threadOf(is), { source: is.source, threadKey: is.threadKey, state: moved })
    this.events.push({ _tag: "ThreadUpdated", ...about, threadKey: is.threadKey, ...moved })
  }

  /** Fills a name that is known, or asks for one that is not. */
  #withPerson(before: MergeableItem | undefined, after: MergeableItem): MergeableItem {
    if (after._tag !== "LiveItem" || after.isOwn) return after
    if (Option.isNone(after.authorId) || Option.isSome(after.authorName)) return after
    if (before?._tag === "LiveItem" && Option.isSome(before.authorId)) return after
    const personId = after.authorId.value
    const person = this.#facts.people.get(personId)
    if (person === undefined) {
      if (!this.people.has(personId)) this.people.set(personId, { personId, source: after.source })
      return after
    }
    return {
      ...after,
      authorName: person.name,
      authorAvatarUrl: Option.orElse(after.authorAvatarUrl, () => person.avatarUrl)
    }
  }

  #itemOf(key: ItemKey): StoredItem | undefined {
    const text = keyOf(key)
    return this.items.get(text) ?? this.#facts.items.get(text)
  }

  #mergeable(key: ItemKey): MergeableItem | undefined {
    const item = this.#itemOf(key)
    return item?._tag === "ItemAlias" ? undefined : item
  }

  #threadOf(item: LiveItem): ThreadState {
    const text = threadOf(item)
    return this.threads.get(text)?.state ?? this.#facts.threads.get(text) ?? untouched
  }

  #put(item: StoredItem): void {
    this.items.set(keyOf(item), item)
  }

  #count(source: Source, delta: number): void {
    const sum = (this.unread.get(source) ?? 0) + delta
    if (sum === 0) this.unread.delete(source)
    else this.unread.set(source, sum)
  }
}
