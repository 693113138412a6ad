import type { components } from "./generated/wire.ts"
import { LoopboxError } from "./LoopboxError.ts"
import { mayPass } from "./retrying.ts"
import { wait } from "./waiting.ts"

export type ConversionJob = components["schemas"]["ConversionJob"]
export type OverlayJob = components["schemas"]["OverlayJob"]
type MediaJob = ConversionJob | OverlayJob

/** Where a media job is, as seen from here. */
export interface JobProgress<Job> {
  readonly stage: "uploading" | "queued" | "processing" | "downloading"
  /** 0 to 1 of this stage, where it is known. */
  readonly progress: number | null
  /** Once there is one. */
  readonly job: Job | null
}

/** As the API asks for: every 2 seconds, backing off to 10, for up to 15 minutes. */
const firstPollMs = 2_000
const mostPollMs = 10_000
const longestMs = 15 * 60_000

const failed = (job: MediaJob) =>
  new LoopboxError(job.error?.message ?? "The job failed.", {
    status: 0,
    code: job.error?.code ?? "INVALID_ANSWER",
    details: { job, retryable: job.error?.retryable === true }
  })

const stillRunning = (job: MediaJob) =>
  new LoopboxError(`The job ${job.id} has not ended in 15 minutes; it goes on alone.`, {
    status: 0,
    code: "TIMED_OUT",
    details: { job }
  })

/** Asks for a job until it has succeeded; fails as the job does. */
export const awaitJob = async <Job extends MediaJob>(
  submitted: Job,
  read: (id: string) => Promise<Job>,
  onProgress: ((progress: JobProgress<Job>) => void) | undefined,
  signal: AbortSignal | undefined
): Promise<Job> => {
  let job = submitted
  let pauseMs = firstPollMs
  // A poll that finds no host may last longer than its pause.
  const began = performance.now()
  while (job.status === "queued" || job.status === "processing") {
    onProgress?.({ stage: job.status, progress: job.progress, job })
    if (performance.now() - began >= longestMs) throw stillRunning(job)
    await wait(pauseMs, signal)
    try {
      job = await read(job.id)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof LoopboxError)) throw error
      // The job goes on: it is asked for again at the next poll, or named to whoever may do that later.
      if (!mayPass(error, true)) throw Object.assign(error, { details: { ...error.details, job } })
    }
    pauseMs = Math.min(mostPollMs, pauseMs * 1.25)
  }
  if (job.status === "failed") throw failed(job)
  return job
}
