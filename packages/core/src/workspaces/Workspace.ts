import * as Schema from "effect/Schema"
import { WorkspaceId } from "../kernel/Ids.ts"
import { Plan } from "./Plan.ts"

/** Limits of a contract, which replace those of the plan (§8.3: enterprise only). */
export const LimitOverrides = Schema.Struct({
  activeJobs: Schema.Option(Schema.Int),
  conversionsPer24Hours: Schema.Option(Schema.Int)
})
export type LimitOverrides = typeof LimitOverrides.Type

/** A customer of the service: the unit of tenancy, quota, order and locks (design §2). */
export class Workspace extends Schema.Class<Workspace>("@loopbox/core/workspaces/Workspace")({
  id: WorkspaceId,
  name: Schema.String,
  plan: Plan,
  limits: LimitOverrides,
  createdAt: Schema.DateTimeUtc
}) {}
