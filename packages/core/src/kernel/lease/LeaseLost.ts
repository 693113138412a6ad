import * as Schema from "effect/Schema"

/**
 * The worker no longer holds the lease of its claim: the lease expired and another worker has the work, or the work was
 * settled in another way. Nothing was changed.
 */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", {
  what: Schema.Literals([
    "account",
    "conversion",
    "delivery",
    "lane",
    "operation",
    "overlay",
    "profile",
    "sweep",
    "target"
  ]),
  id: Schema.String
}) {}
