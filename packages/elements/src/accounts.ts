export { LoopboxAccounts } from "./accounts/loopboxAccounts.ts"
