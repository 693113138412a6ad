import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { WorkspaceNotFound } from "@loopbox/core/access/AccessErrors"
import type { JobNotFound } from "@loopbox/core/jobs/JobErrors"
import type { ConversionJob } from "@loopbox/core/conversions/ConversionJob"
import type { JobStatus } from "@loopbox/core/jobs/MediaJob"
import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import type { Conversions } from "@loopbox/core/conversions/Conversions"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { hasEnded, type JobReference, jobLooks } from "./jobReference.ts"
import { type PlainJob, type PlainPage, toPlainJob, toPlainPage } from "./plain.ts"
import type { CallOptions, Run } from "./run.ts"
import { toWorkspaceId } from "./toWorkspaceId.ts"
import { type ListRequest, toPageRequest } from "./listRequest.ts"

export interface ConversionsFacade {
  /** Queues a conversion. The same `idempotencyKey` and input return the same job, without using quota. */
  readonly submit: (
    conversion: {
      readonly workspaceId: string
      readonly gifMediaId: string
      /** `#RRGGBB`; default white. */
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
  /** Waits until a job has succeeded or failed. Aborting the signal ends the waiting, not the job. */
  readonly wait: (job: JobReference, options?: CallOptions) => Promise<PlainJob>
  readonly cancel: (job: JobReference, options?: CallOptions) => Promise<PlainJob>
}

const decodeKey = Schema.decodeUnknownEffect(Schema.Struct({ idempotencyKey: Schema.NullOr(IdempotencyKey) }))

export const makeConversionsFacade = (conversions: Conversions["Service"], run: Run): ConversionsFacade => {
  const find = ({
    id,
    workspaceId
  }: JobReference): Effect.Effect<ConversionJob, JobNotFound | StoreUnavailable | WorkspaceNotFound> =>
    Effect.flatMap(toWorkspaceId(workspaceId), (workspace) => conversions.find(workspace, id))
  return {
    submit: ({ backgroundColor, gifMediaId, idempotencyKey, workspaceId }, options) =>
      run(
        Effect.gen(function* () {
          const { idempotencyKey: key } = yield* decodeKey({ idempotencyKey: idempotencyKey ?? null })
          const job = yield* conversions.submit({
            workspaceId: yield* toWorkspaceId(workspaceId),
            gifMediaId: Option.fromNullishOr(gifMediaId),
            backgroundColor: Option.fromNullishOr(backgroundColor),
            idempotencyKey: Option.fromNullOr(key)
          })
          return toPlainJob(job)
        }),
        options
      ),
    find: (job, options) => run(Effect.map(find(job), toPlainJob), options),
    list: (workspaceId, request = {}, options) =>
      run(
        Effect.gen(function* () {
          const workspace = yield* toWorkspaceId(workspaceId)
          const asked = yield* toPageRequest(request)
          return toPlainPage(
            yield* conversions.list(workspace, Option.fromUndefinedOr(request.status), asked),
            toPlainJob
          )
        }),
        options
      ),
    wait: (job, options) =>
      run(find(job).pipe(Effect.repeat({ schedule: jobLooks, until: hasEnded }), Effect.map(toPlainJob)), options),
    cancel: ({ id, workspaceId }, options) =>
      run(
        Effect.flatMap(toWorkspaceId(workspaceId), (workspace) =>
          Effect.map(conversions.cancel(workspace, id), toPlainJob)
        ),
        options
      )
  }
}
