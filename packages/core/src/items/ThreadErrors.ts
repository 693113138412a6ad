import * as Schema from "effect/Schema"

/** An open thread has no assignee. */
export class AssigneeNotAllowed extends Schema.TaggedError<AssigneeNotAllowed>()("AssigneeNotAllowed", {
  status: Schema.Literals(["open", "assigned", "resolved"])
}) {}

/** An assignee has 1–256 characters, and isn't `none`, by which lists are asked for nobody's threads. */
export class AssigneeInvalid extends Schema.TaggedError<AssigneeInvalid>()("AssigneeInvalid", {
  reason: Schema.Literals(["too_long", "reserved"])
}) {}
