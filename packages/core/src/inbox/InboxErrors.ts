import * as Schema from "effect/Schema"

/** No such item in the caller's scope: absent, deleted, of another's account or of a source that the plan lacks. */
export class ItemNotFound extends Schema.TaggedError<ItemNotFound>()("ItemNotFound", { itemId: Schema.String }) {}

/** Only `assigned` takes a name. */
export class AssigneeNotAllowed extends Schema.TaggedError<AssigneeNotAllowed>()("AssigneeNotAllowed", {
  status: Schema.Literals(["open", "assigned", "resolved"])
}) {}

/** A name has 1–256 characters. */
export class AssigneeInvalid extends Schema.TaggedError<AssigneeInvalid>()("AssigneeInvalid", {}) {}

/** The account was erased or disconnected: nothing is kept for it. */
export class AccountGone extends Schema.TaggedError<AccountGone>()("AccountGone", { accountId: Schema.String }) {}

/** Another worker has the delivery, or it has ended. */
export class DeliveryLeaseLost extends Schema.TaggedError<DeliveryLeaseLost>()("DeliveryLeaseLost", {
  deliveryId: Schema.String
}) {}

/** The delivery's bytes can't be read as what the network says it sends. */
export class DeliveryUnreadable extends Schema.TaggedError<DeliveryUnreadable>()("DeliveryUnreadable", {
  reason: Schema.String
}) {}

/** No failed delivery of this id. */
export class DeliveryNotFound extends Schema.TaggedError<DeliveryNotFound>()("DeliveryNotFound", {
  deliveryId: Schema.String
}) {}

/** No network can be asked in the account's name: it is disconnected, must be connected again, or its seal is broken. */
export class AccountUnusable extends Schema.TaggedError<AccountUnusable>()("AccountUnusable", {
  accountId: Schema.String,
  reason: Schema.Literals(["not_connected", "credentials_unreadable"])
}) {}

/** Another worker has the account. */
export class SyncLeaseLost extends Schema.TaggedError<SyncLeaseLost>()("SyncLeaseLost", { accountId: Schema.String }) {}

/** No such run in the caller's scope. */
export class SyncNotFound extends Schema.TaggedError<SyncNotFound>()("SyncNotFound", { syncId: Schema.String }) {}

/** A backfill was asked for, and the scope has no X account, or not the one that was named. */
export class NoBackfillAccount extends Schema.TaggedError<NoBackfillAccount>()("NoBackfillAccount", {}) {}

/**
 * A confirmation does not let this backfill begin. `unknown`: there is none in this scope; `expired`; `other_input`: it
 * was given for another one.
 */
export class ConfirmationInvalid extends Schema.TaggedError<ConfirmationInvalid>()("ConfirmationInvalid", {
  reason: Schema.Literals(["unknown", "expired", "other_input"])
}) {}

/** An item hangs on no post, as messages and posts at the root do, or its post is gone. */
export class NoParent extends Schema.TaggedError<NoParent>()("NoParent", {
  reason: Schema.Literals(["none", "gone"])
}) {}

/** The network can't be asked about a post now, and nothing is known of it. */
export class MediaContextUnavailable extends Schema.TaggedError<MediaContextUnavailable>()("MediaContextUnavailable", {
  postId: Schema.String
}) {}
