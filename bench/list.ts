import type { Benchmark } from "./Benchmark.ts"
import { compareLists, limit } from "./compareLists.ts"
import { withManyItems } from "./withManyItems.ts"

/** What our layers cost over the least that would do. */
export const list: Benchmark = {
  name: "list",
  description: `requests a second for ${limit} of 1,000,000 items, against node:http and pg with the same SQL and JSON`,
  better: "higher",
  wanted: 0.9,
  run: () => withManyItems((items) => compareLists("/v1/inbox", items))
}
