import * as Schema from "effect/Schema"
import { ConnectSessionId, OutgoingEndpointId, SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { Network } from "../networks/Source.ts"

/** The workspace has already connected this account. */
export class AccountAlreadyConnected extends Schema.TaggedError<AccountAlreadyConnected>()("AccountAlreadyConnected", {
  accountId: SocialAccountId
}) {}

/** No such account in the workspace, or it is disconnected. */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  workspaceId: WorkspaceId,
  accountId: Schema.String
}) {}

/**
 * The token of an account was tried, and nothing was stored.
 *
 * - `token_invalid`: the network does not accept it
 * - `other_account`: it is the token of another account
 * - `network_unavailable`: the network could not be asked now
 */
export class AccountCheckFailed extends Schema.TaggedError<AccountCheckFailed>()("AccountCheckFailed", {
  network: Network,
  reason: Schema.Literals(["token_invalid", "other_account", "network_unavailable"])
}) {}

/** Webhooks of Threads and X name an account by its handle, so the handle is required. */
export class UsernameRequired extends Schema.TaggedError<UsernameRequired>()("UsernameRequired", {
  network: Network
}) {}

/** Sealed credentials can't be opened: their key is missing, or they belong to another account, session or endpoint. */
export class CredentialsUnreadable extends Schema.TaggedError<CredentialsUnreadable>()("CredentialsUnreadable", {
  accountId: Schema.Union([SocialAccountId, ConnectSessionId, OutgoingEndpointId]),
  reason: Schema.Literals(["key_missing", "altered"])
}) {}

/** The account was erased or disconnected: nothing is stored for it. */
export class AccountGone extends Schema.TaggedError<AccountGone>()("AccountGone", { accountId: Schema.String }) {}

/**
 * No call can be made in the account's name: it is disconnected, must be connected again, its credentials can't be
 * opened, or it belongs to another managed user by now than what was to be done.
 */
export class AccountUnusable extends Schema.TaggedError<AccountUnusable>()("AccountUnusable", {
  accountId: Schema.String,
  reason: Schema.Literals(["not_connected", "credentials_unreadable", "other_owner"])
}) {}

/** The account is disconnected: nothing is asked in its name. Connecting it again within 7 days revives it. */
export class AccountIsDisconnected extends Schema.TaggedError<AccountIsDisconnected>()("AccountIsDisconnected", {
  accountId: SocialAccountId
}) {}

/** The workspace has the account already, for another managed user, or for none. Nothing was changed. */
export class AccountOfOtherUser extends Schema.TaggedError<AccountOfOtherUser>()("AccountOfOtherUser", {
  accountId: SocialAccountId
}) {}

/** Another account of the network than the one that was to be connected again. Nothing was changed. */
export class AccountMismatch extends Schema.TaggedError<AccountMismatch>()("AccountMismatch", {
  expected: SocialAccountId
}) {}
