import { rich } from "../packages/adapters-postgres/test/stores/inbox/manyItems.ts"
import type { Benchmark } from "./Benchmark.ts"
import { walkTo } from "./pages.ts"
import { timedInTurn } from "./timed.ts"
import { withManyItems } from "./withManyItems.ts"

const page = 10_000
const pairs = 2_000

const lists = {
  "a managed user with 600,000 items": `inbox_scope=managed_user&external_user_id=${rich}`,
  "the workspace with 1,000,000": "inbox_scope=workspace"
}

/** Whether a cursor is followed by an index, or counted off. */
export const deepPage: Benchmark = {
  name: "deep-page",
  description: `time of page ${page} of 50 items against page 1 of the same list, by cursor: the worse of two scopes`,
  better: "lower",
  wanted: 1.1,
  run: () =>
    withManyItems(async ({ key, url }) => {
      const measured: Array<{ readonly whose: string; readonly ours: number; readonly baseline: number }> = []
      for (const [whose, scope] of Object.entries(lists)) {
        const list = { url: `${url}/v1/inbox?${scope}`, key }
        const [ours, baseline] = await timedInTurn(await walkTo(list, page), await walkTo(list, 1), pairs)
        measured.push({ whose, ours, baseline })
      }
      const [worst = { ours: 0, baseline: 0 }] = measured.toSorted((a, b) => b.ours / b.baseline - a.ours / a.baseline)
      const notes = measured.map(
        ({ baseline, ours, whose }) =>
          `${whose}: page 1 in ${baseline.toFixed(2)} ms, page ${page} in ${ours.toFixed(2)}`
      )
      return { ours: worst.ours, baseline: worst.baseline, unit: "ms", notes }
    })
}
