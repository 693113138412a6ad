import * as Schema from "effect/Schema"

/** No such thread in the caller's scope: absent, without an item, or of an account that is not connected. */
export class ThreadNotFound extends Schema.TaggedError<ThreadNotFound>()("ThreadNotFound", {
  threadId: Schema.String
}) {}

/** No such note on the thread. */
export class NoteNotFound extends Schema.TaggedError<NoteNotFound>()("NoteNotFound", { noteId: Schema.String }) {}

/** The text is blank or longer than 10,000 characters, the author blank or longer than 100. */
export class NoteInvalid extends Schema.TaggedError<NoteInvalid>()("NoteInvalid", {
  members: Schema.Array(Schema.Literals(["text", "author"]))
}) {}

/**
 * A thread can't be snoozed so.
 *
 * - `resolved`: it is to be resolved at the same time
 * - `too_soon`, `too_late`: less than a minute or more than 90 days ahead
 */
export class SnoozeInvalid extends Schema.TaggedError<SnoozeInvalid>()("SnoozeInvalid", {
  reason: Schema.Literals(["resolved", "too_soon", "too_late"])
}) {}

/**
 * Labels that a thread can't be given.
 *
 * - `too_many`: more than 20
 * - `label`: those `at` these places are blank, longer than 50 characters, or no text
 */
export class LabelsInvalid extends Schema.TaggedError<LabelsInvalid>()("LabelsInvalid", {
  reason: Schema.Literals(["too_many", "label"]),
  at: Schema.Array(Schema.Int)
}) {}
