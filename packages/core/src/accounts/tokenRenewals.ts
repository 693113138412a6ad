import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { AccountCredentials, renewAt, type UsableAccount } from "./AccountCredentials.ts"
import { type Credentials, CredentialVault } from "./CredentialVault.ts"
import { type ReadFailed, Unavailable } from "../networks/ConnectorErrors.ts"
import { Connectors, connectorTo } from "../networks/Connectors.ts"
import type { AccountAccess } from "../networks/AccountAccess.ts"
import { type SocialAccountId, toBase32, type WorkspaceId } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { untilStored } from "../kernel/untilStored.ts"
import { AccountUnusable } from "./AccountErrors.ts"
import * as accountMetrics from "./accountMetrics.ts"

/** Lease of one renewal; the connector's own time limit is shorter. */
const lease = Duration.seconds(30)

/** How long a caller waits for a renewal by another process, and how often it checks. */
const patience = Duration.seconds(20)
const lookEvery = Duration.millis(250)

/** Shortest pause after a failed renewal; the pause is half of the remaining lifetime. */
export const leastPause = Duration.minutes(1)

/** At shutdown a running renewal may finish: the token that X issued for a refresh token must not be lost. */
const drain = Duration.seconds(25)

/** An account with its opened credentials. */
export interface Held extends UsableAccount {
  readonly credentials: Credentials
}

export const accessOf = ({ account, credentials: { accessToken } }: Held): AccountAccess => {
  const { login, networkAccountId, otherAccountId, throughAccountId, username } = account
  return { networkAccountId, otherAccountId, login, throughAccountId, username, accessToken }
}

/** Compares the opened credentials, because the same credentials may have been sealed again with another key. */
const isSame = (one: Credentials, other: Credentials): boolean =>
  Redacted.value(one.accessToken) === Redacted.value(other.accessToken) &&
  Option.getOrNull(Option.map(one.refreshToken, Redacted.value)) ===
    Option.getOrNull(Option.map(other.refreshToken, Redacted.value))

/** Opens the credentials of accounts and renews tokens, one process at a time for each account. */
export const makeTokenRenewals = Effect.gen(function* () {
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

  /** What is stored now; `none` if the account is no longer usable. */
  const holdAgain = (workspaceId: WorkspaceId, accountId: SocialAccountId) =>
    hold(workspaceId, accountId).pipe(
      Effect.asSome,
      Effect.catchTag("AccountUnusable", () => Effect.succeedNone)
    )

  const told = (outcome: "renewed" | "failed") =>
    Metric.update(Metric.withAttributes(accountMetrics.renewals, { outcome }), 1)

  /** Calls the network and stores the result. `none`: the token can't be renewed. */
  const renewNow = Effect.fnUntraced(function* (held: Held, token: string) {
    const { account, credentials, sealed } = held
    const owner = { workspaceId: account.workspaceId, accountId: account.id }
    const claim = { ...owner, sealed, token }
    const failLater = Effect.flatMap(DateTime.now, (now) =>
      store.settleRenewal(claim, {
        _tag: "Kept",
        renewAt: Option.some(DateTime.max(renewAt(now, credentials.expiresAt), DateTime.addDuration(now, leastPause)))
      })
    )
    const renewed = yield* connectorTo(connectors, account.network)
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
    const renewedAt = yield* DateTime.now
    const due = Option.some(renewAt(renewedAt, expiresAt))
    // Stored before its first use, so that a crash loses no token that was used. X has already consumed the old refresh
    // token, so a short outage of the store must not lose the new one.
    const isKept = yield* untilStored(
      store.settleRenewal(claim, { _tag: "Renewed", sealed: next, expiresAt, renewAt: due, renewedAt })
    ).pipe(
      Effect.tapErrorTag("StoreUnavailable", (error) =>
        Effect.logError("a renewed token was lost, for it could not be stored", { account_id: account.id }, error)
      )
    )
    yield* told("renewed")
    if (isKept) return Option.some<Held>({ account, sealed: next, renewAt: due, credentials: fresh })
    return yield* holdAgain(account.workspaceId, account.id)
  })

  /**
   * Claims the renewal, and renews if the claim is granted. With `dueAt`, only if the stored time of renewal is not
   * later.
   */
  const takeTurn = Effect.fnUntraced(function* (held: Held, dueAt: Option.Option<DateTime.Utc>) {
    const { id: accountId, workspaceId } = held.account
    const token = toBase32(yield* random.randomBytes(16))
    const now = yield* leaseNow
    const turn = { now, until: DateTime.addDuration(now, lease), dueAt }
    const isTaken = yield* store.claimRenewal({ workspaceId, accountId, sealed: held.sealed, token }, turn)
    if (!isTaken) return { isTaken, fresh: Option.none<Held>() }
    // In a fiber of its own: the renewal finishes even if the caller is interrupted.
    const fiber = yield* FiberSet.run(renewals, renewNow(held, token))
    return { isTaken, fresh: yield* Fiber.join(fiber) }
  })

  /**
   * New credentials, renewed here or by another process that holds the lease. `none`: the token can't be renewed, or
   * the account is no longer usable.
   */
  const renew = Effect.fnUntraced(function* (held: Held) {
    const { id: accountId, network, workspaceId } = held.account
    const tries = Math.ceil(Duration.toMillis(patience) / Duration.toMillis(lookEvery))
    let known = held
    for (let tried = 0; tried <= tries; tried++) {
      const { fresh, isTaken } = yield* takeTurn(known, Option.none())
      if (isTaken) return fresh
      // Where the store is away, nothing is known: the account must not be taken for one that can't be renewed.
      const current = yield* holdAgain(workspaceId, accountId)
      if (Option.isNone(current) || !isSame(current.value.credentials, held.credentials)) return current
      const isSealedAnew = current.value.sealed !== known.sealed
      known = current.value
      if (tried < tries && !isSealedAnew) yield* Effect.sleep(lookEvery)
    }
    return yield* new Unavailable({
      network,
      networkCode: Option.none(),
      detail: "the account's token is being renewed",
      reason: "upstream"
    })
  })

  return { hold, renew, takeTurn }
})
