import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type AdmissionFacts, blockingPlace, quotaWindow } from "@loopbox/core/quota/Admission"
import { limitsOf } from "@loopbox/core/workspaces/Limits"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { allJobs, isActive, type MemoryState } from "./MemoryState.ts"

/** What admission is judged by. */
export const admissionFacts = (
  state: MemoryState["Service"],
  workspace: Workspace,
  now: DateTime.Utc
): AdmissionFacts => {
  const opens = DateTime.subtract(now, quotaWindow)
  // Also counts jobs of concurrent submits with a slightly later time.
  const counted = Array.from(state.jobs.values(), ({ job }) => job)
    .filter((job) => job.workspaceId === workspace.id && DateTime.isGreaterThan(job.createdAt, opens))
    .map(({ createdAt }) => createdAt)
    .sort(DateTime.Order)
  const place = blockingPlace(limitsOf(workspace), counted.length)
  return {
    activeJobs: allJobs(state).filter((job) => job.workspaceId === workspace.id && isActive(job)).length,
    conversions: counted.length,
    blocking: Option.flatMapNullishOr(place, (index) => counted[index])
  }
}
