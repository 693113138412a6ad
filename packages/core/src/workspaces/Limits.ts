import * as Option from "effect/Option"
import type { Plan } from "./Plan.ts"
import type { Workspace } from "./Workspace.ts"

/** How much media processing a workspace may do. */
export interface Limits {
  /** Queued and processing jobs of all media job kinds together. */
  readonly activeJobs: number
  /** New conversions in any 24 hours. */
  readonly conversionsPer24Hours: number
}

/** §8.3. */
export const limitsOfPlan: Record<Plan, Limits> = {
  free: { activeJobs: 1, conversionsPer24Hours: 10 },
  api: { activeJobs: 2, conversionsPer24Hours: 50 },
  basic: { activeJobs: 2, conversionsPer24Hours: 100 },
  growth: { activeJobs: 4, conversionsPer24Hours: 300 },
  team: { activeJobs: 6, conversionsPer24Hours: 1_000 },
  enterprise: { activeJobs: 6, conversionsPer24Hours: 1_000 }
}

/** The limits in force: those of the contract on the enterprise plan, else those of the plan (§8.3). */
export const limitsOf = ({ limits, plan }: Pick<Workspace, "limits" | "plan">): Limits => {
  const standard = limitsOfPlan[plan]
  if (plan !== "enterprise") return standard
  return {
    activeJobs: Option.getOrElse(limits.activeJobs, () => standard.activeJobs),
    conversionsPer24Hours: Option.getOrElse(limits.conversionsPer24Hours, () => standard.conversionsPer24Hours)
  }
}
