import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { failureCodes } from "@loopbox/core/conversions/ConversionJob"
import { conversionKind } from "@loopbox/core/conversions/conversionKind"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { IdempotencyConflict, JobAlreadyEnded, JobNotFound } from "@loopbox/core/jobs/JobErrors"
import type { JobKind } from "@loopbox/core/jobs/JobKind"
import type { ClaimOutcome, ClaimRequest, JobStore } from "@loopbox/core/jobs/JobStore"
import type { QueuedJob } from "@loopbox/core/jobs/MediaJob"
import type { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import { ConversionJobId, type MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { ReadyMedia } from "@loopbox/core/media/Media"
import { overlayFailureCodes } from "@loopbox/core/overlays/OverlayJob"
import { overlayKind } from "@loopbox/core/overlays/overlayKind"
import { OverlayStore } from "@loopbox/core/overlays/OverlayStore"
import { anyOf } from "../../rows/oneByOne.ts"
import { conversionColumns, makeJobRows, overlayColumns, type TaskColumns } from "../../rows/JobRow.ts"
import { mediaJson, toMedia } from "../../rows/MediaRow.ts"
import { makeClaimByWorkspace } from "../../rows/claimReadable.ts"
import { makeKeptKeys } from "../../rows/keptKeys.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { countedAtMost, all, at, claimLimit, first, Instant, newestFirst, one, optional } from "../../rows/rows.ts"
import { EventLog } from "../inbox/EventLog.ts"
import { makeSettling } from "./settling.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeSubmitFacts } from "./submitFacts.ts"
import { makeSubmitLock } from "../../connection/workspaceLock.ts"
import { traced } from "@loopbox/core/kernel/traced"

const DueRow = Schema.Struct({ workspace_id: WorkspaceId, id: ConversionJobId })

const DepthRow = Schema.Struct({
  queued: Schema.Int,
  processing: Schema.Int,
  oldest_queued_at: optional(Instant)
})

/** What one kind of job has of its own in the table that both share. */
interface PgKind<Task, Code extends string> {
  readonly kind: JobKind<Task, Code>
  readonly columns: TaskColumns<Task>
  readonly codes: ReadonlyArray<Code>
  /** In front of a stored key. Kinds share the index of keys; no caller's key has a space (api.md §6). */
  readonly keyPrefix: string
}

type SubmitLock = Effect.Success<ReturnType<typeof makeSubmitLock>>

/** The store of one kind's jobs. */
const makeJobStore = <Task, Code extends string>(
  { codes, columns: task, keyPrefix, kind }: PgKind<Task, Code>,
  underSubmitLock: SubmitLock
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirst
    const few = yield* claimLimit
    const overAll = yield* makeOverAll
    const rows = makeJobRows(task, codes)
    const { ClaimedRow, JobRow, toJob, toProcessing } = rows
    const readFacts = yield* makeSubmitFacts(kind)
    const settling = yield* makeSettling(kind, rows)
    const calls = `${kind.what}s`
    const jobPage = pageOf(calls, JobRow, toJob)
    const columns = sql.literal(rows.columns)
    const lost = (id: string) => new LeaseLost({ what: kind.what, id })

    const findByKey = (workspaceId: WorkspaceId, key: IdempotencyKey) =>
      Effect.map(
        first(JobRow)(
          sql`SELECT ${columns} FROM media_jobs WHERE workspace_id = ${workspaceId} AND idempotency_key = ${keyPrefix + key}`
        ),
        Option.map(toJob)
      )

    const find = (workspaceId: WorkspaceId, id: ConversionJobId) =>
      Effect.map(
        first(JobRow)(sql`SELECT ${columns} FROM media_jobs
          WHERE workspace_id = ${workspaceId} AND id = ${id} AND kind = ${kind.name}`),
        Option.map(toJob)
      )

    const isDue = ({ leaseNow }: ClaimRequest) => sql`kind = ${kind.name} AND claimable_at <= ${at(leaseNow)}`

    /** Jobs that lost their worker, then those queued longest. */
    const look = (request: ClaimRequest) => (limit: number) =>
      overAll("jobs.claim", (among) =>
        all(DueRow)(sql`SELECT workspace_id, id FROM media_jobs WHERE ${isDue(request)} ${among("workspace_id")}
          ORDER BY (started_at IS NULL), claimable_at, id ${few(limit)}`)
      )

    /**
     * Takes the first of these, with the records of its files, in one statement: a database that dies in between must not
     * count an attempt that nobody makes. What another worker is just taking is passed over.
     */
    const take = (request: ClaimRequest, workspaceId: WorkspaceId, due: ReadonlyArray<typeof DueRow.Type>) => {
      const { leaseUntil, maxAttempts, now, token } = request
      const ids = due.map(({ id }) => id)
      return sql`
        WITH due AS (
          SELECT id, status = 'processing' AND NOT released AND attempts >= ${maxAttempts}::int AS is_abandoned
          FROM media_jobs
          WHERE workspace_id = ${workspaceId} AND id = ${anyOf(sql, ids)} AND claimable_at <= ${at(request.leaseNow)}
          ORDER BY (started_at IS NULL), claimable_at, id LIMIT 1
          FOR UPDATE SKIP LOCKED
        ), taken AS (
          UPDATE media_jobs j SET status = 'processing', started_at = coalesce(j.started_at, ${at(now)}),
            progress = coalesce(j.progress, 0),
            attempts = j.attempts + CASE WHEN j.released OR due.is_abandoned THEN 0 ELSE 1 END,
            released = false, lease_token = ${token}, claimable_at = ${at(leaseUntil)}
          FROM due WHERE j.workspace_id = ${workspaceId} AND j.id = due.id
          RETURNING j.*, due.is_abandoned
        )
        SELECT ${columns}, is_abandoned, (
            SELECT coalesce(jsonb_agg(${sql.literal(mediaJson)}) FILTER (WHERE m.deleted_at IS NULL), '[]') FROM media m
            WHERE m.workspace_id = ${workspaceId} AND m.id IN (t.input_media_id, t.audio_media_id)
          ) AS inputs
        FROM taken t`
    }

    /** The next claim of what is handed back counts no attempt: this one did. */
    const putBack = ({ leaseUntil, token }: ClaimRequest, workspaceId: WorkspaceId, until: DateTime.Utc) =>
      sql`UPDATE media_jobs SET claimable_at = ${at(until)}, released = true, lease_token = NULL
        WHERE workspace_id = ${workspaceId} AND kind = ${kind.name} AND claimable_at = ${at(leaseUntil)}
          AND lease_token = ${token}`

    const claimByWorkspace = makeClaimByWorkspace()
    const kept = makeKeptKeys<typeof DueRow.Type, typeof ClaimedRow.Type>((key, row) => key.id === row.id)

    const claimOne = Effect.fnUntraced(function* (request: ClaimRequest) {
      const [row] = yield* claimByWorkspace({
        queue: "media_jobs",
        part: kind.name,
        limit: 1,
        leaseNow: request.leaseNow,
        schema: ClaimedRow,
        kept,
        look: look(request),
        take: (workspaceId, due) => take(request, workspaceId, due),
        putBack: (workspaceId, _read, until) => putBack(request, workspaceId, until)
      })
      if (row === undefined) return undefined
      const inputs = new Map<MediaId, ReadyMedia>()
      for (const media of row.inputs.map(toMedia)) if (media._tag === "ReadyMedia") inputs.set(media.id, media)
      return { claim: { job: toProcessing(row), inputs, token: request.token }, isAbandoned: row.is_abandoned }
    })

    const store: JobStore<Task, Code> = {
      submit: Effect.fnUntraced(
        function* (made, judge) {
          const { createdAt, id, idempotencyKey, task: asked, workspaceId } = made
          if (Option.isSome(idempotencyKey)) {
            const earlier = yield* findByKey(workspaceId, idempotencyKey.value)
            if (Option.isSome(earlier)) {
              const isSame = kind.isSame(earlier.value.task, asked)
              return isSame ? earlier.value : yield* new IdempotencyConflict({ jobId: earlier.value.id })
            }
          }
          yield* Effect.fromResult(judge(yield* readFacts(made)))
          yield* sql`INSERT INTO media_jobs ${sql.insert({
            ...task.toColumns(asked),
            workspace_id: workspaceId,
            id,
            kind: kind.name,
            status: "queued",
            idempotency_key: Option.getOrNull(Option.map(idempotencyKey, (key) => keyPrefix + key)),
            created_at: at(createdAt),
            claimable_at: at(made.claimableAt)
          })}`
          const job: QueuedJob<Task> = { _tag: "QueuedJob", id, workspaceId, task: asked, createdAt }
          return job
        },
        (self, { workspaceId }) => underSubmitLock(workspaceId)(self),
        storeCall(`${calls}.submit`, "unknown"),
        traced("PgJobStore.submit")
      ),

      findByKey: Effect.fn("PgJobStore.findByKey")(findByKey, storeCall(`${calls}.findByKey`, "no")),

      find: Effect.fn("PgJobStore.find")(find, storeCall(`${calls}.find`, "no")),

      list: Effect.fn("PgJobStore.list")(
        function* (workspaceId, status, request) {
          const inStatus = Option.match(status, {
            onNone: () => sql.literal(""),
            onSome: (name) => sql`AND status = ${name}`
          })
          return yield* jobPage(
            sql`SELECT ${columns} FROM media_jobs
              WHERE workspace_id = ${workspaceId} AND kind = ${kind.name} ${inStatus} ${page(request)}`,
            request.limit
          )
        },
        storeCall(`${calls}.list`, "no")
      ),

      claim: Effect.fn("PgJobStore.claim")(
        function* (request) {
          const taken = yield* claimOne(request)
          if (taken === undefined) return { _tag: "Nothing" } satisfies ClaimOutcome<Task, Code>
          const { claim, isAbandoned } = taken
          if (!isAbandoned) return { _tag: "Claimed", claim } satisfies ClaimOutcome<Task, Code>
          // It was taken like any other, without counting: a crash here leaves it to the next claim.
          const ended = yield* log.transaction(claim.job.workspaceId, (append) =>
            settling.fail(claim, kind.failures.abandoned, request.now, append)
          )
          return { _tag: "Abandoned", job: ended } satisfies ClaimOutcome<Task, Code>
        },
        // Canceled, or its workspace erased, between the two statements: there may be more to claim.
        Effect.catchTag("LeaseLost", () => Effect.succeed({ _tag: "Nothing" } satisfies ClaimOutcome<Task, Code>)),
        storeCall(`${calls}.claim`, "unknown")
      ),

      renew: Effect.fn("PgJobStore.renew")(
        function* ({ job, token }, leaseUntil, progress) {
          const renewed = yield* sql`UPDATE media_jobs
            SET claimable_at = ${at(leaseUntil)}, progress = greatest(progress, ${progress}::float8)
            WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token}
              AND claimable_at IS NOT NULL
            RETURNING id`
          if (renewed.length === 0) return yield* lost(job.id)
        },
        storeCall(`${calls}.renew`, "unknown")
      ),

      release: Effect.fn("PgJobStore.release")(
        function* ({ job, token }, leaseNow) {
          const released = yield* sql`UPDATE media_jobs
            SET claimable_at = ${at(leaseNow)}, released = true, lease_token = NULL
            WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token}
              AND claimable_at IS NOT NULL
            RETURNING id`
          if (released.length === 0) return yield* lost(job.id)
          kept.drop()
        },
        storeCall(`${calls}.release`, "unknown")
      ),

      succeed: Effect.fn("PgJobStore.succeed")(
        function* (claim, output, moment) {
          const ended = yield* settling.succeedAtOnce(claim, output, moment)
          if (Option.isSome(ended)) return ended.value
          return yield* log.transaction(claim.job.workspaceId, (append) =>
            settling.succeed(claim, output, moment, append)
          )
        },
        storeCall(`${calls}.succeed`, "unknown")
      ),

      fail: Effect.fn("PgJobStore.fail")(
        (claim, failure, moment) =>
          log.transaction(claim.job.workspaceId, (append) => settling.fail(claim, failure, moment, append)),
        storeCall(`${calls}.fail`, "unknown")
      ),

      cancel: Effect.fn("PgJobStore.cancel")(
        function* (workspaceId, id, failure, moment) {
          const failed = yield* log.transaction(workspaceId, (append) =>
            settling.cancel({ workspaceId, id }, failure, moment, append)
          )
          if (Option.isSome(failed)) return failed.value
          const found = yield* find(workspaceId, id)
          if (Option.isNone(found)) return yield* new JobNotFound({ jobId: id })
          return yield* new JobAlreadyEnded({ jobId: id })
        },
        storeCall(`${calls}.cancel`, "unknown")
      ),

      depth: overAll("jobs.depth", (among) =>
        one(DepthRow)(sql`
        SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
          count(*) FILTER (WHERE status = 'processing')::int AS processing,
          min(created_at) FILTER (WHERE status = 'queued') AS oldest_queued_at
        FROM (SELECT status, created_at FROM media_jobs WHERE kind = ${kind.name} AND claimable_at IS NOT NULL
          ${among("workspace_id")} LIMIT ${sql.literal(`${countedAtMost}`)}) j`)
      ).pipe(
        Effect.map(({ oldest_queued_at: oldestAt, processing, queued }) => ({
          counts: { queued, processing },
          oldestAt
        })),
        storeCall(`${calls}.depth`, "no"),
        Effect.withSpan("PgJobStore.depth")
      )
    }
    return store
  })

/** Both kinds take the workspace's lock, and share the connections that may wait for it. */
export const layer: Layer.Layer<ConversionStore | OverlayStore, never, EventLog | SqlClient> = Layer.effectContext(
  Effect.gen(function* () {
    const lock = yield* makeSubmitLock("conversions")
    const conversions = yield* makeJobStore(
      { kind: conversionKind, columns: conversionColumns, codes: failureCodes, keyPrefix: "" },
      lock
    )
    const overlays = yield* makeJobStore(
      { kind: overlayKind, columns: overlayColumns, codes: overlayFailureCodes, keyPrefix: "overlay " },
      lock
    )
    return Context.make(ConversionStore, conversions).pipe(Context.add(OverlayStore, overlays))
  })
)
