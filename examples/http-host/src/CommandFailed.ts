import * as Schema from "effect/Schema"

/**
 * A command ends here: its message, whole sentences for whoever typed it, is printed. The exit code is 1, or 2 where the
 * command line itself was wrong.
 */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
  isMisuse: Schema.optionalKey(Schema.Boolean),
  /** Of the host's refusal, where it was one. */
  code: Schema.optionalKey(Schema.String)
}) {}
