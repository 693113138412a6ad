import { rich } from "../packages/adapters-postgres/test/stores/inbox/manyItems.ts"
import type { Benchmark } from "./Benchmark.ts"
import { idsOf } from "./pages.ts"
import { timedInTurn } from "./timed.ts"
import { type ManyItems, withManyItems } from "./withManyItems.ts"

const pairs = 3_000

/** Milliseconds of the count of a scope, and of one of its items by id. */
const measure = async ({ key, url }: ManyItems, scope: string) => {
  const [id] = await idsOf({ url: `${url}/v1/inbox?${scope}&limit=50`, key })
  const count = { url: `${url}/v1/inbox/unread-count?${scope}`, key }
  return timedInTurn(count, { url: `${url}/v1/inbox/${id}?${scope}`, key }, pairs)
}

/** What an exact count costs that is kept and not counted. */
export const unread: Benchmark = {
  name: "unread",
  description: "time of the unread-count of 600,000 items of a managed user, against one of them by its id",
  better: "lower",
  wanted: 2,
  run: () =>
    withManyItems(async (items) => {
      const [ours, baseline] = await measure(items, `inbox_scope=managed_user&external_user_id=${rich}`)
      const [all, one] = await measure(items, "inbox_scope=workspace")
      const notes = [
        `the workspace, whose 12,004 accounts have a counter each: ${all.toFixed(2)} ms, ${one.toFixed(2)} by id`
      ]
      return { ours, baseline, unit: "ms", notes }
    })
}
