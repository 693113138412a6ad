import { supervised } from "@loopbox/core/kernel/lease/supervised"
import { Pools } from "@loopbox/adapters-postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { version } from "./version.ts"

const build = Metric.withAttributes(
  Metric.gauge("loopbox_build_info", { description: "Always 1; its labels say what runs" }),
  { version, node: process.versions.node }
)
const lag = Metric.gauge("loopbox_event_loop_lag_seconds", {
  description: "Longest delay of the event loop since the last look, 5 seconds before"
})
const heap = Metric.gauge("loopbox_heap_used_bytes", { description: "JavaScript's heap in use" })
const resident = Metric.gauge("loopbox_resident_memory_bytes", { description: "Memory of the process" })
const connections = Metric.gauge("loopbox_database_pool_connections", {
  description: "Connections of a pool at most (size), those in use, and statements that wait for one"
})

const measurePools = Effect.gen(function* () {
  const use = (yield* Pools.Pools).use()
  for (const pool of Pools.poolNames) {
    const { inUse, size, waiting } = use[pool]
    for (const [state, count] of Object.entries({ size, in_use: inUse, waiting })) {
      yield* Metric.update(Metric.withAttributes(connections, { pool, state }), count)
    }
  }
})

/** Keeps the gauges of this process fresh. */
export const layerProcessGauges: Layer.Layer<never, never, Pools.Pools> = Layer.effectDiscard(
  Effect.gen(function* () {
    const delays = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const histogram = monitorEventLoopDelay({ resolution: 20 })
        histogram.enable()
        return histogram
      }),
      (histogram) => Effect.sync(() => histogram.disable())
    )
    yield* Metric.update(build, 1)
    const measure = Effect.gen(function* () {
      const { heapUsed, rss } = process.memoryUsage()
      // In nanoseconds, and never below the resolution.
      yield* Metric.update(lag, Math.max(0, delays.max / 1e9 - 0.02))
      delays.reset()
      yield* Metric.update(heap, heapUsed)
      yield* Metric.update(resident, rss)
      yield* measurePools
    })
    yield* supervised("process.gauges", measure, { every: "5 seconds" })
  })
)
