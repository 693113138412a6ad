import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { type ConversionJob, type JobStatus, outputProfile, statusOf } from "../conversions/ConversionJob.ts"
import type { Page } from "../kernel/Page.ts"
import type { Media } from "../media/Media.ts"
import type { Plan } from "../plans/Plan.ts"
import type { Workspace } from "../plans/Workspace.ts"

/** A workspace as plain data. */
export interface PlainWorkspace {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly limits: { readonly activeJobs: number | null; readonly conversionsPer24Hours: number | null }
  readonly createdAt: Date
}

/** A media record as plain data; what is known of the bytes is null while the upload is pending. */
export interface PlainMedia {
  readonly id: string
  readonly workspaceId: string
  readonly status: "pending" | "ready"
  readonly contentType: string
  readonly filename: string | null
  readonly sizeBytes: number | null
  readonly sha256: string | null
  readonly width: number | null
  readonly height: number | null
  readonly durationMs: number | null
  readonly keepUntil: Date
  readonly createdAt: Date
}

/** A conversion job as plain data (§2.3). */
export interface PlainJob {
  readonly id: string
  readonly workspaceId: string
  readonly kind: "gif_to_mp4"
  readonly status: JobStatus
  readonly gifMediaId: string
  readonly backgroundColor: string
  readonly outputProfile: typeof outputProfile
  readonly outputMediaId: string | null
  readonly progress: number | null
  readonly attempts: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly completedAt: Date | null
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean } | null
}

/** Where a page ended; it may have been through JSON. */
export interface PlainPageKey {
  readonly createdAt: Date | string
  readonly id: string
}

/** One page; give `next` back as `after` to get the following one. */
export interface PlainPage<A> {
  readonly items: ReadonlyArray<A>
  readonly next: PlainPageKey | null
}

export const toPlainPage = <A, B>(page: Page<A>, toPlain: (item: A) => B): PlainPage<B> => ({
  items: page.items.map(toPlain),
  next: Option.getOrNull(
    Option.map(page.next, ({ createdAt, id }) => ({ createdAt: DateTime.toDateUtc(createdAt), id }))
  )
})

export const toPlainWorkspace = (workspace: Workspace): PlainWorkspace => ({
  id: workspace.id,
  name: workspace.name,
  plan: workspace.plan,
  limits: {
    activeJobs: Option.getOrNull(workspace.limits.activeJobs),
    conversionsPer24Hours: Option.getOrNull(workspace.limits.conversionsPer24Hours)
  },
  createdAt: DateTime.toDateUtc(workspace.createdAt)
})

export const toPlainMedia = (media: Media): PlainMedia => {
  const isReady = media._tag === "ReadyMedia"
  return {
    id: media.id,
    workspaceId: media.workspaceId,
    status: isReady ? "ready" : "pending",
    contentType: media.contentType,
    filename: Option.getOrNull(media.filename),
    sizeBytes: isReady ? media.sizeBytes : null,
    sha256: isReady ? media.sha256 : null,
    width: isReady ? Option.getOrNull(media.width) : null,
    height: isReady ? Option.getOrNull(media.height) : null,
    durationMs: isReady ? Option.getOrNull(media.durationMs) : null,
    keepUntil: DateTime.toDateUtc(media.keepUntil),
    createdAt: DateTime.toDateUtc(media.createdAt)
  }
}

const unset = { outputMediaId: null, progress: null, startedAt: null, completedAt: null, error: null, attempts: 0 }

/** What only some states have. */
const stateFields = (job: ConversionJob) => {
  switch (job._tag) {
    case "QueuedJob":
      return unset
    case "ProcessingJob":
      return {
        ...unset,
        progress: job.progress,
        attempts: job.attempts,
        startedAt: DateTime.toDateUtc(job.startedAt)
      }
    case "SucceededJob":
      return {
        ...unset,
        outputMediaId: job.outputMediaId,
        progress: 1,
        attempts: job.attempts,
        startedAt: DateTime.toDateUtc(job.startedAt),
        completedAt: DateTime.toDateUtc(job.completedAt)
      }
    case "FailedJob":
      return {
        ...unset,
        progress: Option.getOrNull(job.progress),
        attempts: job.attempts,
        startedAt: Option.getOrNull(Option.map(job.startedAt, DateTime.toDateUtc)),
        completedAt: DateTime.toDateUtc(job.completedAt),
        error: { code: job.failure.code, message: job.failure.message, retryable: job.failure.retryable }
      }
  }
}

export const toPlainJob = (job: ConversionJob): PlainJob => ({
  id: job.id,
  workspaceId: job.workspaceId,
  kind: "gif_to_mp4",
  status: statusOf(job),
  gifMediaId: job.gifMediaId,
  backgroundColor: job.backgroundColor,
  outputProfile,
  createdAt: DateTime.toDateUtc(job.createdAt),
  ...stateFields(job)
})
