import * as Schema from "effect/Schema"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Plan } from "@loopbox/core/plans/Plan"
import { Workspace } from "@loopbox/core/plans/Workspace"
import { Instant, optional } from "./rows.ts"

const columns = ["id", "name", "plan", "limit_active_jobs", "limit_conversions_per_24_hours", "created_at"]

export const workspaceColumns = columns.join(", ")
export const workspaceColumnsOf = (table: string): string => columns.map((name) => `${table}.${name}`).join(", ")

export const WorkspaceRow = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  plan: Plan,
  limit_active_jobs: optional(Schema.Int),
  limit_conversions_per_24_hours: optional(Schema.Int),
  created_at: Instant
})

export const toWorkspace = (row: typeof WorkspaceRow.Type): Workspace =>
  new Workspace({
    id: row.id,
    name: row.name,
    plan: row.plan,
    limits: { activeJobs: row.limit_active_jobs, conversionsPer24Hours: row.limit_conversions_per_24_hours },
    createdAt: row.created_at
  })
