import { assert } from "@effect/vitest"
import { Effect, Equal, Option } from "effect"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { RoutedEvent } from "@loopbox/core/items/InboxEvent"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"

/** An item as its events tell of it, and the number of the first. */
interface Told {
  readonly seq: number
  item: InboxItem
}

/** Never another than at first. */
const fixed = [
  "id",
  "workspaceId",
  "accountId",
  "source",
  "externalId",
  "threadKey",
  "receivedAt",
  "createdAt"
] as const

/** Filled once, whoever says less later. */
const filled = [
  "parentExternalId",
  "linkedPostId",
  "postId",
  "authorId",
  "authorName",
  "url",
  "privateRepliedAt"
] as const

/** What a reader sees of an item itself, without what is its thread's, its account's, or of the moment. */
const shownOf = ({
  account: _account,
  capabilities: _actions,
  replyWindow: _window,
  thread: _thread,
  ...own
}: InboxItem) => own

/** One change is the network's, or a person's: what the network tells takes nothing back that people did here. */
const follow = (told: Told, item: InboxItem, seq: number) => {
  const before = told.item
  const isTold = before.body !== item.body || before.isHidden !== item.isHidden
  const isTakenBack = (before.isRead && !item.isRead) || before.isLiked !== item.isLiked
  if (isTold && isTakenBack) assert.fail(`event ${seq}: what a person did with an item is lost by what is told of it`)
  for (const member of fixed)
    if (!Equal.equals(before[member], item[member])) assert.fail(`event ${seq}: an item has another ${member}`)
  for (const member of filled) {
    const was: Option.Option<unknown> = before[member]
    if (Option.isSome(was) && !Equal.equals(was, item[member]))
      assert.fail(`event ${seq}: an item has lost its ${member}`)
  }
  if (item.attachments.length < before.attachments.length) assert.fail(`event ${seq}: an item has lost its attachments`)
  if (before.isOwn && !item.isOwn) assert.fail(`event ${seq}: an item is no longer one's own`)
  if (Option.isSome(before.editedAt) && Option.isNone(item.editedAt))
    assert.fail(`event ${seq}: an item was never edited, and was before`)
  told.item = item
}

/** Items as a page that was open all the time has them: from the log alone. */
const replay = (events: ReadonlyArray<RoutedEvent>): ReadonlyMap<string, Told> => {
  const items = new Map<string, Told>()
  const owners = new Map<string, string | null>()
  for (const { event, seq } of events) {
    switch (event._tag) {
      case "NewItem":
        items.set(event.item.id, { seq, item: event.item })
        break
      case "ItemUpdated":
        follow(items.get(event.item.id) ?? assert.fail(`event ${seq} is of no item`), event.item, seq)
        break
      case "ItemDeleted":
        items.delete(event.itemId)
        break
      case "AccountMoved":
        owners.set(event.accountId, Option.getOrNull(event.to))
        break
      case "ItemsRead": {
        const user = event.externalUserId
        for (const told of items.values()) {
          const isSeen = Option.isNone(user) || owners.get(told.item.accountId) === user.value
          if (isSeen && told.seq <= event.upToSeq) told.item = { ...told.item, isRead: true }
        }
      }
    }
  }
  return items
}

/** Items are as their events say: nothing was changed without one, and nothing was marked that came after the click. */
export const checkItems = Effect.fnUntraced(function* (whole: EntitledCaller) {
  const { events } = yield* (yield* InboxEvents).read(whole.scope.workspaceId, 0, 100_000)
  const told = replay(events)
  const items = yield* walk(whole)
  assert.strictEqual(told.size, items.length, "items and those that events tell of")
  for (const item of items) {
    const known = told.get(item.id) ?? assert.fail(`no event tells of ${item.id}`)
    // An item of one's own counts as read, whatever is marked.
    const isRead = item.isOwn ? known.item.isRead : item.isRead
    const [shown, wanted] = [{ ...shownOf(item), isRead }, shownOf(known.item)]
    if (!Equal.equals(shown, wanted))
      assert.deepStrictEqual(shown, wanted, `${item.externalId} is another than its events say`)
  }
})
