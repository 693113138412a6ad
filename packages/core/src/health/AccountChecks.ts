import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { AccountTokens } from "../accounts/AccountTokens.ts"
import { claimLoop } from "../kernel/lease/claimLoop.ts"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import type { Connectors } from "../networks/Connectors.ts"
import { AccountHealthStore, type CheckClaim } from "./AccountHealthStore.ts"
import { planCheck } from "./checkAccount.ts"
import { type CheckTimes, makeRunCheck } from "./runCheck.ts"

export interface AccountChecksOptions extends CheckTimes {
  /** Concurrent accounts in this process. */
  readonly atOnce: number
  readonly lease: Duration.Input
  /** How soon an account is looked at that was connected, or of which a fact arose. */
  readonly pollEvery: Duration.Input
}

export const defaultOptions: AccountChecksOptions = {
  every: Duration.hours(6),
  timeLimit: "1 minute",
  atOnce: 8,
  lease: "30 seconds",
  pollEvery: "1 second"
}

type Ports = AccountHealthStore | AccountTokens | Connectors | SecureRandom

/**
 * Looks after accounts until its scope closes: subscribes the webhooks of new ones, asks networks every few hours who each
 * account is and what its token may do, repairs subscriptions, renews tokens that are due, and announces changes of
 * health (api-2.md §11).
 */
export const layer = (given: Partial<AccountChecksOptions> = {}): Layer.Layer<never, never, Ports> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: AccountChecksOptions) {
  const store = yield* AccountHealthStore
  const runCheck = yield* makeRunCheck

  const run = Effect.fn("AccountChecks.run")(
    (claim: CheckClaim) =>
      whileLeased(
        Effect.flatMap(DateTime.now, (now) => runCheck(claim, planCheck(claim, now), options)),
        {
          lease: options.lease,
          renew: (until) => store.renew(claim, until),
          release: () => store.release(claim)
        }
      ),
    Effect.asVoid,
    Effect.catchTags({
      LeaseLost: () => Effect.logDebug("an account changed during its check"),
      StoreUnavailable: (error) => Effect.logWarning("an account's check was not settled; its lease will end", error)
    }),
    (effect, { account }) => Effect.annotateLogs(effect, { account_id: account.id, network: account.network })
  )

  yield* claimLoop({
    ...options,
    loop: "accounts.check",
    claim: (request) => Effect.flatMap(DateTime.now, (now) => store.claim({ ...request, now })),
    run
  })
})
