import * as Schema from "effect/Schema"

/**
 * The account must be connected again before anything is done in its name.
 *
 * `missingScopes`: permissions that the network named.
 */
export class ReconnectRequired extends Schema.TaggedError<ReconnectRequired>()("ReconnectRequired", {
  missingScopes: Schema.Array(Schema.String)
}) {}

/** Too many calls, by the network's word or by our own pace. Nothing was done. */
export class ActionLimited extends Schema.TaggedError<ActionLimited>()("ActionLimited", {
  retryAt: Schema.Option(Schema.DateTimeUtc)
}) {}

/** The network refused it for good. */
export class ActionRefused extends Schema.TaggedError<ActionRefused>()("ActionRefused", {
  networkCode: Schema.Option(Schema.String),
  reason: Schema.String
}) {}

/**
 * The network could not be asked, or it was not known within 20 seconds whether it did what was asked. It may be asked
 * again.
 */
export class ActionUncertain extends Schema.TaggedError<ActionUncertain>()("ActionUncertain", {
  networkCode: Schema.Option(Schema.String)
}) {}
