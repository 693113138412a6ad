import { PgAdapters } from "@loopbox/adapters-postgres"
import * as SocialNetworks from "@loopbox/adapters-social/socialNetworks"
import { BackgroundColor } from "@loopbox/core/conversions/ConversionJob"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { JobSignals } from "@loopbox/core/jobs/JobSignals"
import { ConversionJobId, MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { ApiKeys } from "@loopbox/core/workspaces/ApiKeys"
import { DateTime, Effect, Layer, Option, Result } from "effect"
import { type SqlText, statementOf, statementsOf, statementsOfKey } from "./listStatements.ts"

/** Who submits, and the GIF that is to be converted. */
export interface Submitter {
  readonly key: string
  readonly workspaceId: string
  readonly mediaId: string
}

/** The statements of a submit, in their order, made by one submitter for one job. */
export interface SubmitStatements {
  readonly key: ReadonlyArray<SqlText>
  readonly media: SqlText
  /** Of the transaction, without BEGIN and COMMIT: the last one stores the job. */
  readonly transaction: ReadonlyArray<SqlText>
  readonly told: SqlText
  readonly by: Submitter
  readonly jobId: string
  /** Times in the statements are this one, or lie before it. */
  readonly at: Date
}

const jobId = ConversionJobId.make("mpj_00000000000000000000000001")

/** What the stores send; the job that this makes stays. */
export const submitStatements = (target: PgAdapters.Target, by: Submitter): Promise<SubmitStatements> =>
  Effect.gen(function* () {
    const [keys, media] = [yield* ApiKeys, yield* MediaStore]
    const [jobs, signals] = [yield* ConversionStore, yield* JobSignals]
    const workspaceId = WorkspaceId.make(by.workspaceId)
    const mediaId = MediaId.make(by.mediaId)
    const now = yield* DateTime.now
    const task = { gifMediaId: mediaId, backgroundColor: BackgroundColor.make("#FFFFFF") }
    const made = { id: jobId, workspaceId, task, idempotencyKey: Option.none(), createdAt: now, claimableAt: now }
    return {
      key: yield* statementsOfKey(keys, by.key),
      media: yield* statementOf(media.find(workspaceId, mediaId)),
      transaction: yield* statementsOf(jobs.submit(made, () => Result.void)),
      told: yield* statementOf(signals.tell({ _tag: "Submitted" })),
      by,
      jobId,
      at: DateTime.toDateUtc(now)
    }
  }).pipe(
    Effect.provide(PgAdapters.layerTarget(target, { migrate: false }).pipe(Layer.provideMerge(SocialNetworks.layer))),
    Effect.runPromise
  )
