import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { JobKind } from "@loopbox/core/jobs/JobKind"
import type { Claim } from "@loopbox/core/jobs/JobStore"
import { keepUntil } from "@loopbox/core/retention/Retention"
import { plans } from "@loopbox/core/workspaces/Plan"
import { isKeptFile } from "../../rows/oneByOne.ts"
import { at } from "../../rows/rows.ts"
import { toJson } from "../../rows/text.ts"
import type { toMediaColumns } from "./PgMediaStore.ts"

/** What a job made, as a row; how long it is kept depends on the workspace's plan, which the statement finds. */
export type OutputColumns = Omit<ReturnType<typeof toMediaColumns>, "keep_until" | "workspace_id">

/**
 * Ends a job with a success in one statement, which is a transaction by itself: of a short job the round trips of seven
 * statements took more time than all else. Tells whether it did.
 *
 * It changes nothing where there is more to do or to say: an endpoint names the job's end, the lease is lost, the
 * workspace is erased, or the claim has ended the job before. The order of locks is that of `makeSettling`, for each part
 * reads from the one before it. The output is the main part, since a distributed database takes no `INSERT … SELECT`
 * within a `WITH` that others read from.
 */
export const makeSucceedAtOnce = Effect.fnUntraced(function* <Task, Code extends string>(
  kind: JobKind<Task, Code>,
  /** The event's type that an endpoint may name. */
  type: string
) {
  const sql = yield* SqlClient

  return ({ job, token }: Claim<Task>, { traits, ...output }: OutputColumns, moment: DateTime.Utc) => {
    const { workspaceId } = job
    // Core's rule for every plan: which of them is the workspace's is known to the database alone.
    const untils = plans.map((plan) => DateTime.formatIso(keepUntil(plan, "succeeded", moment)))
    const names = Object.keys(output)
    const made = sql`WITH kept AS (
        SELECT k.until::timestamptz AS until
        FROM workspaces w JOIN unnest(${plans}::text[], ${untils}::text[]) AS k (plan, until) ON k.plan = w.plan
        WHERE w.id = ${workspaceId} FOR KEY SHARE OF w
      ), ended AS (
        UPDATE media_jobs j
        SET status = 'succeeded', progress = 1, completed_at = ${at(moment)}, output_media_id = ${output.id},
          claimable_at = NULL, released = false
        FROM kept
        WHERE j.workspace_id = ${workspaceId} AND j.id = ${job.id} AND j.lease_token = ${token}
          AND j.claimable_at IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM outgoing_endpoints e
            WHERE e.workspace_id = ${workspaceId} AND e.removed_at IS NULL AND ${type}::text = ANY(e.events))
        RETURNING kept.until
      ), inputs AS (
        UPDATE media m SET keep_until = greatest(m.keep_until, ended.until)
        FROM ended
        WHERE m.workspace_id = ${workspaceId} AND ${sql.in("m.id", kind.inputsOf(job.task))} AND ${sql.literal(isKeptFile)}
      )
      INSERT INTO media (workspace_id, keep_until, traits, ${sql.literal(names.join(", "))})
      SELECT ${workspaceId}::text, ended.until, ${traits}::jsonb, ${sql.literal(names.map((name) => `r.${name}`).join(", "))}
      FROM ended, jsonb_populate_record(NULL::media, ${toJson(output)}::jsonb) r
      RETURNING id`
    return Effect.map(made, ({ length }) => length > 0)
  }
})
