export { LoopboxAccounts } from "./accounts/loopboxAccounts.ts"
export { LoopboxInbox } from "./inbox/loopboxInbox.ts"
export { LoopboxUnread } from "./unread/loopboxUnread.ts"
