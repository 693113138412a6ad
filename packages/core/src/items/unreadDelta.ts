/** The fields that decide whether an item counts as unread: visible, not read, and not the account's own. */
export interface CountedItem {
  readonly isRead: boolean
  readonly isOwn: boolean
}

const count = (item: CountedItem | undefined): number => (item !== undefined && !item.isRead && !item.isOwn ? 1 : 0)

/** The change of the unread counter of an item's account and source. `undefined`: no item, or a deleted one. */
export const unreadDelta = (before: CountedItem | undefined, after: CountedItem | undefined): number =>
  count(after) - count(before)
