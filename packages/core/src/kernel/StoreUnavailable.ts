import * as Schema from "effect/Schema"

/**
 * A store (database or blobs) cannot answer now.
 *
 * `committed` is `no` if the write did not happen, and `unknown` if it may have. Retry automatically only on `no`, or
 * if the write is idempotent.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  operation: Schema.String,
  committed: Schema.Literals(["no", "unknown"]),
  cause: Schema.Defect()
}) {}
