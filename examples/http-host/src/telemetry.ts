import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Statement from "effect/sql/Statement"
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

/**
 * Nobody gets the spans, so they need not ask what time it is: twice each, ten times in a request. And what a statement runs
 * in needs no context of its own that has the statement's span.
 */
const layerNone = Layer.mergeAll(
  Layer.succeed(References.TracerTimingEnabled, false),
  Layer.succeed(Statement.SpanPropagationEnabled, false)
)

export const layer = ({ otlpEndpoint }: HostConfig) =>
  Option.match(otlpEndpoint, { onNone: () => layerNone, onSome: layerExport })
