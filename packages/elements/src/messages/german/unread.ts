import type { UnreadMessages } from "../english/unread.ts"

export const germanUnread: UnreadMessages = {
  unread: (count) => `${count} ungelesen`
}
