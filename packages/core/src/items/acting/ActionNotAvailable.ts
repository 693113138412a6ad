import * as Schema from "effect/Schema"
import { ActionRefusal, ItemAction } from "./judgeAction.ts"

/** The item, its account or its network does not allow it (api-2.md §13). The network was not called. */
export class ActionNotAvailable extends Schema.TaggedError<ActionNotAvailable>()("ActionNotAvailable", {
  action: ItemAction,
  reason: ActionRefusal,
  /** The permissions that the account lacks. */
  missingScopes: Schema.Array(Schema.String)
}) {}
