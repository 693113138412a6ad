import type { Plan } from "./Plan.ts"

/** Days to keep the files of a finished job, by plan and outcome (§8.4). */
export const keepDays: Record<Plan, { readonly succeeded: number; readonly failed: number }> = {
  free: { succeeded: 1, failed: 2 },
  api: { succeeded: 2, failed: 4 },
  basic: { succeeded: 4, failed: 8 },
  growth: { succeeded: 15, failed: 30 },
  team: { succeeded: 30, failed: 60 },
  enterprise: { succeeded: 30, failed: 60 }
}
