import { assert } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { Inbox } from "@loopbox/core/inbox/Inbox"
import type { ItemFilter } from "@loopbox/core/inbox/InboxStore"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import type { InboxThread } from "@loopbox/core/items/threading/InboxThread"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import type { ThreadQuery } from "@loopbox/core/threads/ThreadStore"
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

const threadFilters = (thread: InboxThread): ReadonlyArray<Asked<Partial<ThreadQuery>, InboxThread>> => {
  const { accountId, assignedTo, labels, source, unreadCount } = thread
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
    const labelled = threads.filter(({ labels }) => labels.length > 0)
    const chosen = look % 2 === 0 && labelled.length > 0 ? labelled : threads
    const thread = chosen[(look * 5) % Math.max(1, chosen.length)]
    const filters = thread === undefined ? [] : threadFilters(thread)
    const asked = look % 2 === 0 ? filters.at(-1) : filters[look % Math.max(1, filters.length)]
    if (asked === undefined) return
    assert.deepStrictEqual(
      (yield* walkThreads(caller, asked.filter)).map(({ id }) => id),
      threads.filter(asked.isWanted).map(({ id }) => id),
      `threads with a filter of ${asked.name}`
    )
  })
}
