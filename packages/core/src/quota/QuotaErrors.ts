import * as Schema from "effect/Schema"

/** The workspace has reached its limit of active media jobs. */
export class CapacityExceeded extends Schema.TaggedError<CapacityExceeded>()("CapacityExceeded", {
  limit: Schema.Int
}) {}

/** The workspace has used its conversions of the last 24 hours; `resetAt` is when the next one is admitted. */
export class ConversionRateExceeded extends Schema.TaggedError<ConversionRateExceeded>()("ConversionRateExceeded", {
  limit: Schema.Int,
  resetAt: Schema.DateTimeUtc
}) {}
