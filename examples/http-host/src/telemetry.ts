import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { WebhookDeliveries } from "@loopbox/core/inbox/WebhookDeliveries"
import { openStatuses } from "@loopbox/core/outbound/OutboundOperation"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import type { HostConfig } from "./hostConfig.ts"
import { version } from "./version.ts"

/** Traces and metrics go to the collector that is configured; loaded only then. */
const layerExport = (endpoint: string) =>
  Layer.unwrap(
    Effect.promise(async () => {
      const [tracer, metrics, serialization, client] = await Promise.all([
        import("effect/observability/OtlpTracer"),
        import("effect/observability/OtlpMetrics"),
        import("effect/observability/OtlpSerialization"),
        import("effect/http/FetchHttpClient")
      ])
      const resource = { serviceName: "loopbox", serviceVersion: version }
      return Layer.mergeAll(
        tracer.layer({ url: `${endpoint}/v1/traces`, resource }),
        metrics.layer({ url: `${endpoint}/v1/metrics`, resource })
      ).pipe(Layer.provide([serialization.layerJson, client.layer]))
    })
  )

/** Nobody gets the spans, so they need not ask what time it is: twice each, ten times in a request. */
const layerNone = Layer.succeed(References.TracerTimingEnabled, false)

export const layer = ({ otlpEndpoint }: HostConfig) =>
  Option.match(otlpEndpoint, { onNone: () => layerNone, onSome: layerExport })

const gauges = {
  queued: Metric.gauge("loopbox_conversions_queued", { description: "Conversion jobs that wait for a worker" }),
  processing: Metric.gauge("loopbox_conversions_processing", { description: "Conversion jobs that a worker has" }),
  oldestQueued: Metric.gauge("loopbox_conversions_oldest_queued_seconds", {
    description: "Seconds that the oldest queued conversion job has waited"
  }),
  deliveries: Metric.gauge("loopbox_webhook_deliveries_pending", {
    description: "Webhook deliveries that are not ingested yet"
  }),
  oldestDelivery: Metric.gauge("loopbox_webhook_deliveries_oldest_pending_seconds", {
    description: "Seconds since the oldest webhook delivery that is not ingested yet came"
  }),
  failedDeliveries: Metric.gauge("loopbox_webhook_deliveries_failed", {
    description: "Webhook deliveries that could not be ingested whole and are kept for a replay"
  }),
  openReplies: Metric.gauge("loopbox_replies_open", {
    description: "Replies whose operation has not ended, by its status"
  })
}

const secondsSince = (moment: Option.Option<DateTime.Utc>, now: DateTime.Utc): number =>
  Option.match(moment, {
    onNone: () => 0,
    onSome: (at) => Math.max(0, (now.epochMilliseconds - at.epochMilliseconds) / 1000)
  })

const measure = Effect.gen(function* () {
  const jobs = yield* Effect.flatMap(ConversionStore, (store) => store.depth)
  const webhooks = yield* Effect.flatMap(WebhookDeliveries, (deliveries) => deliveries.depth)
  const replies = yield* Effect.flatMap(OutboundStore, (store) => store.depth)
  const now = yield* DateTime.now
  yield* Metric.update(gauges.queued, jobs.queued)
  yield* Metric.update(gauges.processing, jobs.processing)
  yield* Metric.update(gauges.oldestQueued, secondsSince(jobs.oldestQueuedAt, now))
  yield* Metric.update(gauges.deliveries, webhooks.pending)
  yield* Metric.update(gauges.oldestDelivery, secondsSince(webhooks.oldestPendingAt, now))
  yield* Metric.update(gauges.failedDeliveries, webhooks.failed)
  for (const status of openStatuses) {
    yield* Metric.update(Metric.withAttributes(gauges.openReplies, { status }), replies[status])
  }
})

/** Keeps the gauges of the queues fresh. */
export const layerQueueGauges: Layer.Layer<never, never, ConversionStore | WebhookDeliveries | OutboundStore> =
  Layer.effectDiscard(
    measure.pipe(
      Effect.catchTag("StoreUnavailable", (error) => Effect.logDebug("the queues cannot be measured now", error)),
      Effect.repeat(Schedule.spaced("5 seconds")),
      Effect.forkScoped
    )
  )
