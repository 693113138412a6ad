import { assert } from "@effect/vitest"
import { Effect, Option } from "effect"
import type { EntitledCaller } from "@loopbox/core/access/EntitledCaller"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import type { RoutedEvent } from "@loopbox/core/items/InboxEvent"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import { walk } from "../../../src/fixtures/inboxFixtures.ts"

/** An item as its events tell of it, and the number of the first. */
interface Told {
  readonly seq: number
  readonly accountId: string
  isRead: boolean
  body: string
  isHidden: boolean
  isLiked: boolean
  postId: string | undefined
}

type Shown = Pick<InboxItem, "body" | "isHidden" | "isLiked" | "isRead" | "postId">

const shownOf = ({ body, isHidden, isLiked, isRead, postId }: Shown) => ({
  body,
  isHidden,
  isLiked,
  isRead,
  postId: Option.getOrUndefined(postId)
})

/** One change is the network's, or a person's: what the network tells takes nothing back that people did here. */
const follow = (told: Told, item: InboxItem, seq: number) => {
  const isTold = told.body !== item.body || told.isHidden !== item.isHidden
  const isTakenBack = (told.isRead && !item.isRead) || told.isLiked !== item.isLiked
  if (isTold && isTakenBack) assert.fail(`event ${seq}: what a person did with an item is lost by what is told of it`)
  Object.assign(told, shownOf(item))
}

/** Items as a page that was open all the time has them: from the log alone. */
const replay = (events: ReadonlyArray<RoutedEvent>): ReadonlyMap<string, Told> => {
  const items = new Map<string, Told>()
  const owners = new Map<string, string | null>()
  for (const { event, seq } of events) {
    switch (event._tag) {
      case "NewItem":
        items.set(event.item.id, { seq, accountId: event.accountId, ...shownOf(event.item) })
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
          const isSeen = Option.isNone(user) || owners.get(told.accountId) === user.value
          if (isSeen && told.seq <= event.upToSeq) told.isRead = true
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
    const isRead = item.isOwn ? known.isRead : item.isRead
    assert.deepStrictEqual(
      { ...shownOf(item), isRead },
      {
        body: known.body,
        isHidden: known.isHidden,
        isLiked: known.isLiked,
        isRead: known.isRead,
        postId: known.postId
      },
      `${item.externalId} is another than its events say`
    )
  }
})
