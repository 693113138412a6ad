import { assert, describe, it } from "@effect/vitest"
import { Effect, Metric } from "effect"
import { TestClock } from "effect/testing"
import { makeActivity } from "../../src/console/activity.ts"

const requests = Metric.counter("http_requests_total", { incremental: true })
const seconds = Metric.histogram("http_request_duration_seconds", { boundaries: [1, 10] })
const queued = Metric.gauge("loopbox_conversions_queued")

const answered = (route: string, status: string) =>
  Metric.update(Metric.withAttributes(requests, { route, method: "GET", status }), 1)

/** A registry of its own, since what other tests count would be drawn too. */
const alone = Effect.provideService(Metric.MetricRegistry, new Map())

const valuesOf = Effect.fnUntraced(function* (
  report: Effect.Success<ReturnType<typeof makeActivity>>,
  range: "hour" | "day",
  curve: string
) {
  const { series } = yield* report(range)
  return series.find(({ label, name }) => `${name} ${label}` === curve)?.values
})

describe("what the console draws of a host", () => {
  it.effect("is what happened in each step of ten seconds, and of a minute for the day", () =>
    Effect.gen(function* () {
      yield* answered("/v1/media", "200")
      const report = yield* makeActivity()
      yield* answered("/v1/media", "200")
      yield* answered("/v1/inbox", "204")
      yield* answered("/livez", "200")
      yield* Metric.update(Metric.withAttributes(seconds, { route: "/v1/inbox", method: "GET" }), 0.5)
      yield* Metric.update(queued, 3)
      yield* TestClock.adjust("10 seconds")
      yield* answered("/v1/inbox", "500")
      yield* Metric.update(queued, 1)
      yield* TestClock.adjust("10 seconds")
      const hour = yield* report("hour")
      assert.deepStrictEqual([hour.step_seconds, hour.times], [10, [10, 20]])
      assert.deepStrictEqual(yield* valuesOf(report, "hour", "requests 2xx"), [2, 0])
      assert.deepStrictEqual(yield* valuesOf(report, "hour", "requests 5xx"), [0, 1])
      assert.deepStrictEqual(yield* valuesOf(report, "hour", "request_seconds mean"), [0.5, null])
      assert.deepStrictEqual(yield* valuesOf(report, "hour", "queue_depth conversions_queued"), [3, 1])
      assert.deepStrictEqual((yield* report("day")).times, [])
      yield* TestClock.adjust("40 seconds")
      const day = yield* report("day")
      assert.deepStrictEqual([day.step_seconds, day.times], [60, [60]])
      assert.deepStrictEqual(yield* valuesOf(report, "day", "requests 2xx"), [2])
      assert.deepStrictEqual(yield* valuesOf(report, "day", "requests 5xx"), [1])
    }).pipe(alone)
  )

  it.effect("is forgotten after an hour, and after a day", () =>
    Effect.gen(function* () {
      const report = yield* makeActivity()
      yield* answered("/v1/media", "200")
      yield* TestClock.adjust("25 hours")
      const hour = yield* report("hour")
      const day = yield* report("day")
      assert.deepStrictEqual([hour.times.length, day.times.length], [360, 1_440])
      assert.strictEqual(hour.times.at(-1), 25 * 3_600)
      for (const { series, times } of [hour, day]) {
        for (const { values } of series) assert.strictEqual(values.length, times.length)
      }
      assert.isTrue((yield* valuesOf(report, "day", "requests 2xx"))?.every((value) => value === 0))
    }).pipe(alone)
  )
})
