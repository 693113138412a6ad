import * as Schema from "effect/Schema"
import { SocialAccountId } from "../kernel/Ids.ts"
import { Network } from "../networks/Source.ts"

/** This host has no app of the network: the names of the settings that it lacks. */
export class NetworkNotConfigured extends Schema.TaggedError<NetworkNotConfigured>()("NetworkNotConfigured", {
  network: Network,
  settings: Schema.Array(Schema.String)
}) {}

/** Why the browser can't be sent to an address. */
export const ReturnUrlReason = Schema.Literals([
  "malformed",
  "too_long",
  "scheme",
  "user_info",
  "host",
  "port",
  "fragment"
])
export type ReturnUrlReason = typeof ReturnUrlReason.Type

export class ReturnUrlInvalid extends Schema.TaggedError<ReturnUrlInvalid>()("ReturnUrlInvalid", {
  reason: ReturnUrlReason
}) {}

/** The account that is to be connected again is of another network than the session. */
export class AccountOfOtherNetwork extends Schema.TaggedError<AccountOfOtherNetwork>()("AccountOfOtherNetwork", {
  accountId: SocialAccountId,
  network: Network
}) {}

/** The session names another owner than the scope of the request, or than the account that is to be connected again. */
export class OwnerMismatch extends Schema.TaggedError<OwnerMismatch>()("OwnerMismatch", {}) {}

/** The workspace has no such session in this scope. */
export class ConnectSessionNotFound extends Schema.TaggedError<ConnectSessionNotFound>()("ConnectSessionNotFound", {
  sessionId: Schema.String
}) {}

/** No session has this link. */
export class ConnectLinkUnknown extends Schema.TaggedError<ConnectLinkUnknown>()("ConnectLinkUnknown", {}) {}

/** The session's time is over. */
export class ConnectLinkExpired extends Schema.TaggedError<ConnectLinkExpired>()("ConnectLinkExpired", {}) {}

/**
 * A browser came back with a `state` that is unknown, used, out of date or of another browser, or with a form that is
 * not its own. Nothing was exchanged and nothing connected.
 */
export class StateInvalid extends Schema.TaggedError<StateInvalid>()("StateInvalid", {}) {}
