import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import { type ItemFilter, InboxStore } from "@loopbox/core/inbox/InboxStore"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import { type InboxThread, threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import type { ThreadNote } from "@loopbox/core/items/threading/ThreadNote"
import type { KeptPost } from "@loopbox/core/posts/Post"
import { type PostFilter, PostStore } from "@loopbox/core/posts/PostStore"
import { statusOfPost } from "@loopbox/core/posts/showPost"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { type ThreadQuery, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"
import { walkThreads } from "../../../src/fixtures/threadFixtures.ts"

/** A filter, with what it asks for as a reader of the documents would say it. */
interface Asked<Filter, Row> {
  readonly name: string
  readonly filter: Filter
  readonly isWanted: (row: Row) => boolean
}

const some = Option.some

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

/** Every word of a text, the last one as a prefix. */
const has = (asked: ReadonlyArray<string>, text: string): boolean => {
  const words = wordsOf(text)
  return asked.every((one, n) => words.some((word) => (n === asked.length - 1 ? word.startsWith(one) : word === one)))
}

const textOf = ({ authorName, body }: InboxItem): string => `${body} ${Option.getOrElse(authorName, () => "")}`

/** Words of an item to look for: its last two, the last one cut short. */
const searchOf = ({ body }: InboxItem): ReadonlyArray<string> => {
  const words = wordsOf(body).slice(-2)
  return words.map((word, n) => (n === words.length - 1 ? word.slice(0, Math.max(1, word.length - 1)) : word))
}

const itemFilters = (item: InboxItem): ReadonlyArray<Asked<Partial<ItemFilter>, InboxItem>> => {
  const { accountId, isOwn, isRead, postId, receivedAt, source, thread, threadKey } = item
  const words = searchOf(item)
  return [
    { name: "source", filter: { source: some(source) }, isWanted: (one) => one.source === source },
    { name: "is_read", filter: { isRead: some(isRead) }, isWanted: (one) => one.isRead === isRead },
    { name: "is_own", filter: { isOwn: some(isOwn) }, isWanted: (one) => one.isOwn === isOwn },
    { name: "thread_key", filter: { threadKey: some(threadKey) }, isWanted: (one) => one.threadKey === threadKey },
    { name: "account", filter: { accountId: some(accountId) }, isWanted: (one) => one.accountId === accountId },
    {
      name: "thread_status",
      filter: { threadStatus: some(thread.status) },
      isWanted: (one) => one.thread.status === thread.status
    },
    {
      name: "assigned_to",
      filter: { assignedTo: some(thread.assignedTo) },
      isWanted: (one) => Option.getOrNull(one.thread.assignedTo) === Option.getOrNull(thread.assignedTo)
    },
    {
      name: "received_after",
      filter: { receivedAfter: some(receivedAt) },
      isWanted: (one) => !DateTime.isLessThan(one.receivedAt, receivedAt)
    },
    {
      name: "received_before",
      filter: { receivedBefore: some(receivedAt) },
      isWanted: (one) => DateTime.isLessThan(one.receivedAt, receivedAt)
    },
    ...Option.toArray(
      Option.map(postId, (id) => ({
        name: "post_id",
        filter: { postId: some(id) },
        isWanted: (one: InboxItem) => Option.contains(one.postId, id)
      }))
    ),
    ...Option.toArray(
      Option.map(parseSearch(words.join(" ")), (search) => ({
        name: "q",
        filter: { search: some(search) },
        isWanted: (one: InboxItem) => has(words, textOf(one))
      }))
    )
  ]
}

const threadFilters = (
  thread: InboxThread,
  items: ReadonlyArray<InboxItem>,
  notes: ReadonlyArray<ThreadNote>
): ReadonlyArray<Asked<Partial<ThreadQuery>, InboxThread>> => {
  const { accountId, assignedTo, id: threadId, labels, lastItem, source, unreadCount } = thread
  const [note] = notes.filter((one) => one.threadId === threadId)
  // Words of a note, or of its last item: all of them in one.
  const words = note === undefined ? searchOf(lastItem) : wordsOf(note.text).slice(0, 2)
  const isUnread = unreadCount > 0
  const [label] = labels
  return [
    { name: "source", filter: { source: some(source) }, isWanted: (one) => one.source === source },
    { name: "account", filter: { accountId: some(accountId) }, isWanted: (one) => one.accountId === accountId },
    { name: "is_unread", filter: { isUnread: some(isUnread) }, isWanted: (one) => one.unreadCount > 0 === isUnread },
    {
      name: "assigned_to",
      filter: { assignedTo: some(assignedTo) },
      isWanted: (one) => Option.getOrNull(one.assignedTo) === Option.getOrNull(assignedTo)
    },
    ...Option.toArray(
      Option.map(parseSearch(words.join(" ")), (search) => ({
        name: "q",
        filter: { search: some(search) },
        isWanted: ({ id }: InboxThread) =>
          items.some((one) => threadIdOf(one) === id && has(words, textOf(one))) ||
          notes.some((one) => one.threadId === id && has(words, one.text))
      }))
    ),
    ...(label === undefined
      ? []
      : [
          {
            name: "label",
            filter: { label: some(label.toUpperCase()) },
            isWanted: (one: InboxThread) => one.labels.some((own) => own.toLowerCase() === label.toLowerCase())
          }
        ])
  ]
}

/** Whoever may see less sees the same without the rest: in lists, by ids, and in the counter. */
const checkFewer = Effect.fnUntraced(function* (
  caller: EntitledCaller,
  items: ReadonlyArray<InboxItem>,
  threads: ReadonlyArray<InboxThread>,
  look: number
) {
  const sources = Array.from(new Set(items.map(({ source }) => source))).sort()
  const hidden = sources[look % Math.max(1, sources.length)]
  if (hidden === undefined) return
  const fewer = { ...caller, sources: new Set(Array.from(caller.sources).filter((source) => source !== hidden)) }
  const isSeen = ({ source }: { readonly source: string }) => source !== hidden
  const idsOf = (some: ReadonlyArray<{ readonly id: string }>) => some.map(({ id }) => id)
  assert.deepStrictEqual(idsOf(yield* walk(fewer)), idsOf(items.filter(isSeen)), `items of a plan without ${hidden}`)
  const shown = threads.filter(isSeen)
  assert.deepStrictEqual(idsOf(yield* walkThreads(fewer)), idsOf(shown), `threads of a plan without ${hidden}`)
  const unread = shown.reduce((sum, { unreadCount }) => sum + unreadCount, 0)
  const store = yield* InboxStore
  assert.strictEqual(yield* store.countUnread(fewer), unread, `the counter of a plan without ${hidden}`)
  for (const { id } of items.filter((one) => !isSeen(one)).slice(0, 2))
    assert.isTrue(Option.isNone(yield* store.find(fewer, id)), `${id} is found by a plan without ${hidden}`)
  for (const { id } of threads.filter((one) => !isSeen(one)).slice(0, 2))
    assert.isTrue(
      Option.isNone(yield* (yield* ThreadStore).find(fewer, id)),
      `${id} is found by a plan without ${hidden}`
    )
})

/** The posts of a scope that go to one account, to the last of those that a post names, and those that have its status. */
const checkPosts = Effect.fnUntraced(function* ({ scope }: EntitledCaller, look: number) {
  const store = yield* PostStore
  const listed = (filter: Partial<PostFilter>) =>
    Effect.map(
      store.list(
        scope,
        { status: Option.none(), accountId: Option.none(), ...filter },
        { limit: 1_000, after: Option.none() }
      ),
      ({ items }) => items
    )
  const all = yield* listed({})
  const named = all[look % Math.max(1, all.length)]
  const accountId = named?.targets.at(-1)?.accountId
  if (named === undefined || accountId === undefined) return
  const status = statusOfPost(named)
  const idsOf = (posts: ReadonlyArray<KeptPost>) => posts.map(({ post }) => post.id)
  assert.deepStrictEqual(
    idsOf(yield* listed({ accountId: some(accountId) })),
    idsOf(all.filter(({ targets }) => targets.some((target) => target.accountId === accountId))),
    "posts with a filter of account"
  )
  assert.deepStrictEqual(
    idsOf(yield* listed({ status: some(status) })),
    idsOf(all.filter((kept) => statusOfPost(kept) === status)),
    "posts with a filter of status"
  )
})

/** Lists with a filter have what it asks for, in the order of the whole list, and nothing else; some of them at each look. */
export const makeListLaw = () => {
  let looks = 0
  return Effect.fnUntraced(function* (caller: EntitledCaller) {
    const look = ++looks
    const items = yield* walk(caller)
    const item = items[(look * 7) % Math.max(1, items.length)]
    if (item === undefined) return
    assert.deepStrictEqual(yield* (yield* Inbox).find(caller, item.id), item, `${item.id}, found by its id`)
    const ofItems = itemFilters(item)
    for (const n of [look * 2, look * 2 + 1]) {
      const asked = ofItems[n % ofItems.length]
      if (asked === undefined) continue
      const found = yield* walk(caller, asked.filter)
      assert.deepStrictEqual(
        found.map(({ id }) => id),
        items.filter(asked.isWanted).map(({ id }) => id),
        `items with a filter of ${asked.name}`
      )
    }
    const threads = yield* walkThreads(caller)
    yield* checkFewer(caller, items, threads, look)
    const labelled = threads.filter(({ labels }) => labels.length > 0)
    const chosen = look % 2 === 0 && labelled.length > 0 ? labelled : threads
    const thread = chosen[(look * 5) % Math.max(1, chosen.length)]
    yield* checkPosts(caller, look)
    const { inbox } = yield* MemoryState
    const notes = Array.from(inbox.accounts.values()).flatMap((entry) => Array.from(entry.notes.values()))
    const filters = thread === undefined ? [] : threadFilters(thread, items, notes)
    const asked = look % 2 === 0 ? filters.at(-1) : filters[look % Math.max(1, filters.length)]
    if (asked === undefined) return
    assert.deepStrictEqual(
      (yield* walkThreads(caller, asked.filter)).map(({ id }) => id),
      threads.filter(asked.isWanted).map(({ id }) => id),
      `threads with a filter of ${asked.name}`
    )
  })
}
