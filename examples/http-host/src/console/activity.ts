import { supervised } from "@loopbox/core/kernel/lease/supervised"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { readCurves } from "./activityCurves.ts"
import { ActivityRing, type ActivitySeries } from "./ActivityRing.ts"

/** What the process did in the last hour or day, for the console. */
interface Activity {
  readonly times: ReadonlyArray<number>
  readonly step_seconds: number
  readonly series: ReadonlyArray<ActivitySeries>
}

/** Of the hour: 360 steps of 10 seconds. Of the day: 1,440 of a minute. */
const hourStep_s = 10
const dayStep_s = 60
const hourSteps = 3_600 / hourStep_s
const daySteps = 86_400 / dayStep_s

/** Reads the process's metrics every 10 seconds until the scope closes; tells what they say of the last hour and day. */
export const makeActivity = Effect.fnUntraced(function* () {
  const began = readCurves(yield* Metric.snapshot)
  const hour = new ActivityRing(hourSteps, began)
  const day = new ActivityRing(daySteps, began)
  let turns = 0
  const sample = Effect.gen(function* () {
    // The first step ends after its time, not at once.
    yield* Effect.sleep(`${hourStep_s} seconds`)
    const now = readCurves(yield* Metric.snapshot)
    const end_s = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    hour.note(now, end_s)
    turns = (turns + 1) % (dayStep_s / hourStep_s)
    if (turns === 0) day.note(now, end_s)
  })
  yield* supervised("console.activity", sample)
  return (range: "hour" | "day"): Effect.Effect<Activity> =>
    Effect.sync(() =>
      range === "hour"
        ? { times: hour.times, step_seconds: hourStep_s, series: hour.series }
        : { times: day.times, step_seconds: dayStep_s, series: day.series }
    )
})
