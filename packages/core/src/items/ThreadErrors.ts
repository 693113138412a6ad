import * as Schema from "effect/Schema"

/** Only the state `assigned` accepts an assignee. */
export class AssigneeNotAllowed extends Schema.TaggedError<AssigneeNotAllowed>()("AssigneeNotAllowed", {
  status: Schema.Literals(["open", "assigned", "resolved"])
}) {}
