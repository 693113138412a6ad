import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { Login } from "./Feature.ts"

/** The account in whose name a network is called. */
export interface AccountAccess {
  /** The id that webhooks use. */
  readonly networkAccountId: string
  /** Another id by which the network names the account, if known. */
  readonly otherAccountId: Option.Option<string>
  /** By which login it was connected, if it was by one of ours; a network may have other hosts for each. */
  readonly login: Option.Option<Login>
  /** The account through which it is reached: the Page of an Instagram account that Facebook's login connected. */
  readonly throughAccountId: Option.Option<string>
  /** The handle without `@`, if known. */
  readonly username: Option.Option<string>
  readonly accessToken: Redacted.Redacted<string>
}

/** The new token that a network issued. */
export interface RefreshedToken {
  readonly accessToken: Redacted.Redacted<string>
  /** X issues a new one at each use, which makes the old one invalid. */
  readonly refreshToken: Option.Option<Redacted.Redacted<string>>
  readonly expiresAt: Option.Option<DateTime.Utc>
}
