import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { AccountCredentials } from "./AccountCredentials.ts"
import type { CredentialVault } from "./CredentialVault.ts"
import { identifyAccount } from "./identifyAccount.ts"
import type { SocialAccount } from "./SocialAccount.ts"
import { AuthExpired, type ReadFailed } from "../networks/ConnectorErrors.ts"
import { Connectors } from "../networks/Connectors.ts"
import type { AccountAccess } from "../networks/AccountAccess.ts"
import type { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { AccountUnusable } from "./AccountErrors.ts"
import { accessOf, type Held, leastPause, makeTokenRenewals } from "./tokenRenewals.ts"

/** One account with its credentials opened, for several calls. */
export interface OpenAccount {
  readonly account: SocialAccount
  /**
   * Calls a network in the account's name. A token past half of its lifetime is renewed first. If the call fails
   * because the token is invalid, the token is renewed and `ask` is repeated once; if that is not possible, the account
   * becomes `reauth_required` and the call fails. So an `ask` that fails with `AuthExpired` `token` must have had no
   * effect.
   */
  readonly use: <A, E>(
    ask: (access: AccountAccess) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | ReadFailed | StoreUnavailable>
}

/** Driving service: calls networks in the name of accounts, and renews their tokens (design §5). */
export class AccountTokens extends Context.Service<
  AccountTokens,
  {
    /** Opens an account for several calls; its credentials are read once. */
    readonly open: (
      workspaceId: WorkspaceId,
      accountId: SocialAccountId
    ) => Effect.Effect<OpenAccount, AccountUnusable | StoreUnavailable>
    /** Makes one call; see `OpenAccount.use`. */
    readonly withAccess: <A, E>(
      workspaceId: WorkspaceId,
      accountId: SocialAccountId,
      ask: (access: AccountAccess) => Effect.Effect<A, E>
    ) => Effect.Effect<A, E | ReadFailed | AccountUnusable | StoreUnavailable>
  }
>()("@loopbox/core/accounts/AccountTokens") {
  static readonly layer: Layer.Layer<
    AccountTokens,
    never,
    AccountCredentials | CredentialVault | Connectors | SecureRandom
  > = Layer.effect(
    AccountTokens,
    Effect.suspend(() => make)
  )
}

/** Hint in the log for a token of unknown lifetime that became invalid before it was renewed. */
const ofUnknownLife =
  "some networks give a token at login that lives an hour and can't be renewed: exchange it for a long-lived one, which " +
  "needs the app's secret, before the account is connected, or let a person connect it in a session"

const isDead = (error: unknown): error is AuthExpired => error instanceof AuthExpired && error.reason === "token"

const make = Effect.gen(function* () {
  const store = yield* AccountCredentials
  const connectors = yield* Connectors
  const { hold, renew, takeTurn } = yield* makeTokenRenewals

  const expire = ({ account, credentials, sealed }: Held) =>
    Effect.andThen(
      Effect.logWarning("an account has to be connected again", {
        account_id: account.id,
        ...(Option.isNone(credentials.expiresAt) ? { hint: ofUnknownLife } : {})
      }),
      store.expire(account.workspaceId, account.id, sealed)
    )

  const open = Effect.fn("AccountTokens.open")(function* (workspaceId: WorkspaceId, accountId: SocialAccountId) {
    let held = yield* hold(workspaceId, accountId)
    let isIdentified = false

    /** Once in an opening; the next one asks again. */
    const identifyOnce = Effect.gen(function* () {
      if (isIdentified) return
      isIdentified = true
      const { sealed } = held
      const account = yield* identifyAccount({ store, connectors }, held, accessOf(held))
      if (held.sealed === sealed) held = { ...held, account }
    })

    /**
     * Renews a token before it expires. The old token still works, so a failure does not fail the call, and nothing
     * waits for another process.
     */
    const renewDue = Effect.gen(function* () {
      const now = yield* DateTime.now
      const old = held
      if (!Option.exists(old.renewAt, DateTime.isLessThanOrEqualTo(now))) return
      // The next calls of this open account do not check again at once; the store knows when the renewal is due again.
      held = { ...old, renewAt: Option.some(DateTime.addDuration(now, leastPause)) }
      yield* Effect.matchEffect(takeTurn(old, Option.some(now)), {
        onFailure: (error) => Effect.logWarning("a token was not renewed yet", { account_id: accountId }, error),
        onSuccess: ({ fresh, isTaken }) =>
          Effect.map(isTaken ? Effect.succeed(fresh) : Effect.option(hold(workspaceId, accountId)), (current) => {
            if (held.sealed !== old.sealed || Option.isNone(current)) return
            const { renewAt, sealed } = current.value
            // Another process is renewing it now; its result is read at the next check.
            const isStillDue = sealed === old.sealed && Option.exists(renewAt, DateTime.isLessThanOrEqualTo(now))
            if (!isStillDue) held = current.value
          })
      })
    })

    const replaced = Effect.fnUntraced(function* (old: Held) {
      if (held.sealed !== old.sealed) return Option.some(held)
      const fresh = yield* renew(old)
      if (Option.isSome(fresh)) held = fresh.value
      return fresh
    })

    /** Renews an invalid token once. */
    const renewDead = (old: Held) =>
      replaced(old).pipe(
        Effect.catchTags({
          AuthExpired: () => Effect.succeedNone,
          Rejected: () => Effect.succeedNone
        })
      )

    const use = <A, E>(ask: (access: AccountAccess) => Effect.Effect<A, E>) =>
      Effect.gen(function* () {
        yield* renewDue
        yield* identifyOnce
        const first = held
        return yield* Effect.catch(ask(accessOf(first)), (error) =>
          Effect.gen(function* () {
            if (!isDead(error)) return yield* Effect.fail(error)
            const fresh = yield* renewDead(first)
            if (Option.isNone(fresh)) {
              yield* expire(first)
              return yield* Effect.fail(error)
            }
            return yield* Effect.tapError(ask(accessOf(fresh.value)), (again) =>
              isDead(again) ? expire(fresh.value) : Effect.void
            )
          })
        )
      })
    const opened: OpenAccount = { account: held.account, use }
    return opened
  })

  return AccountTokens.of({
    open,
    withAccess: (workspaceId, accountId, ask) => Effect.flatMap(open(workspaceId, accountId), ({ use }) => use(ask))
  })
})
