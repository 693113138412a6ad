import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { AccountKey } from "./SocialAccounts.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"

/** Does what is to be done with each account, so that one whose data is out of reach keeps none of the others waiting. */
export const ofEach = Effect.fnUntraced(function* (
  accounts: ReadonlyArray<AccountKey>,
  what: (key: AccountKey) => Effect.Effect<void, StoreUnavailable>
) {
  const results = yield* Effect.forEach(accounts, (key) => Effect.result(what(key)))
  const failed = results.find(Result.isFailure)
  if (failed !== undefined) return yield* failed.failure
})
