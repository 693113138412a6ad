import * as Schema from "effect/Schema"

/** The plans, lowest first. Each rule has its own `Record<Plan, …>`. */
export const plans = ["free", "api", "basic", "growth", "team", "enterprise"] as const

export const Plan = Schema.Literals(plans)
export type Plan = typeof Plan.Type
