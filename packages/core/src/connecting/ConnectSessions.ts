import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Digest } from "effect/crypto/Digest"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { ManagedUserNotFound, ScopeInvalid, WorkspaceNotFound } from "../access/AccessErrors.ts"
import type { InboxScope } from "../access/InboxScope.ts"
import type { AccountNotFound } from "../accounts/AccountErrors.ts"
import { CredentialVault } from "../accounts/CredentialVault.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { ConnectSessionId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { Connectors } from "../networks/Connectors.ts"
import type { Network } from "../networks/Source.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"
import { makeBrowserSecrets } from "./browserSecrets.ts"
import {
  type AccountOfOtherNetwork,
  type ConnectLinkExpired,
  type ConnectLinkUnknown,
  ConnectSessionNotFound,
  type NetworkNotConfigured,
  type OwnerMismatch,
  type ReturnUrlInvalid,
  type StateInvalid
} from "./ConnectErrors.ts"
import { type ConnectSession, sessionAt } from "./ConnectSession.ts"
import { ConnectSessionStore, type KeptSession } from "./ConnectSessionStore.ts"
import { makeCreateSession, type NewConnectSession } from "./createSession.ts"
import type { CallbackQuery } from "./exchangeCode.ts"
import type { Choosing, Ended, NothingChosen, Redirect, Waiting } from "./choicePage.ts"
import { makeVisits } from "./visits.ts"

export type { NewConnectSession } from "./createSession.ts"
export type { CallbackQuery } from "./exchangeCode.ts"
export type { Choice, Choosing, Ended, NothingChosen, Redirect, Waiting } from "./choicePage.ts"

/** A session with the secret part of its link, which is for the person's browser. */
export interface LinkedSession {
  readonly session: ConnectSession
  readonly linkToken: Redacted.Redacted<string>
}

/**
 * Driving service: sessions in which a person connects accounts (api-2.md §11).
 *
 * It does not authorise `create` and `find`: the scope is what the caller may do. The other methods are for the browser
 * of the person, who has nothing but the link.
 */
export class ConnectSessions extends Context.Service<
  ConnectSessions,
  {
    readonly create: (
      scope: InboxScope,
      request: NewConnectSession
    ) => Effect.Effect<
      LinkedSession,
      | NetworkNotConfigured
      | ReturnUrlInvalid
      | ScopeInvalid
      | AccountNotFound
      | AccountOfOtherNetwork
      | OwnerMismatch
      | ManagedUserNotFound
      | WorkspaceNotFound
      | StoreUnavailable
    >
    /** A malformed id counts as not found. */
    readonly find: (
      scope: InboxScope,
      id: string
    ) => Effect.Effect<LinkedSession, ConnectSessionNotFound | StoreUnavailable>
    /**
     * Opens a session's link. Each call makes a new attempt with a `state` and a cookie of its own, which ends the one
     * before; the session itself is not used up. An attempt with which the same browser is back from the network, by its
     * `cookies`, ends only when the new one is back, too. `callbackUrl`: the address to which a network sends the browser
     * back.
     */
    readonly begin: (
      linkToken: Redacted.Redacted<string>,
      callbackUrl: (network: Network) => string,
      cookies: ReadonlyArray<Redacted.Redacted<string>>
    ) => Effect.Effect<Redirect | Ended, ConnectLinkUnknown | ConnectLinkExpired | StoreUnavailable>
    /**
     * The browser comes back from the network. The same answer again, also while the first is still worked on, gives
     * the first outcome. Work that takes longer than the browser is let wait goes on without it. `cookies`: of all
     * attempts of the browser.
     */
    readonly callback: (
      network: string,
      query: CallbackQuery,
      cookies: ReadonlyArray<Redacted.Redacted<string>>
    ) => Effect.Effect<Choosing | Ended | Waiting, StateInvalid | StoreUnavailable>
    /** The page of choices again. */
    readonly choices: (
      cookie: Option.Option<Redacted.Redacted<string>>
    ) => Effect.Effect<Choosing | Ended | Waiting, StateInvalid | StoreUnavailable>
    /** Connects what was chosen. The form sent again gives the first outcome. */
    readonly choose: (
      cookie: Option.Option<Redacted.Redacted<string>>,
      formToken: Redacted.Redacted<string>,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<Ended | NothingChosen | Waiting, StateInvalid | StoreUnavailable>
  }
>()("@loopbox/core/connecting/ConnectSessions") {
  static readonly layer: Layer.Layer<
    ConnectSessions,
    never,
    ConnectSessionStore | SocialAccounts | Workspaces | CredentialVault | Connectors | SecureRandom | Digest
  > = Layer.effect(
    ConnectSessions,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const store = yield* ConnectSessionStore
  const accounts = yield* SocialAccounts
  const vault = yield* CredentialVault
  const connectors = yield* Connectors
  const random = yield* SecureRandom
  const digest = yield* Digest
  const secrets = makeBrowserSecrets({ random, digest })
  const ports = { store, accounts, vault, connectors, random, secrets }
  const createSession = makeCreateSession(ports)
  const visits = yield* makeVisits({ ...ports, workspaces: yield* Workspaces })

  const find = Effect.fn("ConnectSessions.find")(function* (scope: InboxScope, id: string) {
    const found = isSessionId(id) ? yield* store.find(scope.workspaceId, id) : Option.none<KeptSession>()
    const owned = Option.filter(
      found,
      ({ session }) => scope._tag === "WorkspaceScope" || Option.contains(session.externalUserId, scope.externalUserId)
    )
    if (Option.isNone(owned)) return yield* new ConnectSessionNotFound({ sessionId: id })
    const { sealedLink, session } = owned.value
    const linkToken = yield* vault.open({ workspaceId: session.workspaceId, accountId: session.id }, sealedLink).pipe(
      Effect.map(({ accessToken }) => accessToken),
      // Its key was taken away within its half hour: nobody can open its link any more.
      Effect.mapError(() => new ConnectSessionNotFound({ sessionId: id }))
    )
    return { session: sessionAt(session, yield* DateTime.now), linkToken }
  })

  return ConnectSessions.of({
    create: Effect.fn("ConnectSessions.create")(createSession),
    find,
    ...visits
  })
})

const isSessionId = Schema.is(ConnectSessionId)
