import * as Context from "effect/Context"
import * as Option from "effect/Option"
import { type Source, sources } from "../connectors/Source.ts"
import { type Plan, plans } from "../plans/Plan.ts"

/** Which sources the inbox of a plan has. */
export type InboxPlanTable = Readonly<Record<Plan, ReadonlySet<Source>>>

const none: ReadonlySet<Source> = new Set()
const all: ReadonlySet<Source> = new Set(sources)

/** The plan gate's table (api.md §2, row 3); an embedder may give another. */
export const InboxPlans = Context.Reference<InboxPlanTable>("@loopbox/core/access/InboxPlans", {
  defaultValue: () => ({ free: none, api: none, basic: all, growth: all, team: all, enterprise: all })
})

/** The least plan that has the source, or any source when none is named. */
export const leastPlanWith = (table: InboxPlanTable, source: Option.Option<Source>): Option.Option<Plan> =>
  Option.fromUndefinedOr(
    plans.find((plan) =>
      Option.match(source, { onNone: () => table[plan].size > 0, onSome: (named) => table[plan].has(named) })
    )
  )
