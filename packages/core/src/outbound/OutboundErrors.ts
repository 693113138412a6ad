import * as Schema from "effect/Schema"
import { OutboundOperationId } from "../kernel/Ids.ts"

/** No such operation in the caller's scope. */
export class OperationNotFound extends Schema.TaggedError<OperationNotFound>()("OperationNotFound", {
  operationId: Schema.String
}) {}

/** The key was used before for another reply to this item. */
export class ReplyKeyConflict extends Schema.TaggedError<ReplyKeyConflict>()("ReplyKeyConflict", {
  operationId: OutboundOperationId
}) {}

/** Replies on X require a key, because a duplicate post can't be recognised. */
export class ReplyKeyRequired extends Schema.TaggedError<ReplyKeyRequired>()("ReplyKeyRequired", {}) {}

/** The text is empty, or longer than the network's limit, by the network's way of counting. */
export class ReplyTextInvalid extends Schema.TaggedError<ReplyTextInvalid>()("ReplyTextInvalid", {
  length: Schema.Int,
  limit: Schema.Int
}) {}

/**
 * The files of an answer can't be sent with it.
 *
 * - `too_many`: more than `limit`
 * - `not_found`, `not_ready`: there is no such file, or its upload is not finished
 * - `wrong_type`: of the type `actual`, and the source takes `allowed`
 * - `too_large`: more bytes than `limit`
 * - `text_beside`: the source takes a text or a file in one message
 */
export class ReplyMediaInvalid extends Schema.TaggedError<ReplyMediaInvalid>()("ReplyMediaInvalid", {
  reason: Schema.Literals(["too_many", "not_found", "not_ready", "wrong_type", "too_large", "text_beside"]),
  allowed: Schema.Array(Schema.String),
  actual: Schema.Option(Schema.Union([Schema.String, Schema.Int])),
  limit: Schema.Option(Schema.Int)
}) {}

/** The item can't be answered: it is the account's own, or its author did not mention or quote the account (X). */
export class NotAnswerable extends Schema.TaggedError<NotAnswerable>()("NotAnswerable", {
  reason: Schema.Literals(["own_item", "not_summoned"])
}) {}

/** The person's last message is more than 24 hours (less a margin) old. */
export class WindowClosed extends Schema.TaggedError<WindowClosed>()("WindowClosed", {}) {}

/** The account's token is known to lack a permission that a reply needs. */
export class PermissionsMissing extends Schema.TaggedError<PermissionsMissing>()("PermissionsMissing", {
  missingScopes: Schema.Array(Schema.String)
}) {}
