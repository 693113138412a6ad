import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { IdempotencyConflict, JobAlreadyEnded, JobNotFound } from "@loopbox/core/conversions/ConversionErrors"
import { QueuedJob } from "@loopbox/core/conversions/ConversionJob"
import type { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import {
  type Claim,
  type ClaimOutcome,
  type ClaimRequest,
  ConversionStore
} from "@loopbox/core/conversions/ConversionStore"
import { abandonedFailure } from "@loopbox/core/conversions/failures"
import type { ConversionJobId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { toPage } from "@loopbox/core/kernel/Page"
import { conversionKind, jobColumns, JobRow, ProcessingRow, toJob, toProcessing } from "../../rows/JobRow.ts"
import { mediaColumns, MediaRow, toMedia } from "../../rows/MediaRow.ts"
import { claimReadable } from "../../rows/claimReadable.ts"
import { countedAtMost, all, at, first, Instant, newestFirst, one, optional } from "../../rows/rows.ts"
import { makeSettling } from "./settling.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeSubmitFacts } from "./submitFacts.ts"
import { makeSubmitLock } from "../../connection/workspaceLock.ts"

const ClaimedRow = Schema.Struct({ ...ProcessingRow.fields, is_abandoned: Schema.Boolean })

const DepthRow = Schema.Struct({
  queued: Schema.Int,
  processing: Schema.Int,
  oldest_queued_at: optional(Instant)
})

export const layer: Layer.Layer<ConversionStore, never, SqlClient> = Layer.effect(
  ConversionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirst
    const readFacts = yield* makeSubmitFacts
    const settling = yield* makeSettling
    const underSubmitLock = yield* makeSubmitLock("conversions")
    const columns = sql.literal(jobColumns)

    const findByKey = (workspaceId: WorkspaceId, key: IdempotencyKey) =>
      Effect.map(
        first(JobRow)(
          sql`SELECT ${columns} FROM media_jobs WHERE workspace_id = ${workspaceId} AND idempotency_key = ${key}`
        ),
        Option.map(toJob)
      )

    const find = (workspaceId: WorkspaceId, id: ConversionJobId) =>
      Effect.map(
        first(JobRow)(sql`SELECT ${columns} FROM media_jobs
          WHERE workspace_id = ${workspaceId} AND id = ${id} AND kind = ${conversionKind}`),
        Option.map(toJob)
      )

    /**
     * A job that lost its worker, else the one queued longest, over all workspaces; what another worker is just taking
     * is passed over.
     */
    const take = ({ leaseNow, leaseUntil, maxAttempts, now, token }: ClaimRequest) => sql`
        WITH due AS (
          SELECT workspace_id, id,
            status = 'processing' AND NOT released AND attempts >= ${maxAttempts}::int AS is_abandoned
          FROM media_jobs
          WHERE kind = ${conversionKind} AND claimable_at <= ${at(leaseNow)}
          ORDER BY (started_at IS NULL), claimable_at, id LIMIT 1
          FOR UPDATE SKIP LOCKED
        )
        UPDATE media_jobs j
        SET status = 'processing', started_at = coalesce(j.started_at, ${at(now)}), progress = coalesce(j.progress, 0),
          attempts = j.attempts + CASE WHEN j.released OR due.is_abandoned THEN 0 ELSE 1 END,
          released = false, lease_token = ${token}, claimable_at = ${at(leaseUntil)}
        FROM due WHERE j.workspace_id = due.workspace_id AND j.id = due.id
        RETURNING ${sql.literal(jobColumns.replace("workspace_id, id", "j.workspace_id, j.id"))}, due.is_abandoned`

    /** The next claim of what is handed back counts no attempt: this one did. */
    const putBack = ({ leaseUntil, token }: ClaimRequest, until: DateTime.Utc) =>
      sql`UPDATE media_jobs SET claimable_at = ${at(until)}, released = true, lease_token = NULL
        WHERE kind = ${conversionKind} AND claimable_at = ${at(leaseUntil)} AND lease_token = ${token}`

    const findInput = ({ gifMediaId, workspaceId }: Claim["job"]) =>
      Effect.map(
        first(MediaRow)(sql`SELECT ${sql.literal(mediaColumns)} FROM media
          WHERE workspace_id = ${workspaceId} AND id = ${gifMediaId} AND deleted_at IS NULL`),
        (row) => Option.filter(Option.map(row, toMedia), (media) => media._tag === "ReadyMedia")
      )

    /** One transaction: a database that dies between the statements must not count an attempt that nobody makes. */
    const takeWithInput = Effect.fnUntraced(function* (request: ClaimRequest) {
      const [row] = yield* claimReadable({
        queue: "media_jobs",
        limit: 1,
        leaseNow: request.leaseNow,
        schema: ClaimedRow,
        take: () => take(request),
        putBack: (_read, until) => putBack(request, until)
      })
      if (row === undefined) return undefined
      const job = toProcessing(row)
      return { claim: { job, input: yield* findInput(job), token: request.token }, isAbandoned: row.is_abandoned }
    }, sql.withTransaction)

    return ConversionStore.of({
      submit: Effect.fn("PgConversionStore.submit")(
        function* (conversion, judge) {
          const { backgroundColor, gifMediaId, id, idempotencyKey, workspaceId } = conversion
          if (Option.isSome(idempotencyKey)) {
            const made = yield* findByKey(workspaceId, idempotencyKey.value)
            if (Option.isSome(made)) {
              const isSame = made.value.gifMediaId === gifMediaId && made.value.backgroundColor === backgroundColor
              return isSame ? made.value : yield* new IdempotencyConflict({ jobId: made.value.id })
            }
          }
          yield* Effect.fromResult(judge(yield* readFacts(conversion)))
          yield* sql`INSERT INTO media_jobs ${sql.insert({
            workspace_id: workspaceId,
            id,
            kind: conversionKind,
            status: "queued",
            input_media_id: gifMediaId,
            background_color: backgroundColor,
            idempotency_key: Option.getOrNull(idempotencyKey),
            created_at: at(conversion.createdAt),
            claimable_at: at(conversion.claimableAt)
          })}`
          return new QueuedJob({ id, workspaceId, gifMediaId, backgroundColor, createdAt: conversion.createdAt })
        },
        (self, { workspaceId }) => underSubmitLock(workspaceId)(self),
        storeCall("conversions.submit", "unknown")
      ),

      findByKey: Effect.fn("PgConversionStore.findByKey")(findByKey, storeCall("conversions.findByKey", "no")),

      find: Effect.fn("PgConversionStore.find")(find, storeCall("conversions.find", "no")),

      list: Effect.fn("PgConversionStore.list")(
        function* (workspaceId, status, request) {
          const inStatus = Option.match(status, {
            onNone: () => sql.literal(""),
            onSome: (name) => sql`AND status = ${name}`
          })
          const rows = yield* all(JobRow)(sql`SELECT ${columns} FROM media_jobs
            WHERE workspace_id = ${workspaceId} AND kind = ${conversionKind} ${inStatus} ${page(request)}`)
          return toPage(rows.map(toJob), request.limit)
        },
        storeCall("conversions.list", "no")
      ),

      claim: Effect.fn("PgConversionStore.claim")(
        function* (request) {
          const taken = yield* takeWithInput(request)
          if (taken === undefined) return { _tag: "Nothing" } satisfies ClaimOutcome
          const { claim, isAbandoned } = taken
          if (!isAbandoned) return { _tag: "Claimed", claim } satisfies ClaimOutcome
          // It was taken like any other, without counting: a crash here leaves it to the next claim.
          const ended = yield* sql.withTransaction(settling.fail(claim, abandonedFailure, request.now))
          return { _tag: "Abandoned", job: ended } satisfies ClaimOutcome
        },
        // Canceled, or its workspace erased, between the two statements: there may be more to claim.
        Effect.catchTag("LeaseLost", () => Effect.succeed({ _tag: "Nothing" } satisfies ClaimOutcome)),
        storeCall("conversions.claim", "unknown")
      ),

      renew: Effect.fn("PgConversionStore.renew")(
        function* ({ job, token }, leaseUntil, progress) {
          const renewed = yield* sql`UPDATE media_jobs
            SET claimable_at = ${at(leaseUntil)}, progress = greatest(progress, ${progress}::float8)
            WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token}
              AND claimable_at IS NOT NULL
            RETURNING id`
          if (renewed.length === 0) return yield* new LeaseLost({ what: "conversion", id: job.id })
        },
        storeCall("conversions.renew", "unknown")
      ),

      release: Effect.fn("PgConversionStore.release")(
        function* ({ job, token }, leaseNow) {
          const released = yield* sql`UPDATE media_jobs
            SET claimable_at = ${at(leaseNow)}, released = true, lease_token = NULL
            WHERE workspace_id = ${job.workspaceId} AND id = ${job.id} AND lease_token = ${token}
              AND claimable_at IS NOT NULL
            RETURNING id`
          if (released.length === 0) return yield* new LeaseLost({ what: "conversion", id: job.id })
        },
        storeCall("conversions.release", "unknown")
      ),

      succeed: Effect.fn("PgConversionStore.succeed")(
        settling.succeed,
        sql.withTransaction,
        storeCall("conversions.succeed", "unknown")
      ),

      fail: Effect.fn("PgConversionStore.fail")(
        settling.fail,
        sql.withTransaction,
        storeCall("conversions.fail", "unknown")
      ),

      cancel: Effect.fn("PgConversionStore.cancel")(
        function* (workspaceId, id, failure, moment) {
          const failed = yield* settling.cancel({ workspaceId, id }, failure, moment)
          if (Option.isSome(failed)) return failed.value
          const found = yield* find(workspaceId, id)
          if (Option.isNone(found)) return yield* new JobNotFound({ jobId: id })
          return yield* new JobAlreadyEnded({ jobId: id })
        },
        sql.withTransaction,
        storeCall("conversions.cancel", "unknown")
      ),

      depth: one(DepthRow)(sql`
        SELECT count(*) FILTER (WHERE status = 'queued')::int AS queued,
          count(*) FILTER (WHERE status = 'processing')::int AS processing,
          min(created_at) FILTER (WHERE status = 'queued') AS oldest_queued_at
        FROM (SELECT status, created_at FROM media_jobs WHERE kind = ${conversionKind} AND claimable_at IS NOT NULL
          LIMIT ${sql.literal(`${countedAtMost}`)}) j`).pipe(
        Effect.map(({ oldest_queued_at: oldestAt, processing, queued }) => ({
          counts: { queued, processing },
          oldestAt
        })),
        storeCall("conversions.depth", "no"),
        Effect.withSpan("PgConversionStore.depth")
      )
    })
  })
)
