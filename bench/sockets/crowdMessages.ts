import * as Schema from "effect/Schema"

/** What the crowd's process is asked for. */
export const CrowdOrder = Schema.Union([
  /** Each socket says `greeting` once it is open. */
  Schema.TaggedStruct("Open", {
    url: Schema.String,
    authorization: Schema.String,
    count: Schema.Int,
    greeting: Schema.optionalKey(Schema.String)
  }),
  /** Counts from here on, and says when so many frames have come. */
  Schema.TaggedStruct("Expect", { frames: Schema.Int }),
  Schema.TaggedStruct("Look", {})
])
export type CrowdOrder = typeof CrowdOrder.Type

/** What it answers; times are of the machine's monotonic clock, which all processes share. */
export const CrowdAnswer = Schema.Union([
  Schema.TaggedStruct("Opened", {}),
  Schema.TaggedStruct("Expecting", {}),
  Schema.TaggedStruct("Arrived", { first_ms: Schema.Number, last_ms: Schema.Number }),
  Schema.TaggedStruct("Seen", { open: Schema.Int, pings: Schema.Int, leastPings: Schema.Int }),
  Schema.TaggedStruct("Failed", { message: Schema.String })
])
export type CrowdAnswer = typeof CrowdAnswer.Type

/** Milliseconds of the machine's monotonic clock. */
export const now_ms = (): number => Number(process.hrtime.bigint()) / 1e6
