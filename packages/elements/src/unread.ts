export { LoopboxUnread } from "./unread/loopboxUnread.ts"
