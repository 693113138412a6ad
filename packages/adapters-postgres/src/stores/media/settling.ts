import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { JobKind } from "@loopbox/core/jobs/JobKind"
import type { Claim, JobOutput } from "@loopbox/core/jobs/JobStore"
import type { JobFailure, MediaJob, SucceededJob } from "@loopbox/core/jobs/MediaJob"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { ReadyMedia } from "@loopbox/core/media/Media"
import { Plan } from "@loopbox/core/workspaces/Plan"
import { keepUntil, type RetentionOutcome } from "@loopbox/core/retention/Retention"
import { toMediaColumns } from "./PgMediaStore.ts"
import { isKeptFile } from "../../rows/oneByOne.ts"
import type { JobRows } from "../../rows/JobRow.ts"
import { makeSucceedAtOnce } from "./succeedAtOnce.ts"
import { at, first } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import type { Append } from "../inbox/EventLog.ts"
import { typeOfJobEnd } from "@loopbox/core/outgoing/eventPatterns"

const PlanRow = Schema.Struct({ plan: Plan })

/**
 * How jobs of one kind end, each in a transaction of its caller, and with its event in the log.
 *
 * The order of locks is workspace, job, media, as it is where a workspace is erased; the log's number comes last.
 */
export const makeSettling = Effect.fnUntraced(function* <Task, Code extends string>(
  kind: JobKind<Task, Code>,
  rows: JobRows<Task, Code>
) {
  const { FailedRow, SucceededRow, toFailed, toSucceeded } = rows
  const sql = yield* SqlClient
  // Read from what an UPDATE gives, for what it gives itself may not be computed where a database is distributed.
  const columns = sql.literal(rows.columns)

  /** Absent once the workspace is erased. */
  const keptUntil = (workspaceId: WorkspaceId, outcome: RetentionOutcome, moment: DateTime.Utc) =>
    Effect.map(
      first(PlanRow)(sql`SELECT plan FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE`),
      Option.map(({ plan }) => keepUntil(plan, outcome, moment))
    )

  const lost = (id: string) => new LeaseLost({ what: kind.what, id })

  /** With several jobs on one file the latest date wins, so that the end of one job never shortens another's promise. */
  const keepInputs = (job: Pick<MediaJob<Task, Code>, "workspaceId" | "task">, until: DateTime.Utc) =>
    sql`UPDATE media SET keep_until = greatest(keep_until, ${at(until)})
      WHERE workspace_id = ${job.workspaceId} AND id = ANY(${kind.inputsOf(job.task)}::text[]) AND ${sql.literal(isKeptFile)}`

  const type = typeOfJobEnd[kind.name]

  /**
   * Writes the end into the log where an endpoint names its type. Nobody else hears of it, and a process of a version that
   * does not know such an event may be deaf to what follows it.
   */
  const tell = Effect.fnUntraced(function* (
    { id, workspaceId }: Pick<MediaJob<Task, Code>, "id" | "workspaceId">,
    moment: DateTime.Utc,
    append: Append
  ) {
    const naming = yield* sql`SELECT 1 FROM outgoing_endpoints
      WHERE workspace_id = ${workspaceId} AND removed_at IS NULL AND ${type}::text = ANY(events) LIMIT 1`
    if (naming.length > 0) yield* append([{ _tag: "JobEnded", kind: kind.name, jobId: id }], moment)
  })

  const mediaOf = (
    job: Pick<MediaJob<Task, Code>, "id" | "workspaceId">,
    output: JobOutput,
    moment: DateTime.Utc,
    until: DateTime.Utc
  ) =>
    new ReadyMedia({
      id: output.id,
      workspaceId: job.workspaceId,
      filename: output.filename,
      contentType: "video/mp4",
      createdAt: moment,
      keepUntil: until,
      source: kind.source,
      jobId: Option.some(job.id),
      ...output.bytes
    })

  const succeedInOne = yield* makeSucceedAtOnce(kind, type)

  /** In a transaction of its own; none where `succeed` has more to do or to say. */
  const succeedAtOnce = Effect.fnUntraced(function* (claim: Claim<Task>, output: JobOutput, moment: DateTime.Utc) {
    const { progress: _, ...job } = claim.job
    const { keep_until: __, workspace_id: ___, ...columns } = toMediaColumns(mediaOf(job, output, moment, moment))
    if (!(yield* succeedInOne(claim, columns, moment))) return Option.none<SucceededJob<Task>>()
    const ended: SucceededJob<Task> = {
      ...job,
      _tag: "SucceededJob",
      completedAt: moment,
      outputMediaId: output.id
    }
    return Option.some(ended)
  })

  /** The job as this claim has ended it before: its answer was lost, or the call is repeated. */
  const findEnded = <A, I>(row: Schema.Codec<A, I>, status: "succeeded" | "failed", { job, token }: Claim<Task>) =>
    first(row)(sql`SELECT ${columns} FROM media_jobs
      WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token} AND status = ${status}`)

  const succeed = Effect.fnUntraced(function* (
    claim: Claim<Task>,
    output: JobOutput,
    moment: DateTime.Utc,
    append: Append
  ) {
    const { job, token } = claim
    const until = yield* keptUntil(job.workspaceId, "succeeded", moment)
    if (Option.isNone(until)) return yield* lost(job.id)
    const ended = yield* first(SucceededRow)(sql`WITH ended AS (UPDATE media_jobs
      SET status = 'succeeded', progress = 1, completed_at = ${at(moment)}, output_media_id = ${output.id},
        claimable_at = NULL, released = false
      WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token}
        AND claimable_at IS NOT NULL
      RETURNING *) SELECT ${columns} FROM ended`)
    if (Option.isNone(ended)) {
      const repeated = yield* findEnded(SucceededRow, "succeeded", claim)
      return Option.isSome(repeated) ? toSucceeded(repeated.value) : yield* lost(job.id)
    }
    yield* sql`INSERT INTO media ${sql.insert(toMediaColumns(mediaOf(job, output, moment, until.value)))}`
    yield* keepInputs(job, until.value)
    yield* tell(job, moment, append)
    return toSucceeded(ended.value)
  })

  const endFailed = (failure: JobFailure<Code>, moment: DateTime.Utc) => sql`status = 'failed',
    completed_at = ${at(moment)}, failure_code = ${failure.code}, failure_message = ${storable(failure.message)},
    failure_retryable = ${failure.retryable}, claimable_at = NULL, released = false`

  const fail = Effect.fnUntraced(function* (
    claim: Claim<Task>,
    failure: JobFailure<Code>,
    moment: DateTime.Utc,
    append: Append
  ) {
    const { job, token } = claim
    const until = yield* keptUntil(job.workspaceId, "failed", moment)
    if (Option.isNone(until)) return yield* lost(job.id)
    const ended = yield* first(FailedRow)(sql`WITH ended AS (UPDATE media_jobs SET ${endFailed(failure, moment)}
      WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token}
        AND claimable_at IS NOT NULL
      RETURNING *) SELECT ${columns} FROM ended`)
    if (Option.isNone(ended)) {
      const repeated = yield* findEnded(FailedRow, "failed", claim)
      return Option.isSome(repeated) ? toFailed(repeated.value) : yield* lost(job.id)
    }
    yield* keepInputs(job, until.value)
    yield* tell(job, moment, append)
    return toFailed(ended.value)
  })

  /** Clears the lease token too, so that the worker that holds the job can no longer settle it. */
  const cancel = Effect.fnUntraced(function* (
    job: Pick<MediaJob<Task, Code>, "workspaceId" | "id">,
    failure: JobFailure<Code>,
    moment: DateTime.Utc,
    append: Append
  ) {
    const until = yield* keptUntil(job.workspaceId, "failed", moment)
    const ended = yield* first(FailedRow)(sql`WITH ended AS (UPDATE media_jobs
      SET ${endFailed(failure, moment)}, lease_token = NULL
      WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND kind = ${kind.name}
        AND claimable_at IS NOT NULL
      RETURNING *) SELECT ${columns} FROM ended`)
    if (Option.isNone(until) || Option.isNone(ended)) return Option.none()
    const failed = toFailed(ended.value)
    yield* keepInputs(failed, until.value)
    yield* tell(failed, moment, append)
    return Option.some(failed)
  })

  return { succeedAtOnce, succeed, fail, cancel }
})
