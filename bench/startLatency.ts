import { animatedGif } from "@loopbox/testing/fakes/gifSamples"
import type { Benchmark } from "./Benchmark.ts"
import { quantile } from "./statistics.ts"
import { withHost } from "./withHost.ts"

const jobs = 200
/** Milliseconds that a submitted job may wait for an idle worker. */
const promised_ms = 50

/** How long an idle worker leaves a new job lying. */
export const startLatency: Benchmark = {
  name: "start-latency",
  description: `started_at − created_at of ${jobs} jobs, one after another on an idle worker: p99 against ${promised_ms} ms`,
  better: "lower",
  wanted: 1,
  run: () =>
    withHost(async (calls) => {
      const gif = await calls.upload(Uint8Array.from(animatedGif([10, 20])))
      const waited: Array<number> = []
      for (let index = 0; index < jobs; index++) {
        const job = await calls.settled((await calls.submit(gif)).id)
        waited.push(Date.parse(job.started_at ?? "") - Date.parse(job.created_at))
      }
      return { ours: quantile(waited, 0.99), baseline: promised_ms, unit: "ms" }
    })
}
