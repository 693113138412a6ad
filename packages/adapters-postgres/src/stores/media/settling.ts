import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { JobFailure, ProcessingJob } from "@loopbox/core/conversions/ConversionJob"
import type { Claim, ConversionOutput } from "@loopbox/core/conversions/ConversionStore"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { ReadyMedia } from "@loopbox/core/media/Media"
import { Plan } from "@loopbox/core/workspaces/Plan"
import { keepUntil, type RetentionOutcome } from "@loopbox/core/retention/Retention"
import { toMediaColumns } from "./PgMediaStore.ts"
import { FailedRow, jobColumns, SucceededRow, toFailed, toSucceeded } from "../../rows/JobRow.ts"
import { at, first } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"

const PlanRow = Schema.Struct({ plan: Plan })

/**
 * How jobs end, each in a transaction of its caller.
 *
 * The order of locks is workspace, job, media, as it is where a workspace is erased.
 */
export const makeSettling = Effect.gen(function* () {
  const sql = yield* SqlClient
  const columns = sql.literal(jobColumns)

  /** Absent once the workspace is erased. */
  const keptUntil = (workspaceId: WorkspaceId, outcome: RetentionOutcome, moment: DateTime.Utc) =>
    Effect.map(
      first(PlanRow)(sql`SELECT plan FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE`),
      Option.map(({ plan }) => keepUntil(plan, outcome, moment))
    )

  /** With several jobs on one GIF the latest date wins, so that the end of one job never shortens another's promise. */
  const keepInput = (job: Pick<ProcessingJob, "workspaceId" | "gifMediaId">, until: DateTime.Utc) =>
    sql`UPDATE media SET keep_until = greatest(keep_until, ${at(until)})
      WHERE workspace_id = ${job.workspaceId} AND id = ${job.gifMediaId} AND deleted_at IS NULL`

  /** The job as this claim has ended it before: its answer was lost, or the call is repeated. */
  const findEnded = <A, I>(row: Schema.Codec<A, I>, status: "succeeded" | "failed", { job, token }: Claim) =>
    first(row)(sql`SELECT ${columns} FROM media_jobs
      WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token} AND status = ${status}`)

  const succeed = Effect.fnUntraced(function* (claim: Claim, output: ConversionOutput, moment: DateTime.Utc) {
    const { job, token } = claim
    const until = yield* keptUntil(job.workspaceId, "succeeded", moment)
    if (Option.isNone(until)) return yield* new LeaseLost({ what: "conversion", id: job.id })
    const ended = yield* first(SucceededRow)(sql`UPDATE media_jobs
      SET status = 'succeeded', progress = 1, completed_at = ${at(moment)}, output_media_id = ${output.id},
        claimable_at = NULL, released = false
      WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token}
        AND claimable_at IS NOT NULL
      RETURNING ${columns}`)
    if (Option.isNone(ended)) {
      const repeated = yield* findEnded(SucceededRow, "succeeded", claim)
      return Option.isSome(repeated)
        ? toSucceeded(repeated.value)
        : yield* new LeaseLost({ what: "conversion", id: job.id })
    }
    const media = new ReadyMedia({
      id: output.id,
      workspaceId: job.workspaceId,
      filename: output.filename,
      contentType: "video/mp4",
      createdAt: moment,
      keepUntil: until.value,
      source: "gif_conversion",
      jobId: Option.some(job.id),
      ...output.bytes
    })
    yield* sql`INSERT INTO media ${sql.insert(toMediaColumns(media))}`
    yield* keepInput(job, until.value)
    return toSucceeded(ended.value)
  })

  const endFailed = (failure: JobFailure, moment: DateTime.Utc) => sql`status = 'failed',
    completed_at = ${at(moment)}, failure_code = ${failure.code}, failure_message = ${storable(failure.message)},
    failure_retryable = ${failure.retryable}, claimable_at = NULL, released = false`

  const fail = Effect.fnUntraced(function* (claim: Claim, failure: JobFailure, moment: DateTime.Utc) {
    const { job, token } = claim
    const until = yield* keptUntil(job.workspaceId, "failed", moment)
    if (Option.isNone(until)) return yield* new LeaseLost({ what: "conversion", id: job.id })
    const ended = yield* first(FailedRow)(sql`UPDATE media_jobs SET ${endFailed(failure, moment)}
      WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token}
        AND claimable_at IS NOT NULL
      RETURNING ${columns}`)
    if (Option.isNone(ended)) {
      const repeated = yield* findEnded(FailedRow, "failed", claim)
      return Option.isSome(repeated)
        ? toFailed(repeated.value)
        : yield* new LeaseLost({ what: "conversion", id: job.id })
    }
    yield* keepInput(job, until.value)
    return toFailed(ended.value)
  })

  /** Clears the lease token too, so that the worker that holds the job can no longer settle it. */
  const cancel = Effect.fnUntraced(function* (
    job: Pick<ProcessingJob, "workspaceId" | "id">,
    failure: JobFailure,
    moment: DateTime.Utc
  ) {
    const until = yield* keptUntil(job.workspaceId, "failed", moment)
    const ended = yield* first(FailedRow)(sql`UPDATE media_jobs
      SET ${endFailed(failure, moment)}, lease_token = NULL
      WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND claimable_at IS NOT NULL
      RETURNING ${columns}`)
    if (Option.isNone(until) || Option.isNone(ended)) return Option.none()
    const failed = toFailed(ended.value)
    yield* keepInput(failed, until.value)
    return Option.some(failed)
  })

  return { succeed, fail, cancel }
})
