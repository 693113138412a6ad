import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { conversionKind } from "@loopbox/core/conversions/conversionKind"
import type { JobKind } from "@loopbox/core/jobs/JobKind"
import type { NewJob, SubmitFacts } from "@loopbox/core/jobs/JobStore"
import { WorkspaceErased } from "@loopbox/core/media/MediaErrors"
import { blockingPlace, quotaWindow } from "@loopbox/core/quota/Admission"
import { limitsOf } from "@loopbox/core/workspaces/Limits"
import { mediaColumns, MediaRow, toMedia } from "../../rows/MediaRow.ts"
import { all, at, first, Instant } from "../../rows/rows.ts"
import { toWorkspace, WorkspaceRow } from "../../rows/WorkspaceRow.ts"

const FactsRow = Schema.Struct({
  ...WorkspaceRow.fields,
  active_jobs: Schema.Int,
  conversions: Schema.Int
})

const BlockingRow = Schema.Struct({ created_at: Instant })

/**
 * Reads what `submit` judges by; the caller holds the workspace's submit lock.
 *
 * The window has no upper end here: under the lock whatever is stored was accepted before, also when its time was
 * taken a moment after this submit's.
 */
export const makeSubmitFacts = Effect.fnUntraced(function* <Task, Code extends string>(kind: JobKind<Task, Code>) {
  const sql = yield* SqlClient

  const findFacts = ({ workspaceId }: NewJob<Task>, since: Date) =>
    first(FactsRow)(sql`
      SELECT id, name, plan, limit_active_jobs, limit_conversions_per_24_hours, created_at,
        (SELECT count(*)::int FROM media_jobs j
          WHERE j.workspace_id = w.id AND j.claimable_at IS NOT NULL) AS active_jobs,
        (SELECT count(*)::int FROM media_jobs j
          WHERE j.workspace_id = w.id AND j.kind = ${conversionKind.name} AND j.created_at > ${since}) AS conversions
      FROM workspaces w WHERE id = ${workspaceId}`)

  const findInputs = ({ task, workspaceId }: NewJob<Task>) =>
    Effect.map(
      all(MediaRow)(sql`SELECT ${sql.literal(mediaColumns)} FROM media
        WHERE workspace_id = ${workspaceId} AND id = ANY(${kind.inputsOf(task)}::text[]) AND deleted_at IS NULL`),
      (rows) => new Map(rows.map((row) => [row.id, toMedia(row)]))
    )

  /** The one that must leave the window before one more is admitted. */
  const findBlocking = Effect.fnUntraced(function* ({ workspaceId }: NewJob<Task>, since: Date, place: number) {
    const rows = yield* all(BlockingRow)(sql`SELECT created_at FROM media_jobs
      WHERE workspace_id = ${workspaceId} AND kind = ${conversionKind.name} AND created_at > ${since}
      ORDER BY created_at, id OFFSET ${place} LIMIT 1`)
    return Option.fromNullishOr(rows[0]?.created_at)
  })

  return Effect.fnUntraced(function* (made: NewJob<Task>) {
    const since = at(DateTime.subtract(made.createdAt, quotaWindow))
    const row = yield* findFacts(made, since)
    if (Option.isNone(row)) return yield* new WorkspaceErased()
    const { active_jobs: activeJobs, conversions } = row.value
    const workspace = toWorkspace(row.value)
    const place = blockingPlace(limitsOf(workspace), conversions)
    const blocking = Option.isSome(place) ? yield* findBlocking(made, since, place.value) : Option.none<DateTime.Utc>()
    const facts: SubmitFacts = {
      workspace,
      inputs: yield* findInputs(made),
      admission: { activeJobs, conversions, blocking }
    }
    return facts
  })
})
