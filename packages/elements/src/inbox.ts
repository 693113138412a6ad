export { LoopboxInbox } from "./inbox/loopboxInbox.ts"
