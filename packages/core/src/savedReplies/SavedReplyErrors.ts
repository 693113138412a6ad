import * as Schema from "effect/Schema"

/** No such saved reply in the scope. */
export class SavedReplyNotFound extends Schema.TaggedError<SavedReplyNotFound>()("SavedReplyNotFound", {
  savedReplyId: Schema.String
}) {}

/** The name or the text is blank or too long. */
export class SavedReplyInvalid extends Schema.TaggedError<SavedReplyInvalid>()("SavedReplyInvalid", {
  members: Schema.Array(Schema.Literals(["name", "text"]))
}) {}

/** The managed user, or the workspace, was erased meanwhile. */
export class SavedReplyOwnerGone extends Schema.TaggedError<SavedReplyOwnerGone>()("SavedReplyOwnerGone", {}) {}
