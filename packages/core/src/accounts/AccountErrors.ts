import * as Schema from "effect/Schema"
import { SocialAccountId, WorkspaceId } from "../kernel/Ids.ts"
import { Network } from "./SocialAccount.ts"

/** The workspace has connected this account of the network already. */
export class AccountAlreadyConnected extends Schema.TaggedError<AccountAlreadyConnected>()("AccountAlreadyConnected", {
  accountId: SocialAccountId
}) {}

/** No such account in the workspace; a disconnected one is as good as absent. */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  workspaceId: WorkspaceId,
  accountId: Schema.String
}) {}

/** Webhooks of Threads and X name an account by its handle, so it must be given. */
export class UsernameRequired extends Schema.TaggedError<UsernameRequired>()("UsernameRequired", {
  network: Network
}) {}

/** Sealed credentials can't be opened: their key is not there, or they belong to another account. */
export class CredentialsUnreadable extends Schema.TaggedError<CredentialsUnreadable>()("CredentialsUnreadable", {
  accountId: SocialAccountId,
  reason: Schema.Literals(["key_missing", "altered"])
}) {}
