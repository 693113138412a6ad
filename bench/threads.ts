import { fillManyThreads } from "../packages/adapters-postgres/test/stores/threads/manyThreads.ts"
import type { Benchmark } from "./Benchmark.ts"
import { compareLists, limit } from "./compareLists.ts"
import { withManyItems } from "./withManyItems.ts"

/** A page costs the same whatever their number: `bench scale` says so. A million take a minute to make. */
const items = 100_000

/** What our layers cost over the least that would do. */
export const threads: Benchmark = {
  name: "threads",
  description: `requests a second for ${limit} threads of 100,000 items, against node:http and pg with the same SQL and JSON`,
  better: "higher",
  wanted: 0.75,
  run: () =>
    withManyItems(
      (made) => compareLists("/v1/inbox/threads", made, { warmUps: 5_000 }),
      (target) => fillManyThreads(target, items)
    )
}
