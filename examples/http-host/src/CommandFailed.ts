import * as Schema from "effect/Schema"

/** A command ends here: its message, whole sentences for whoever typed it, is printed and the exit code is 1. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String
}) {}
