import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { conversionKind } from "@loopbox/core/conversions/conversionKind"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { type AdmissionFacts, blockingPlace, quotaWindow } from "@loopbox/core/quota/Admission"
import { limitsOf } from "@loopbox/core/workspaces/Limits"
import { at, first, Instant } from "../../rows/rows.ts"
import { toWorkspace, WorkspaceRow } from "../../rows/WorkspaceRow.ts"

const FactsRow = Schema.Struct({
  ...WorkspaceRow.fields,
  active_jobs: Schema.Int,
  conversions: Schema.Int
})

const BlockingRow = Schema.Struct({ created_at: Instant })

/**
 * A workspace with what admission is judged by; none where it does not exist.
 *
 * The window has no upper end here: under the submit lock whatever is stored was accepted before, also when its time was
 * taken a moment after `now`.
 */
export const makeAdmissionFacts = Effect.map(SqlClient, (sql) => {
  const findFacts = (workspaceId: WorkspaceId, since: Date) =>
    first(FactsRow)(sql`
      SELECT id, name, plan, limit_active_jobs, limit_conversions_per_24_hours, created_at,
        (SELECT count(*)::int FROM media_jobs j
          WHERE j.workspace_id = ${workspaceId} AND j.claimable_at IS NOT NULL) AS active_jobs,
        (SELECT count(*)::int FROM media_jobs j
          WHERE j.workspace_id = ${workspaceId} AND j.kind = ${conversionKind.name} AND j.created_at > ${since}) AS conversions
      FROM workspaces w WHERE id = ${workspaceId}`)

  /** The one that must leave the window before one more is admitted. */
  const findBlocking = Effect.fnUntraced(function* (workspaceId: WorkspaceId, since: Date, place: number) {
    const row = yield* first(BlockingRow)(sql`SELECT created_at FROM media_jobs
      WHERE workspace_id = ${workspaceId} AND kind = ${conversionKind.name} AND created_at > ${since}
      ORDER BY created_at, id OFFSET ${place} LIMIT 1`)
    return Option.map(row, ({ created_at }) => created_at)
  })

  return Effect.fnUntraced(function* (workspaceId: WorkspaceId, now: DateTime.Utc) {
    const since = at(DateTime.subtract(now, quotaWindow))
    const row = yield* findFacts(workspaceId, since)
    if (Option.isNone(row)) return Option.none()
    const { active_jobs: activeJobs, conversions } = row.value
    const workspace = toWorkspace(row.value)
    const place = blockingPlace(limitsOf(workspace), conversions)
    const blocking = Option.isSome(place)
      ? yield* findBlocking(workspaceId, since, place.value)
      : Option.none<DateTime.Utc>()
    const admission: AdmissionFacts = { activeJobs, conversions, blocking }
    return Option.some({ workspace, admission })
  })
})
