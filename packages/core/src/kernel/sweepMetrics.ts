import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

/** When this process last finished a part of a sweep. Attribute: `part`. */
const lastSuccess = Metric.gauge("loopbox_sweep_last_success_timestamp_seconds", {
  description: "When this process last swept a part without a failure, in seconds since 1970"
})

/** Notes that a part of a sweep was finished. */
export const noteSwept = (part: string): Effect.Effect<void> =>
  Effect.flatMap(DateTime.now, (now) =>
    Metric.update(Metric.withAttributes(lastSuccess, { part }), Math.floor(DateTime.toEpochMillis(now) / 1000))
  )
