import * as Struct from "effect/Struct"
import {
  type ConversionFailureCode,
  type ConversionJob,
  type ConversionTask,
  outputProfile
} from "@loopbox/core/conversions/ConversionJob"
import { type JobFailure, type JobStatus, type MediaJob, statusOf } from "@loopbox/core/jobs/MediaJob"
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

/** What every media job is as plain data. */
export interface PlainLife<Code extends string> {
  readonly id: string
  readonly workspaceId: string
  readonly status: JobStatus
  readonly outputMediaId: string | null
  readonly progress: number | null
  readonly attempts: number
  readonly createdAt: Date
  readonly startedAt: Date | null
  readonly completedAt: Date | null
  readonly error: JobFailure<Code> | null
}

/** A conversion job as plain data (§2.3). */
export interface PlainJob extends PlainLife<ConversionFailureCode>, Plain<ConversionTask> {
  readonly kind: "gif_to_mp4"
  readonly outputProfile: typeof outputProfile
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

const unset = { outputMediaId: null, progress: null, startedAt: null, completedAt: null, error: null, attempts: 0 }

/** The fields that only some states have. */
const stateFields = <Code extends string>(job: MediaJob<unknown, Code>) => {
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
        error: { ...job.failure }
      }
  }
}

/** The life of a job of any kind. */
export const toPlainLife = <Code extends string>(job: MediaJob<unknown, Code>): PlainLife<Code> => ({
  id: job.id,
  workspaceId: job.workspaceId,
  createdAt: toPlain(job.createdAt),
  status: statusOf(job),
  ...stateFields(job)
})

export const toPlainJob = (job: ConversionJob): PlainJob => ({
  ...toPlainLife(job),
  ...toPlain(job.task),
  kind: "gif_to_mp4",
  outputProfile
})
