/** Texts of the unread count. */
export const englishUnread = {
  unread: (count: string) => `${count} unread`
}

export type UnreadMessages = typeof englishUnread
