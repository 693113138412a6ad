import * as Struct from "effect/Struct"
import { type ConversionJob, type JobFailure, outputProfile, statusOf } from "@loopbox/core/conversions/ConversionJob"
import type { JobStatus } from "@loopbox/core/conversions/ConversionJob"
import type { Page } from "@loopbox/core/kernel/Page"
import type { Media, ReadyMedia } from "@loopbox/core/media/Media"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import type { PlainPageKey } from "./places.ts"
import { type Plain, toPlain } from "./toPlain.ts"

/** A workspace as plain data. */
export interface PlainWorkspace extends Plain<Workspace> {}

/** A media record as plain data; the facts about the bytes are null while the upload is pending. */
export interface PlainMedia extends Plain<Pick<Media, (typeof mediaFields)[number]>> {
  readonly status: "pending" | "ready"
  readonly sizeBytes: number | null
  readonly sha256: string | null
  readonly width: number | null
  readonly height: number | null
  readonly durationMs: number | null
}

/** A conversion job as plain data (§2.3). */
export interface PlainJob extends Plain<Pick<ConversionJob, (typeof jobFields)[number]>> {
  readonly kind: "gif_to_mp4"
  readonly status: JobStatus
  readonly outputProfile: typeof outputProfile
  readonly outputMediaId: string | null
  readonly progress: number | null
  readonly attempts: number
  readonly startedAt: Date | null
  readonly completedAt: Date | null
  readonly error: Plain<JobFailure> | null
}

/** One page; pass `next` as `after` to get the next one. */
export interface PlainPage<A> {
  readonly items: ReadonlyArray<A>
  readonly next: PlainPageKey | null
}

export const toPlainPage = <A, B>({ items, next }: Page<A>, toPlainOne: (item: A) => B): PlainPage<B> => ({
  items: items.map(toPlainOne),
  next: toPlain(next)
})

const mediaFields = ["id", "workspaceId", "contentType", "filename", "keepUntil", "createdAt"] as const
const byteFields = ["sizeBytes", "sha256", "width", "height", "durationMs"] as const
const noBytes = { sizeBytes: null, sha256: null, width: null, height: null, durationMs: null }

const bytesOf = (media: ReadyMedia) => toPlain(Struct.pick(media, byteFields))

export const toPlainMedia = (media: Media): PlainMedia => ({
  ...toPlain(Struct.pick(media, mediaFields)),
  status: media._tag === "ReadyMedia" ? "ready" : "pending",
  ...(media._tag === "ReadyMedia" ? bytesOf(media) : noBytes)
})

const jobFields = ["id", "workspaceId", "gifMediaId", "backgroundColor", "createdAt"] as const
const unset = { outputMediaId: null, progress: null, startedAt: null, completedAt: null, error: null, attempts: 0 }

/** The fields that only some states have. */
const stateFields = (job: ConversionJob) => {
  switch (job._tag) {
    case "QueuedJob":
      return unset
    case "ProcessingJob":
      return { ...unset, ...toPlain(Struct.pick(job, ["progress", "attempts", "startedAt"])) }
    case "SucceededJob":
      return {
        ...unset,
        ...toPlain(Struct.pick(job, ["attempts", "startedAt", "completedAt", "outputMediaId"])),
        progress: 1
      }
    case "FailedJob":
      return {
        ...unset,
        ...toPlain(Struct.pick(job, ["progress", "attempts", "startedAt", "completedAt"])),
        error: toPlain(job.failure)
      }
  }
}

export const toPlainJob = (job: ConversionJob): PlainJob => ({
  ...toPlain(Struct.pick(job, jobFields)),
  kind: "gif_to_mp4",
  status: statusOf(job),
  outputProfile,
  ...stateFields(job)
})
