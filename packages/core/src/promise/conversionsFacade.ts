import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { JobNotFound } from "../conversions/ConversionErrors.ts"
import type { ConversionJob, JobStatus } from "../conversions/ConversionJob.ts"
import { IdempotencyKey } from "../kernel/IdempotencyKey.ts"
import type { Conversions } from "../conversions/Conversions.ts"
import { WorkspaceId } from "../kernel/Ids.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { type PlainJob, type PlainPage, toPlainJob, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { type ListRequest, toPageRequest } from "./listRequest.ts"

/** A job of one workspace; a job itself is such a reference. */
export interface JobReference {
  readonly workspaceId: string
  readonly id: string
}

export interface ConversionsFacade {
  /** Queues a conversion; the same `idempotencyKey` and input give the same job again, at no cost. */
  readonly submit: (
    conversion: {
      readonly workspaceId: string
      readonly gifMediaId: string
      /** `#RRGGBB`; white unless said. */
      readonly backgroundColor?: string | null | undefined
      readonly idempotencyKey?: string | null | undefined
    },
    options?: CallOptions
  ) => Promise<PlainJob>
  readonly find: (job: JobReference, options?: CallOptions) => Promise<PlainJob>
  readonly list: (
    workspaceId: string,
    request?: ListRequest & { readonly status?: JobStatus | undefined },
    options?: CallOptions
  ) => Promise<PlainPage<PlainJob>>
  /** Waits for the end of a job, whatever it is; aborting the signal ends the waiting, not the job. */
  readonly wait: (job: JobReference, options?: CallOptions) => Promise<PlainJob>
  readonly cancel: (job: JobReference, options?: CallOptions) => Promise<PlainJob>
}

const hasEnded = (job: ConversionJob) => job._tag === "SucceededJob" || job._tag === "FailedJob"

/** Soon at first, since small GIFs take a moment; then every two seconds. */
const looks = Schedule.min([Schedule.exponential("100 millis", 1.5), Schedule.spaced("2 seconds")])

const decodeWorkspaceId = Schema.decodeUnknownEffect(WorkspaceId)
const decodeKey = Schema.decodeUnknownEffect(Schema.Option(IdempotencyKey))

export const makeConversionsFacade = (conversions: Conversions["Service"], run: Run): ConversionsFacade => {
  const find = ({
    id,
    workspaceId
  }: JobReference): Effect.Effect<ConversionJob, JobNotFound | StoreUnavailable | Schema.SchemaError> =>
    Effect.flatMap(decodeWorkspaceId(workspaceId), (workspace) => conversions.find(workspace, id))
  return {
    submit: ({ backgroundColor, gifMediaId, idempotencyKey, workspaceId }, options) =>
      run(
        Effect.gen(function* () {
          const job = yield* conversions.submit({
            workspaceId: yield* decodeWorkspaceId(workspaceId),
            gifMediaId: Option.fromNullishOr(gifMediaId),
            backgroundColor: Option.fromNullishOr(backgroundColor),
            idempotencyKey: yield* decodeKey(Option.fromNullishOr(idempotencyKey))
          })
          return toPlainJob(job)
        }),
        options
      ),
    find: (job, options) => run(Effect.map(find(job), toPlainJob), options),
    list: (workspaceId, request = {}, options) =>
      run(
        Effect.gen(function* () {
          const workspace = yield* decodeWorkspaceId(workspaceId)
          const asked = yield* toPageRequest(request)
          return toPlainPage(
            yield* conversions.list(workspace, Option.fromUndefinedOr(request.status), asked),
            toPlainJob
          )
        }),
        options
      ),
    wait: (job, options) =>
      run(find(job).pipe(Effect.repeat({ schedule: looks, until: hasEnded }), Effect.map(toPlainJob)), options),
    cancel: ({ id, workspaceId }, options) =>
      run(
        Effect.flatMap(decodeWorkspaceId(workspaceId), (workspace) =>
          Effect.map(conversions.cancel(workspace, id), toPlainJob)
        ),
        options
      )
  }
}
