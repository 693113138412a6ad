import * as Schema from "effect/Schema"

/** The plans, from the least to the greatest. Each rule keeps its own `Record<Plan, …>` beside itself. */
export const plans = ["free", "api", "basic", "growth", "team", "enterprise"] as const

export const Plan = Schema.Literals(plans)
export type Plan = typeof Plan.Type
