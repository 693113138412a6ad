import { type InboxPlanChoice, InboxPlans } from "@loopbox/core/access/InboxPlans"
import type { Source } from "@loopbox/core/networks/Source"
import { type Plan, plans } from "@loopbox/core/workspaces/Plan"
import * as Layer from "effect/Layer"

/** The inbox sources of plans, as `ig_comment`; `every` is all of this process. A plan that is not named is as before. */
export type PlanSources = Partial<Record<Plan, ReadonlyArray<string> | "every">>

/** What is wrong with a table; `sources` are those of this process. */
export const judgePlans = (table: PlanSources, sources: ReadonlyArray<Source>): ReadonlyArray<string> =>
  Object.entries(table).flatMap(([plan, given]) => {
    if (!plans.some((known) => known === plan)) return [`plans.${plan} is no plan: they are ${plans.join(", ")}`]
    if (given === "every") return []
    if (!Array.isArray(given)) return [`plans.${plan} must be a list of sources, or "every"`]
    const unknown = given.filter((source) => !sources.includes(source))
    return unknown.length === 0 ? [] : [`plans.${plan} names no source: ${unknown.join(", ")}`]
  })

/** `InboxPlans` by a table. */
export const layerPlans = (table: PlanSources): Layer.Layer<never> => {
  const given = (plan: Plan): InboxPlanChoice[Plan] => {
    const sources = table[plan]
    if (sources === undefined) return InboxPlans.defaultValue()[plan]
    return sources === "every" ? "every" : new Set(sources)
  }
  return Layer.succeed(InboxPlans, {
    free: given("free"),
    api: given("api"),
    basic: given("basic"),
    growth: given("growth"),
    team: given("team"),
    enterprise: given("enterprise")
  })
}
