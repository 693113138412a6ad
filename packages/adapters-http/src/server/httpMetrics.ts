import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const requests = Metric.counter("http_requests_total", {
  description: "Requests that were answered, by route pattern, method and status",
  incremental: true
})

const durations = Metric.histogram("http_request_duration_seconds", {
  description: "Seconds from a request's head to the head of its answer, by route pattern and method",
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
})

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** Counts one answer; labels are patterns and known methods only, so that their number is bounded. */
export const countAnswer = (answer: {
  readonly route: string
  readonly method: string
  readonly status: number
  /** Absent where they say nothing of the answer. */
  readonly seconds: number | undefined
}): Effect.Effect<void> => {
  const { route, seconds, status } = answer
  const method = methods.has(answer.method) ? answer.method : "other"
  return Effect.andThen(
    Metric.update(Metric.withAttributes(requests, { route, method, status: String(status) }), 1),
    seconds === undefined ? Effect.void : Metric.update(Metric.withAttributes(durations, { route, method }), seconds)
  )
}
