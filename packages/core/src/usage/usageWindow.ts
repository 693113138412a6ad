import * as DateTime from "effect/DateTime"

/** Posts and items of this time before now are told as used (api-2.md §16). */
export const usageWindow = { days: 30 } as const

/**
 * The hour of a moment, UTC. Items are counted by hours as they are stored, so that nobody counts them when they are asked
 * for: the window of items begins at a full hour.
 */
export const hourOf = (moment: DateTime.Utc): DateTime.Utc => DateTime.startOf(moment, "hour")

/** The first hour of which items count. */
export const firstHour = (now: DateTime.Utc): DateTime.Utc => hourOf(DateTime.subtract(now, usageWindow))
