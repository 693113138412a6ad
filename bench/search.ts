import { Effect } from "effect"
import { fillManyItems } from "../packages/adapters-postgres/test/stores/inbox/manyItems.ts"
import { fillManyWords } from "../packages/adapters-postgres/test/stores/inbox/manyWords.ts"
import type { Benchmark } from "./Benchmark.ts"
import { limit, withSameList } from "./compareLists.ts"
import { geometricMean } from "./statistics.ts"
import { slowInTurn } from "./timed.ts"
import { withManyItems } from "./withManyItems.ts"

/** What is searched for among items numbered in the order of time, each with its number as its last word. */
const searches = {
  "a word of all": "comment",
  "the beginning of a word of all": "co",
  "the beginning of 1,111 numbers": "123",
  "a word that no item has": "absent",
  "words of 111,112 of the oldest": "post 1"
} as const

const pairs = 100

/** Milliseconds that a page may take, whatever it searches for (api-2.md §14). */
const promised = 150

/** What our layers cost over the least that would do, and whether a page takes longer than was promised. */
export const search: Benchmark = {
  name: "search",
  description: `p95 of a page of ${limit} by words of 1,000,000 items, against node:http and pg with the same SQL and JSON`,
  better: "lower",
  wanted: 1.25,
  run: () =>
    withManyItems(
      async (items) => {
        const measured: Array<{ readonly name: string; readonly ours: number; readonly baseline: number }> = []
        for (const [name, q] of Object.entries(searches)) {
          const [ours, baseline] = await withSameList({ list: "/v1/inbox", q }, items, (one, other) =>
            slowInTurn(one.request, other.request, pairs)
          )
          measured.push({ name, ours, baseline })
        }
        return {
          ours: Math.max(...measured.map(({ ours }) => ours)),
          baseline: Math.max(...measured.map(({ baseline }) => baseline)),
          unit: `ms of the slowest; the ratio is the mean of all ${measured.length}`,
          ratio: geometricMean(measured.map(({ baseline, ours }) => ours / baseline)),
          notes: measured.map(
            ({ baseline, name, ours }) =>
              `${name}: ${ours.toFixed(1)} ms${ours > promised ? `, over ${promised}` : ""}, the baseline ${baseline.toFixed(1)}`
          )
        }
      },
      (target) => Effect.andThen(fillManyItems(target), fillManyWords(target))
    )
}
