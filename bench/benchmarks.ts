import type { Benchmark } from "./Benchmark.ts"

/** Every benchmark by its name. Each is loaded only when it is asked for, so that one cannot slow another. */
export const benchmarks: ReadonlyMap<string, () => Promise<Benchmark>> = new Map([
  ["probe", async () => (await import("./probe.ts")).probe],
  ["conversion", async () => (await import("./conversion.ts")).conversion],
  ["sync", async () => (await import("./sync.ts")).sync],
  ["start-latency", async () => (await import("./startLatency.ts")).startLatency]
])
