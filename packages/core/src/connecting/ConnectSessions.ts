import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ScopeInvalid, WorkspaceNotFound } from "../access/AccessErrors.ts"
import type { InboxScope } from "../access/InboxScope.ts"
import type { AccountNotFound } from "../accounts/AccountErrors.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import type { Feature } from "../networks/Feature.ts"
import type { Hindrance } from "../networks/NetworkConnect.ts"
import type { Network } from "../networks/Source.ts"
import type {
  AccountOfOtherNetwork,
  ConnectLinkExpired,
  ConnectLinkUnknown,
  ConnectSessionNotFound,
  NetworkNotConfigured,
  OwnerMismatch,
  ReturnUrlInvalid,
  StateInvalid
} from "./ConnectErrors.ts"
import type { ConnectSession } from "./ConnectSession.ts"

export interface NewConnectSession {
  readonly network: Network
  /** The owner; absent: the scope's, or the one of the account that is to be connected again. */
  readonly externalUserId: Option.Option<string>
  readonly returnUrl: Option.Option<string>
  readonly features: ReadonlyArray<Feature>
  /** The account that is to be connected again. A malformed id counts as not found. */
  readonly socialAccountId: Option.Option<string>
}

/** A session with the secret part of its link, which is for the person's browser. */
export interface LinkedSession {
  readonly session: ConnectSession
  readonly linkToken: Redacted.Redacted<string>
}

/** The session is over, or over for now: where the browser goes is `returnAddress`, or a page of our own. */
export interface Ended {
  readonly _tag: "Ended"
  readonly session: ConnectSession
}

/** Go to the network; the cookie binds the browser to this attempt. */
export interface Redirect {
  readonly _tag: "Redirect"
  readonly session: ConnectSession
  /** The whole address of the network's dialog; it holds the `state`. */
  readonly to: Redacted.Redacted<string>
  readonly cookie: Redacted.Redacted<string>
}

/** An account on the page where the person chooses. */
export interface Choice {
  /** What the form sends. */
  readonly key: string
  readonly name: string
  /** Without `@`. */
  readonly username: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
  /** Why it can't be chosen. */
  readonly hindrance: Option.Option<Hindrance>
  /** Chosen beforehand: the account that is to be connected again, or the only one. */
  readonly isChosen: boolean
}

/** The person chooses, in a form that sends `formToken` with the keys. */
export interface Choosing {
  readonly _tag: "Choosing"
  readonly session: ConnectSession
  readonly workspaceName: string
  readonly choices: ReadonlyArray<Choice>
  /** At most one may be chosen. */
  readonly single: boolean
  readonly formToken: Redacted.Redacted<string>
}

/** Nothing was chosen that can be chosen: the same page again. */
export interface NothingChosen extends Omit<Choosing, "_tag"> {
  readonly _tag: "NothingChosen"
}

/** What a network sends back with the browser: the members of the query by name, each once. */
export type CallbackQuery = Readonly<Record<string, string>>

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
     * before; the session itself is not used up. `callbackUrl`: the address to which a network sends the browser back.
     */
    readonly begin: (
      linkToken: Redacted.Redacted<string>,
      callbackUrl: (network: Network) => string
    ) => Effect.Effect<Redirect | Ended, ConnectLinkUnknown | ConnectLinkExpired | StoreUnavailable>
    /**
     * The browser comes back from the network. The same answer again, also while the first is still worked on, gives
     * the first outcome.
     */
    readonly callback: (
      network: string,
      query: CallbackQuery,
      cookie: Option.Option<Redacted.Redacted<string>>
    ) => Effect.Effect<Choosing | Ended, StateInvalid | StoreUnavailable>
    /** The page of choices again. */
    readonly choices: (
      cookie: Option.Option<Redacted.Redacted<string>>
    ) => Effect.Effect<Choosing | Ended, StateInvalid | StoreUnavailable>
    /** Connects what was chosen. The form sent again gives the first outcome. */
    readonly choose: (
      cookie: Option.Option<Redacted.Redacted<string>>,
      formToken: Redacted.Redacted<string>,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<Ended | NothingChosen, StateInvalid | StoreUnavailable>
  }
>()("@loopbox/core/connecting/ConnectSessions") {}
