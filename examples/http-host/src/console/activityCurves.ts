import type * as Metric from "effect/Metric"

/** What the console's Activity page draws, and of which metric it is made. */
interface Curve {
  readonly name: string
  readonly metric: string
  /** `count`: how many in a step. `mean`: of a histogram, in a step. `level`: at the end of a step. */
  readonly kind: "count" | "mean" | "level"
  /** What tells it from other curves of its name; absent where a series is not drawn. */
  readonly labelOf: (attributes: Readonly<Record<string, string>>) => string | undefined
}

/** Somebody asks for these all the time. */
const probes = new Set(["/livez", "/readyz", "/metrics", "/console/activity"])

const drawn = ({ route = "none" }: Readonly<Record<string, string>>): boolean => !probes.has(route)

const by = (attribute: string) => (attributes: Readonly<Record<string, string>>) => attributes[attribute] ?? "all"

const level = (metric: string, labelOf: Curve["labelOf"]): Curve => ({
  name: "queue_depth",
  metric,
  kind: "level",
  labelOf
})

const mean = (name: string, metric: string, isDrawn: typeof drawn = () => true): Curve => ({
  name,
  metric,
  kind: "mean",
  labelOf: (attributes) => (isDrawn(attributes) ? "mean" : undefined)
})

const curves: ReadonlyArray<Curve> = [
  {
    name: "requests",
    metric: "http_requests_total",
    kind: "count",
    labelOf: (attributes) => (drawn(attributes) ? `${attributes["status"]?.[0] ?? "?"}xx` : undefined)
  },
  mean("request_seconds", "http_request_duration_seconds", drawn),
  { name: "items_in", metric: "loopbox_inbox_items_total", kind: "count", labelOf: by("by") },
  { name: "replies", metric: "loopbox_replies_total", kind: "count", labelOf: by("outcome") },
  { name: "posts", metric: "loopbox_post_targets_total", kind: "count", labelOf: by("outcome") },
  { name: "conversions", metric: "loopbox_conversion_jobs_ended_total", kind: "count", labelOf: by("outcome") },
  mean("conversion_seconds", "loopbox_conversion_job_seconds"),
  { name: "overlays", metric: "loopbox_overlay_jobs_ended_total", kind: "count", labelOf: by("outcome") },
  { name: "deliveries", metric: "loopbox_endpoint_attempts_total", kind: "count", labelOf: by("outcome") },
  mean("delivery_lag", "loopbox_endpoint_lag_seconds"),
  mean("webhook_lag", "loopbox_webhook_lag_seconds"),
  { name: "network_budget", metric: "loopbox_network_budget_used_percent", kind: "level", labelOf: by("network") },
  level("loopbox_conversions_queued", () => "conversions_queued"),
  level("loopbox_conversions_processing", () => "conversions_processing"),
  level("loopbox_overlays_queued", () => "overlays_queued"),
  level("loopbox_webhook_deliveries_pending", () => "webhooks_pending"),
  level("loopbox_replies_open", ({ status = "open" }) => `replies_${status}`),
  level("loopbox_post_targets_open", ({ status = "open" }) => `posts_${status}`)
]

const curvesOf = new Map(curves.map((curve) => [curve.metric, curve]))

/** What a curve's metric stood at. */
export interface Reading {
  readonly name: string
  readonly label: string
  readonly kind: Curve["kind"]
  /** Since the process began, or at present. */
  readonly total: number
  /** Of a mean: how many values make the total. */
  readonly count: number
}

const amountOf = ({ state, type }: Metric.Metric.Snapshot): Pick<Reading, "total" | "count"> | undefined => {
  if (type === "Counter") return { total: Number(state.count), count: 0 }
  if (type === "Gauge") return { total: Number(state.value), count: 0 }
  return type === "Histogram" ? { total: state.sum, count: state.count } : undefined
}

/** All curves at one moment. Series that share a label are one curve: their sum. */
export const readCurves = (snapshot: ReadonlyArray<Metric.Metric.Snapshot>): ReadonlyMap<string, Reading> => {
  const readings = new Map<string, Reading>()
  for (const one of snapshot) {
    const curve = curvesOf.get(one.id)
    const label = curve?.labelOf(one.attributes ?? {})
    const amount = amountOf(one)
    if (curve === undefined || label === undefined || amount === undefined) continue
    const { kind, name } = curve
    const key = `${name} ${label}`
    const known = readings.get(key) ?? { total: 0, count: 0 }
    readings.set(key, { name, label, kind, total: known.total + amount.total, count: known.count + amount.count })
  }
  return readings
}
