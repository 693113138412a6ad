import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
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

export const layer = ({ otlpEndpoint }: HostConfig) =>
  Option.match(otlpEndpoint, { onNone: () => Layer.empty, onSome: layerExport })

const queued = Metric.gauge("loopbox_conversions_queued", { description: "Conversion jobs that wait for a worker" })
const processing = Metric.gauge("loopbox_conversions_processing", { description: "Conversion jobs that a worker has" })
const oldest = Metric.gauge("loopbox_conversions_oldest_queued_seconds", {
  description: "Seconds that the oldest queued conversion job has waited"
})

const measure = Effect.gen(function* () {
  const store = yield* ConversionStore
  const depth = yield* store.depth
  const now = yield* DateTime.now
  const waited_ms = Option.match(depth.oldestQueuedAt, {
    onNone: () => 0,
    onSome: (at) => now.epochMilliseconds - at.epochMilliseconds
  })
  yield* Metric.update(queued, depth.queued)
  yield* Metric.update(processing, depth.processing)
  yield* Metric.update(oldest, Math.max(0, waited_ms / 1000))
})

/** Keeps the gauges of the queue fresh. */
export const layerQueueGauges: Layer.Layer<never, never, ConversionStore> = Layer.effectDiscard(
  measure.pipe(
    Effect.catchTag("StoreUnavailable", (error) => Effect.logDebug("the queue cannot be measured now", error)),
    Effect.repeat(Schedule.spaced("5 seconds")),
    Effect.forkScoped
  )
)
