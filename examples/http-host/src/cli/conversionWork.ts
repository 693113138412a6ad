import type { JobBody, MediaBody } from "@loopbox/adapters-http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import type * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Stream from "effect/Stream"
import { CommandFailed } from "../CommandFailed.ts"
import { printJson } from "./output.ts"

/** A GIF that is to become an MP4, wherever that is done. */
export interface ConversionWork {
  readonly input: string
  readonly output: string
  readonly color: Option.Option<string>
  readonly json: boolean
  /** Tells how far it is; the share is from 0 to 1. */
  readonly show: (step: string, share?: number) => Effect.Effect<void>
}

/** What came of it, once the video lies in its file. */
export interface Converted {
  readonly job: JobBody
  readonly media: MediaBody
}

export const cannot = (what: string) => (error: PlatformError) =>
  new CommandFailed({
    message: error.reason._tag === "NotFound" ? `${what}: it is not there.` : `${what}: ${error.message}.`
  })

/** Writes beside the file first, so that a download that breaks off leaves the old one. */
export const writeWhole = Effect.fnUntraced(function* <E>(file: string, bytes: Stream.Stream<Uint8Array, E>) {
  const fs = yield* FileSystem.FileSystem
  const staging = `${file}.${process.pid}.part`
  yield* Stream.run(bytes, fs.sink(staging)).pipe(
    Effect.andThen(fs.rename(staging, file)),
    Effect.onError(() => Effect.ignore(fs.remove(staging)))
  )
})

/** Queue time and processing together (§8.5). */
const patience = Duration.minutes(15)

const hasEnded = (job: JobBody): boolean => job.status === "succeeded" || job.status === "failed"

const tell = ({ show }: ConversionWork, job: JobBody) =>
  job.status === "queued" ? show("Queued") : show("Converting", job.progress ?? 0)

/**
 * Waits for a job's end, and gives the id of its video. It asks soon at first, then every two seconds. A job that failed
 * fails with its sentence.
 */
export const awaitVideo = Effect.fnUntraced(function* <E, R>(
  work: ConversionWork,
  first: JobBody,
  find: Effect.Effect<JobBody, E, R>
) {
  const waiting = Effect.gen(function* () {
    let job = first
    for (let wait_ms = 200; !hasEnded(job); wait_ms = Math.min(2_000, wait_ms * 1.5)) {
      yield* tell(work, job)
      yield* Effect.sleep(wait_ms)
      job = yield* find
    }
    return job
  })
  const job = yield* Effect.timeoutOrElse(waiting, {
    duration: patience,
    orElse: () =>
      Effect.fail(new CommandFailed({ message: `${first.id} has not ended within 15 minutes. It may go on.` }))
  })
  if (job.output_media_id !== null) return { job, mediaId: job.output_media_id }
  if (work.json) yield* printJson({ file: null, job })
  const { code, message } = job.error ?? { code: job.status, message: "It failed" }
  return yield* new CommandFailed({ message: `${work.input}: ${message.replace(/\.$/, "")} (${code}).` })
})
