import * as Schema from "effect/Schema"

/** No such run in the caller's scope. */
export class SyncNotFound extends Schema.TaggedError<SyncNotFound>()("SyncNotFound", { syncId: Schema.String }) {}

/** A backfill was requested, but the scope has no X account, or not the named one. */
export class NoBackfillAccount extends Schema.TaggedError<NoBackfillAccount>()("NoBackfillAccount", {}) {}

/**
 * A confirmation is not valid for this backfill. `unknown`: not found in this scope; `expired`; `other_input`: issued
 * for a different input.
 */
export class ConfirmationInvalid extends Schema.TaggedError<ConfirmationInvalid>()("ConfirmationInvalid", {
  reason: Schema.Literals(["unknown", "expired", "other_input"])
}) {}
