import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { AccountCredentials, renewAt, type UsableAccount } from "../accounts/AccountCredentials.ts"
import { type Credentials, CredentialVault } from "../accounts/CredentialVault.ts"
import type { SocialAccount } from "../accounts/SocialAccount.ts"
import { AuthExpired, type ReadFailed, Unavailable } from "../connectors/ConnectorErrors.ts"
import { Connectors } from "../connectors/Connectors.ts"
import type { AccountAccess } from "../connectors/SocialConnector.ts"
import { type SocialAccountId, toBase32, type WorkspaceId } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/LeaseClock.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { AccountUnusable } from "./InboxErrors.ts"
import * as inboxMetrics from "./inboxMetrics.ts"

/** One account, opened for as long as somebody has something to ask in its name. */
export interface OpenAccount {
  readonly account: SocialAccount
  /**
   * Asks a network in the account's name. A token that is past half of its life is renewed before; one that turns out
   * to be dead is renewed once and `ask` is repeated, else the account becomes `reauth_required` and the network's
   * answer is given. So whatever fails with `AuthExpired` `token` must have had no effect.
   */
  readonly use: <A, E>(
    ask: (access: AccountAccess) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | ReadFailed | StoreUnavailable>
}

/** How long one turn to renew may take; the connector's own time limit is shorter. */
const lease = Duration.seconds(30)

/** How long somebody waits for another's turn to end, and how often it looks. */
const patience = Duration.seconds(20)
const lookEvery = Duration.millis(250)

/** After a renewal that failed: half of what is left, but not at once again. */
const leastPause = Duration.minutes(1)

/** At the end of the process a renewal is waited for: what X gave for a refresh token must not be lost. */
const drain = Duration.seconds(15)

/** Driving service: asks networks in the name of accounts, and keeps their tokens alive (design §5). */
export class AccountTokens extends Context.Service<
  AccountTokens,
  {
    /** Opens an account for several questions: what is stored of it is read once. */
    readonly open: (
      workspaceId: WorkspaceId,
      accountId: SocialAccountId
    ) => Effect.Effect<OpenAccount, AccountUnusable | StoreUnavailable>
    /** Asks one question; see `OpenAccount.use`. */
    readonly withAccess: <A, E>(
      workspaceId: WorkspaceId,
      accountId: SocialAccountId,
      ask: (access: AccountAccess) => Effect.Effect<A, E>
    ) => Effect.Effect<A, E | ReadFailed | AccountUnusable | StoreUnavailable>
  }
>()("@loopbox/core/inbox/AccountTokens") {
  static readonly layer: Layer.Layer<
    AccountTokens,
    never,
    AccountCredentials | CredentialVault | Connectors | SecureRandom
  > = Layer.effect(
    AccountTokens,
    Effect.suspend(() => make)
  )
}

/** An account with its credentials, opened. */
interface Held extends UsableAccount {
  readonly credentials: Credentials
}

const accessOf = ({ account: { networkAccountId, username }, credentials: { accessToken } }: Held): AccountAccess => ({
  networkAccountId,
  username,
  accessToken
})

const isDead = (error: unknown): error is AuthExpired => error instanceof AuthExpired && error.reason === "token"

const make = Effect.gen(function* () {
  const store = yield* AccountCredentials
  const vault = yield* CredentialVault
  const connectors = yield* Connectors
  const random = yield* SecureRandom
  const leaseNow = yield* LeaseClock
  const renewals = yield* FiberSet.make<Option.Option<Held>, ReadFailed | StoreUnavailable>()
  yield* Effect.addFinalizer(() => Effect.timeoutOption(FiberSet.awaitEmpty(renewals), drain))

  const hold = Effect.fnUntraced(function* (workspaceId: WorkspaceId, accountId: SocialAccountId) {
    const usable = yield* store.find(workspaceId, accountId)
    if (Option.isNone(usable)) return yield* new AccountUnusable({ accountId, reason: "not_connected" })
    const credentials = yield* vault.open({ workspaceId, accountId }, usable.value.sealed).pipe(
      Effect.tapError((error) => Effect.logWarning("an account's credentials can't be read", error)),
      Effect.mapError(() => new AccountUnusable({ accountId, reason: "credentials_unreadable" }))
    )
    const held: Held = { ...usable.value, credentials }
    return held
  })

  const told = (outcome: "renewed" | "failed") =>
    Metric.update(Metric.withAttributes(inboxMetrics.renewals, { outcome }), 1)

  /** The call and what is kept of it. None: there is nothing to renew by. */
  const renewNow = Effect.fnUntraced(function* (held: Held, token: string) {
    const { account, credentials, sealed } = held
    const owner = { workspaceId: account.workspaceId, accountId: account.id }
    const claim = { ...owner, sealed, token }
    const failLater = Effect.flatMap(DateTime.now, (now) =>
      store.settleRenewal(claim, {
        _tag: "Kept",
        renewAt: Option.map(renewAt(now, credentials.expiresAt), DateTime.max(DateTime.addDuration(now, leastPause)))
      })
    )
    const renewed = yield* connectors.byNetwork[account.network]
      .refreshToken(accessOf(held), credentials.refreshToken)
      .pipe(Effect.tapError(() => Effect.andThen(failLater, told("failed"))))
    if (Option.isNone(renewed)) {
      yield* store.settleRenewal(claim, { _tag: "Kept", renewAt: Option.none() })
      return Option.none<Held>()
    }
    const { accessToken, expiresAt, refreshToken } = renewed.value
    const fresh: Credentials = {
      accessToken,
      expiresAt,
      refreshToken: Option.orElse(refreshToken, () => credentials.refreshToken)
    }
    const next = yield* vault.seal(owner, fresh)
    const due = renewAt(yield* DateTime.now, expiresAt)
    // Stored before its first use: a process that dies in between has lost nothing that was used.
    const isKept = yield* store.settleRenewal(claim, { _tag: "Renewed", sealed: next, expiresAt, renewAt: due })
    yield* told("renewed")
    if (isKept) return Option.some<Held>({ account, sealed: next, renewAt: due, credentials: fresh })
    return yield* Effect.option(hold(account.workspaceId, account.id))
  })

  /**
   * Other credentials than those that are held: renewed here, or by whoever has the turn, who is waited for at most so
   * long. None: there is nothing to renew by, or the account can't be used any more.
   */
  const renew = Effect.fnUntraced(function* (held: Held, patience: Duration.Duration) {
    const { id: accountId, network, workspaceId } = held.account
    const token = toBase32(yield* random.randomBytes(16))
    const claim = { workspaceId, accountId, sealed: held.sealed, token }
    const tries = Math.ceil(Duration.toMillis(patience) / Duration.toMillis(lookEvery))
    for (let tried = 0; tried <= tries; tried++) {
      const now = yield* leaseNow
      if (yield* store.claimRenewal(claim, { now, until: DateTime.addDuration(now, lease) })) {
        // Whoever asked may go away; the renewal does not.
        const fiber = yield* FiberSet.run(renewals, renewNow(held, token))
        return yield* Fiber.join(fiber)
      }
      const current = yield* Effect.option(hold(workspaceId, accountId))
      if (Option.isNone(current) || current.value.sealed !== held.sealed) return current
      if (tried < tries) yield* Effect.sleep(lookEvery)
    }
    return yield* new Unavailable({
      network,
      networkCode: Option.none(),
      detail: "the account's token is being renewed",
      reason: "upstream"
    })
  })

  const open = Effect.fn("AccountTokens.open")(function* (workspaceId: WorkspaceId, accountId: SocialAccountId) {
    let held = yield* hold(workspaceId, accountId)

    const replaced = Effect.fnUntraced(function* (old: Held, patience: Duration.Duration) {
      if (held.sealed !== old.sealed) return Option.some(held)
      const fresh = yield* renew(old, patience)
      if (Option.isSome(fresh)) held = fresh.value
      return fresh
    })

    /** One that is due still works for a while: a failure is not the asker's, and nobody waits for another's turn. */
    const renewDue = Effect.fnUntraced(function* (old: Held) {
      const now = yield* DateTime.now
      if (!Option.exists(old.renewAt, DateTime.isLessThanOrEqualTo(now))) return
      yield* Effect.catch(replaced(old, Duration.zero), (error) =>
        Effect.logDebug("a token was not renewed yet", error)
      )
    })

    const expire = ({ sealed }: Held) =>
      Effect.andThen(
        Effect.logWarning("an account has to be connected again", { account_id: accountId }),
        store.expire(workspaceId, accountId, sealed)
      )

    /** The one try to mend it. */
    const renewDead = (old: Held) =>
      replaced(old, patience).pipe(
        Effect.catchTags({
          AuthExpired: () => Effect.succeedNone,
          Rejected: () => Effect.succeedNone
        })
      )

    const use = <A, E>(ask: (access: AccountAccess) => Effect.Effect<A, E>) =>
      Effect.gen(function* () {
        yield* renewDue(held)
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
