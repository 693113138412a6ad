import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { ConnectFailed, ReadFailed } from "./ConnectorErrors.ts"
import type { Feature, Login } from "./Feature.ts"
import type { AccountAccess, RefreshedToken } from "./AccountAccess.ts"

/** One attempt of a person to sign in. */
export interface AuthorizationRequest {
  /** The address to which the network sends the person back; compared exactly by the network. */
  readonly redirectUri: string
  /** Single use, and bound to the browser. */
  readonly state: Redacted.Redacted<string>
  /** PKCE (RFC 7636): 43 characters or more. Its digest is sent if the network knows PKCE. */
  readonly verifier: Redacted.Redacted<string>
  readonly features: ReadonlyArray<Feature>
  /** The account was connected before: permissions that were declined are asked for again. */
  readonly isReconnect: boolean
}

/** The code that the network sent back, with what the authorization request had. */
export interface CodeExchange {
  readonly code: Redacted.Redacted<string>
  readonly redirectUri: string
  readonly verifier: Redacted.Redacted<string>
  readonly features: ReadonlyArray<Feature>
}

/**
 * Why an account can't be chosen.
 *
 * - `page_permission_required`: the person's role on the Page does not allow what the features need
 * - `page_token_missing`: the network gave no token for it, or one that it does not take
 * - `account_not_eligible`: a personal Instagram account, or a Page without an Instagram account
 */
export type Hindrance = "page_permission_required" | "page_token_missing" | "account_not_eligible"

/** An account that the person may connect. */
export interface ConnectCandidate {
  /** The id that webhooks use. */
  readonly networkAccountId: string
  /** Another id by which the network names it (Instagram: the id for this app). */
  readonly otherAccountId: Option.Option<string>
  /** The account through which it is reached: the Page of an Instagram account that Facebook's login connects. */
  readonly throughAccountId: Option.Option<string>
  readonly name: string
  /** Without `@`. */
  readonly username: Option.Option<string>
  /** An https address. */
  readonly avatarUrl: Option.Option<string>
  /** The ids of the person for this app: Meta's callbacks name nobody else. */
  readonly personIds: ReadonlyArray<string>
  /** Granted, by the network's names; never what was only asked for. Empty if the network does not tell. */
  readonly permissions: ReadonlyArray<string>
  /** Absent if the account can't be chosen, and for no other reason. */
  readonly token: Option.Option<RefreshedToken>
  readonly hindrance: Option.Option<Hindrance>
}

/** What a network says of an account that is connected. */
export interface AccountInspection {
  /** All ids of the account of this token, the one that webhooks use among them. */
  readonly ids: ReadonlyArray<string>
  readonly name: Option.Option<string>
  readonly username: Option.Option<string>
  readonly avatarUrl: Option.Option<string>
  /** `none` if the network does not tell which permissions a token has. */
  readonly permissions: Option.Option<ReadonlyArray<string>>
}

/** The webhooks of one account, where the network has a call for them. Each call may be repeated. */
export interface WebhookSubscription {
  /** Whether the network will send everything that the inbox needs. */
  readonly isSubscribed: (access: AccountAccess) => Effect.Effect<boolean, ReadFailed>
  /** An existing subscription counts as success. */
  readonly subscribe: (access: AccountAccess) => Effect.Effect<void, ReadFailed>
  readonly unsubscribe: (access: AccountAccess) => Effect.Effect<void, ReadFailed>
}

/**
 * The optional part of a connector by which people connect their accounts (OAuth). One for each login of the network.
 *
 * Every call has a time limit and follows no redirect. Nothing is retried: a code is accepted once.
 */
export interface NetworkConnect {
  readonly login: Login
  /** Names of the settings that the host lacks for it; empty if accounts can be connected. */
  readonly missingSettings: ReadonlyArray<string>
  /** The person chooses among the accounts even if there is only one (Facebook). */
  readonly alwaysChooses: boolean
  /** What a dialog asks for. */
  readonly permissionsFor: (features: ReadonlyArray<Feature>) => ReadonlyArray<string>
  /** The whole address of the network's dialog. Pure. */
  readonly authorizeUrl: (request: AuthorizationRequest) => Effect.Effect<Redacted.Redacted<string>>
  /**
   * Exchanges the code for tokens that last, and reads whose they are and what was granted. Complete only if the network
   * answered all of that.
   */
  readonly exchange: (exchange: CodeExchange) => Effect.Effect<ReadonlyArray<ConnectCandidate>, ConnectFailed>
  /** Who the account is and what its token may do. `AuthExpired` when the token is permanently invalid. */
  readonly inspect: (access: AccountAccess) => Effect.Effect<AccountInspection, ReadFailed>
  /** `none` if there is nothing to subscribe: Threads does it for the whole app, X needs an app's bearer token. */
  readonly subscription: Option.Option<WebhookSubscription>
  /** Webhooks of every account come all the same: the app has them (Threads). */
  readonly hearsByApp?: boolean
  /** Takes the permission back at the network, as far as the network has a call for it. May be repeated. */
  readonly revoke: (
    access: AccountAccess,
    refreshToken: Option.Option<Redacted.Redacted<string>>
  ) => Effect.Effect<void, ReadFailed>
  /** Revoking one account's token ends those of the person's other accounts, too (Facebook). */
  readonly revokesPerson: boolean
}
