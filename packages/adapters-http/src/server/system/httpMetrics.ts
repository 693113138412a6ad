import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const requestsOf = (attributes: Readonly<Record<"route" | "method" | "status", string>>) =>
  Metric.counter("http_requests_total", {
    description: "Requests that were answered, by route pattern, method and status",
    incremental: true,
    attributes
  })

const durationsOf = (attributes: Readonly<Record<"route" | "method", string>>) =>
  Metric.histogram("http_request_duration_seconds", {
    description: "Seconds from a request's head to the head of its answer, by route pattern and method",
    boundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    attributes
  })

const unauthorized = Metric.counter("http_unauthorized_total", {
  description: "Requests whose credential was absent or did not count, by what it was meant to be",
  incremental: true
})

const limited = Metric.counter("http_rate_limited_total", {
  description: "Requests that were refused for their number, by what was too much",
  incremental: true
})

/** Counts a credential that was refused: a caller's (an API key's or a dashboard user's), the administrator's, a webhook's, the console's. */
export const countUnauthorized = (credential: "caller" | "admin" | "webhook" | "console"): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(unauthorized, { credential }), 1)

/** Counts a refusal for too many: requests of a key, refused credentials of an address, open sockets. */
export const countRefusal = (by: "key" | "address" | "sockets"): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(limited, { by }), 1)

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

const labelled = (route: string, method: string, status: string) => ({
  requests: requestsOf({ route, method, status }),
  durations: durationsOf({ route, method })
})

/** A metric works out the name of its series once, so each kind of answer has metrics of its own, which are kept. */
const known = new Map<string, ReturnType<typeof labelled>>()

const seriesOf = (route: string, method: string, status: string) => {
  const kind = `${method} ${status} ${route}`
  const series = known.get(kind) ?? labelled(route, method, status)
  known.set(kind, series)
  return series
}

/** Counts one answer; labels are patterns and known methods only, so that their number is bounded. */
export const countAnswer = (answer: {
  readonly route: string
  readonly method: string
  readonly status: number
  readonly seconds: number
}): Effect.Effect<void> => {
  const { route, seconds, status } = answer
  const method = methods.has(answer.method) ? answer.method : "other"
  const series = seriesOf(route, method, String(status))
  return Effect.andThen(Metric.update(series.requests, 1), Metric.update(series.durations, seconds))
}
