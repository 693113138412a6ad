import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Networks } from "../networks/Networks.ts"
import type { Source } from "../networks/Source.ts"
import { type Plan, plans } from "../workspaces/Plan.ts"

/** The inbox sources of each plan, or `every` for all sources of this process. */
export type InboxPlanChoice = Readonly<Record<Plan, ReadonlySet<Source> | "every">>

/** The sources of each plan by name. */
export type InboxPlanTable = Readonly<Record<Plan, ReadonlySet<Source>>>

const none: ReadonlySet<Source> = new Set()

/** The table of the plan gate (api.md §2, row 3); a host may provide another. */
export const InboxPlans = Context.Reference<InboxPlanChoice>("@loopbox/core/access/InboxPlans", {
  defaultValue: () => ({ free: none, api: none, basic: "every", growth: "every", team: "every", enterprise: "every" })
})

/** The table of the plan gate for the networks of this process. */
export const inboxPlans: Effect.Effect<InboxPlanTable> = Effect.gen(function* () {
  const choice = yield* InboxPlans
  const every: ReadonlySet<Source> = new Set((yield* Networks).sources)
  const of = (plan: Plan) => (choice[plan] === "every" ? every : choice[plan])
  return {
    free: of("free"),
    api: of("api"),
    basic: of("basic"),
    growth: of("growth"),
    team: of("team"),
    enterprise: of("enterprise")
  }
})

/** The lowest plan with the source, or with any source if `source` is `none`. */
export const leastPlanWith = (table: InboxPlanTable, source: Option.Option<Source>): Option.Option<Plan> =>
  Option.fromUndefinedOr(
    plans.find((plan) =>
      Option.match(source, { onNone: () => table[plan].size > 0, onSome: (named) => table[plan].has(named) })
    )
  )
