import * as Schema from "effect/Schema"

/** A video could not be made. `reason` decides the terminal code of the job (§7.3). */
export class EncodeFailed extends Schema.TaggedError<EncodeFailed>()("EncodeFailed", {
  /**
   * - `Undecodable`: nothing could be decoded of an input
   * - `OutputTooLarge`: over `maxOutput_bytes`: `output_size_exceeded`
   * - `Rejected`: failed after a beginning, or the video is not as planned; the same work would fail again
   * - `MachineFailed`: no engine, killed, disk full: a new job may succeed
   */
  reason: Schema.Literals(["Undecodable", "OutputTooLarge", "Rejected", "MachineFailed"]),
  /** For logs only; never shown to a customer. */
  detail: Schema.String
}) {}
