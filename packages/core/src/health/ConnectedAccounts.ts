import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { revivableFor } from "../access/AccountAdministration.ts"
import type { InboxScope } from "../access/InboxScope.ts"
import type { AccountCredentials } from "../accounts/AccountCredentials.ts"
import { AccountIsDisconnected, AccountNotFound } from "../accounts/AccountErrors.ts"
import type { AccountTokens } from "../accounts/AccountTokens.ts"
import type { AccountView } from "../accounts/AccountView.ts"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { SocialAccountId, toBase32 } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import type { PageKey, PageRequest } from "../kernel/Page.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { type RateLimited, type ReadFailed, Unavailable } from "../networks/ConnectorErrors.ts"
import type { Connectors } from "../networks/Connectors.ts"
import { Networks } from "../networks/Networks.ts"
import { defaultOptions } from "./AccountChecks.ts"
import type { KnownAccount } from "./AccountFacts.ts"
import { type AccountFilter, AccountHealthStore, type CheckClaim } from "./AccountHealthStore.ts"
import { viewAccount } from "./announceHealth.ts"
import { makeRunCheck } from "./runCheck.ts"
import { makeTakeBack } from "./takeBack.ts"

export type { AccountFilter } from "./AccountHealthStore.ts"

/** A page of accounts; `next` is the key of the last one. */
export interface AccountPage {
  readonly items: ReadonlyArray<AccountView>
  readonly next: Option.Option<PageKey>
}

/** How long a caller waits for the network in a check. */
const patience = Duration.seconds(25)
const lease = Duration.seconds(45)

/**
 * Driving service: the connected accounts of a scope, with their health (api-2.md §11). It does not authorise: the scope
 * is what the caller may see. A malformed id counts as not found.
 */
export class ConnectedAccounts extends Context.Service<
  ConnectedAccounts,
  {
    /** Newest first. Those disconnected within 7 days are listed, too. */
    readonly list: (
      scope: InboxScope,
      filter: AccountFilter,
      page: PageRequest
    ) => Effect.Effect<AccountPage, StoreUnavailable>
    /** An account of the scope, also one that was disconnected within 7 days. */
    readonly find: (scope: InboxScope, id: string) => Effect.Effect<AccountView, AccountNotFound | StoreUnavailable>
    /**
     * Asks the network now who the account is, what its token may do and whether its webhooks are subscribed, and
     * repairs the subscription. A dead token is an answer: the account is `reauth_required`. Fails if the network does
     * not answer, or not now.
     */
    readonly check: (
      scope: InboxScope,
      id: string
    ) => Effect.Effect<
      AccountView,
      AccountNotFound | AccountIsDisconnected | RateLimited | Unavailable | StoreUnavailable
    >
    /**
     * Disconnects it here, after its subscription and its token were taken back at the network as far as that works
     * within a short time. Disconnecting it again does nothing.
     */
    readonly disconnect: (scope: InboxScope, id: string) => Effect.Effect<void, AccountNotFound | StoreUnavailable>
  }
>()("@loopbox/core/health/ConnectedAccounts") {
  static readonly layer: Layer.Layer<ConnectedAccounts, never, Ports> = Layer.effect(
    ConnectedAccounts,
    Effect.suspend(() => make)
  )
}

type Ports =
  | AccountHealthStore
  | AccountCredentials
  | AccountTokens
  | Connectors
  | CredentialVault
  | SecureRandom
  | SocialAccounts

const isAccountId = Schema.is(SocialAccountId)

const isIn = (scope: InboxScope, { account }: KnownAccount): boolean =>
  scope._tag === "WorkspaceScope" || Option.contains(account.externalUserId, scope.externalUserId)

/** A dead token and a lost permission are answers; the account's health tells them. */
const asAnswer = (failure: ReadFailed): Effect.Effect<void, RateLimited | Unavailable> => {
  if (failure._tag === "AuthExpired") return Effect.void
  if (failure._tag !== "Rejected") return Effect.fail(failure)
  if (failure.reason === "gone") return Effect.void
  const { detail, network, networkCode } = failure
  return Effect.fail(new Unavailable({ network, networkCode, detail, reason: "unreadable" }))
}

const make = Effect.gen(function* () {
  const store = yield* AccountHealthStore
  const accounts = yield* SocialAccounts
  const networks = yield* Networks
  const random = yield* SecureRandom
  const leaseNow = yield* LeaseClock
  const runCheck = yield* makeRunCheck
  const takeBack = yield* makeTakeBack

  const shown = (known: KnownAccount) => Effect.map(DateTime.now, (now) => viewAccount(networks, known, now))

  const findKnown = Effect.fnUntraced(function* (scope: InboxScope, id: string) {
    const { workspaceId } = scope
    const found = isAccountId(id) ? yield* store.find(workspaceId, id) : Option.none<KnownAccount>()
    const since = DateTime.subtract(yield* DateTime.now, revivableFor)
    const isKept = ({ account }: KnownAccount) =>
      Option.match(account.disconnectedAt, { onNone: () => true, onSome: (at) => DateTime.isGreaterThan(at, since) })
    if (Option.isNone(found) || !isIn(scope, found.value) || !isKept(found.value)) {
      return yield* new AccountNotFound({ workspaceId, accountId: id })
    }
    return found.value
  })

  const find = Effect.fnUntraced(function* (scope: InboxScope, id: string) {
    return yield* shown(yield* findKnown(scope, id))
  }, Effect.withSpan("ConnectedAccounts.find"))

  const seize = Effect.fnUntraced(function* ({ account }: KnownAccount) {
    const now = yield* leaseNow
    const token = toBase32(yield* random.randomBytes(16))
    const request = { token, leaseNow: now, leaseUntil: DateTime.addDuration(now, lease) }
    return yield* store.seize(account.workspaceId, account.id, request)
  })

  const checkNow = (claim: CheckClaim) =>
    runCheck(claim, { inspects: true, subscribes: true }, { every: defaultOptions.every, timeLimit: patience })

  const check = Effect.fn("ConnectedAccounts.check")(function* (scope: InboxScope, id: string) {
    const before = yield* findKnown(scope, id)
    if (before.account.status === "disconnected")
      return yield* new AccountIsDisconnected({ accountId: before.account.id })
    // A dead token is not tried again: only a new one helps.
    if (before.account.status === "reauth_required") return yield* shown(before)
    const claim = yield* seize(before)
    if (Option.isNone(claim)) return yield* find(scope, id)
    const outcome = yield* Effect.catchTag(Effect.asSome(checkNow(claim.value)), "LeaseLost", () => Effect.succeedNone)
    // It was connected again, disconnected or checked meanwhile.
    if (Option.isNone(outcome)) return yield* find(scope, id)
    if (Option.isSome(outcome.value.failure)) yield* asAnswer(outcome.value.failure.value)
    return yield* shown(outcome.value.known)
  })

  const disconnect = Effect.fn("ConnectedAccounts.disconnect")(function* (scope: InboxScope, id: string) {
    const known = yield* findKnown(scope, id)
    if (known.account.status === "disconnected") return
    yield* takeBack(known.account)
    yield* accounts.disconnect(scope.workspaceId, known.account.id, yield* DateTime.now)
  })

  return ConnectedAccounts.of({
    list: Effect.fn("ConnectedAccounts.list")(function* (scope, filter, page) {
      const now = yield* DateTime.now
      const disconnectedSince = DateTime.subtract(now, revivableFor)
      const { items, next } = yield* store.list(scope, { ...filter, disconnectedSince }, page)
      return { items: items.map((known) => viewAccount(networks, known, now)), next }
    }),
    find,
    check,
    disconnect
  })
})
