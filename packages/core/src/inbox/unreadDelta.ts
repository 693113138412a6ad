/** What the counters know of an item: it is there for readers, not read, and not the account's own. */
export interface CountedItem {
  readonly isRead: boolean
  readonly isOwn: boolean
}

const count = (item: CountedItem | undefined): number => (item !== undefined && !item.isRead && !item.isOwn ? 1 : 0)

/** By how much the unread counter of an item's account and source changes; `undefined` is no item, or a deleted one. */
export const unreadDelta = (before: CountedItem | undefined, after: CountedItem | undefined): number =>
  count(after) - count(before)
