import * as Schema from "effect/Schema"
import { OutboundOperationId } from "../kernel/Ids.ts"

/** No such operation in the caller's scope. */
export class OperationNotFound extends Schema.TaggedError<OperationNotFound>()("OperationNotFound", {
  operationId: Schema.String
}) {}

/** The key made a reply with another text to this item. */
export class ReplyKeyConflict extends Schema.TaggedError<ReplyKeyConflict>()("ReplyKeyConflict", {
  operationId: OutboundOperationId
}) {}

/** Replies on X need a key: a second post can't be told from the first. */
export class ReplyKeyRequired extends Schema.TaggedError<ReplyKeyRequired>()("ReplyKeyRequired", {}) {}

/** The text is empty, or longer than the network takes, counted as it counts. */
export class ReplyTextInvalid extends Schema.TaggedError<ReplyTextInvalid>()("ReplyTextInvalid", {
  length: Schema.Int,
  limit: Schema.Int
}) {}

/** The item can't be answered: it is our own, or its author did not summon the account (X). */
export class NotAnswerable extends Schema.TaggedError<NotAnswerable>()("NotAnswerable", {
  reason: Schema.Literals(["own_item", "not_summoned"])
}) {}

/** More than 24 hours, less a margin, since the person wrote last. */
export class WindowClosed extends Schema.TaggedError<WindowClosed>()("WindowClosed", {}) {}

/** The account's credential is known to lack what a reply needs. */
export class PermissionsMissing extends Schema.TaggedError<PermissionsMissing>()("PermissionsMissing", {
  missingScopes: Schema.Array(Schema.String)
}) {}

/** Another worker has the operation, or it was erased. */
export class OperationLeaseLost extends Schema.TaggedError<OperationLeaseLost>()("OperationLeaseLost", {
  operationId: OutboundOperationId
}) {}
