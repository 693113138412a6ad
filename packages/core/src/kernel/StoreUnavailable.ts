import * as Schema from "effect/Schema"

/**
 * A store, the blobs included, cannot answer now.
 *
 * `committed` says whether a write surely did not happen (`no`) or may have (`unknown`); a machine repeats only on
 * `no`, or where the write is idempotent.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  operation: Schema.String,
  committed: Schema.Literals(["no", "unknown"]),
  cause: Schema.Defect()
}) {}
