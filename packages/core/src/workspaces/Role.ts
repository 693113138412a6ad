import * as Schema from "effect/Schema"

/** Lowest first (design §3). */
export const roles = ["viewer", "editor", "admin", "owner"] as const

export const Role = Schema.Literals(roles)
export type Role = typeof Role.Type
