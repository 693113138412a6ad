import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Plan } from "@loopbox/core/workspaces/Plan"
import { Workspace } from "@loopbox/core/workspaces/Workspace"
import { plain } from "./rows.ts"

const columns = ["id", "name", "plan", "limit_active_jobs", "limit_conversions_per_24_hours", "created_at"]

export const workspaceColumns = columns.join(", ")
export const workspaceColumnsOf = (table: string): string => columns.map((name) => `${table}.${name}`).join(", ")

export const WorkspaceRow = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  plan: Plan,
  limit_active_jobs: Schema.NullOr(Schema.Int),
  limit_conversions_per_24_hours: Schema.NullOr(Schema.Int),
  created_at: plain.moment
})

export const toWorkspace = (row: typeof WorkspaceRow.Type): Workspace =>
  new Workspace({
    id: row.id,
    name: row.name,
    plan: row.plan,
    limits: {
      activeJobs: Option.fromNullOr(row.limit_active_jobs),
      conversionsPer24Hours: Option.fromNullOr(row.limit_conversions_per_24_hours)
    },
    createdAt: DateTime.fromDateUnsafe(row.created_at)
  })
