import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import {
  FailedJob,
  type JobFailure,
  ProcessingJob,
  type QueuedJob,
  SucceededJob
} from "@loopbox/core/conversions/ConversionJob"
import type { ClaimOutcome, ClaimRequest, ConversionOutput } from "@loopbox/core/conversions/ConversionStore"
import { abandonedFailure } from "@loopbox/core/conversions/failures"
import type { MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { PendingMedia, ReadyMedia } from "@loopbox/core/media/Media"
import { keepUntil, type RetentionOutcome } from "@loopbox/core/retention/Retention"
import { liveMedia } from "./MemoryMediaStore.ts"
import type { JobEntry, MemoryState } from "./MemoryState.ts"

type State = MemoryState["Service"]

const baseOf = ({ backgroundColor, createdAt, gifMediaId, id, workspaceId }: QueuedJob | ProcessingJob) => ({
  id,
  workspaceId,
  gifMediaId,
  backgroundColor,
  createdAt
})

/** Progress never decreases. */
export const progressed = (job: ProcessingJob, progress: number): ProcessingJob =>
  new ProcessingJob({ ...job, progress: Math.max(job.progress, progress) })

const keepUntilOf = (state: State, workspaceId: WorkspaceId, outcome: RetentionOutcome, at: DateTime.Utc) =>
  keepUntil(state.workspaces.get(workspaceId)?.plan ?? "free", outcome, at)

/** Sets when the input expires: the latest time of several jobs wins. */
const keepInput = (state: State, id: MediaId, at: DateTime.Utc) => {
  const entry = state.media.get(id)
  if (entry === undefined) return
  const { media } = entry
  const until = DateTime.max(media.keepUntil, at)
  const kept =
    media._tag === "PendingMedia"
      ? new PendingMedia({ ...media, keepUntil: until })
      : new ReadyMedia({ ...media, keepUntil: until })
  state.media.set(id, { ...entry, media: kept })
}

export const endFailed = (
  state: State,
  entry: JobEntry,
  job: QueuedJob | ProcessingJob,
  failure: JobFailure,
  at: DateTime.Utc
): FailedJob => {
  const isStarted = job._tag === "ProcessingJob"
  const failed = new FailedJob({
    ...baseOf(job),
    startedAt: isStarted ? Option.some(job.startedAt) : Option.none(),
    progress: isStarted ? Option.some(job.progress) : Option.none(),
    attempts: isStarted ? job.attempts : 0,
    completedAt: at,
    failure
  })
  state.jobs.set(job.id, { ...entry, job: failed })
  keepInput(state, job.gifMediaId, keepUntilOf(state, job.workspaceId, "failed", at))
  return failed
}

export const endSucceeded = (
  state: State,
  entry: JobEntry,
  job: ProcessingJob,
  output: ConversionOutput,
  at: DateTime.Utc
): SucceededJob => {
  const until = keepUntilOf(state, job.workspaceId, "succeeded", at)
  const media = new ReadyMedia({
    ...output.bytes,
    id: output.id,
    workspaceId: job.workspaceId,
    filename: output.filename,
    contentType: "video/mp4",
    createdAt: at,
    keepUntil: until,
    source: "gif_conversion",
    jobId: Option.some(job.id)
  })
  state.media.set(media.id, { media, deletedAt: undefined, isRemoved: false })
  const succeeded = new SucceededJob({
    ...baseOf(job),
    startedAt: job.startedAt,
    completedAt: at,
    outputMediaId: output.id,
    attempts: job.attempts
  })
  state.jobs.set(job.id, { ...entry, job: succeeded })
  keepInput(state, job.gifMediaId, until)
  return succeeded
}

type Waiting = { readonly entry: JobEntry; readonly job: QueuedJob | ProcessingJob }

/** Started jobs first, then by the time from which they could be claimed. */
const goesBefore = (a: Waiting, b: Waiting): boolean =>
  a.job._tag === b.job._tag
    ? DateTime.isLessThan(a.entry.claimableAt, b.entry.claimableAt)
    : a.job._tag === "ProcessingJob"

/** The longest waiting entry that can be claimed now. */
const longestWaiting = (state: State, leaseNow: DateTime.Utc): Waiting | undefined => {
  let found: Waiting | undefined
  for (const entry of state.jobs.values()) {
    const { job } = entry
    if (job._tag !== "QueuedJob" && job._tag !== "ProcessingJob") continue
    if (DateTime.isGreaterThan(entry.claimableAt, leaseNow)) continue
    if (found === undefined || goesBefore({ entry, job }, found)) found = { entry, job }
  }
  return found
}

export const claimNext = (state: State, request: ClaimRequest): ClaimOutcome => {
  const found = longestWaiting(state, request.leaseNow)
  if (found === undefined) return { _tag: "Nothing" }
  const { entry, job } = found
  const isStarted = job._tag === "ProcessingJob"
  const attempts = isStarted ? job.attempts : 0
  if (isStarted && !entry.isReleased && attempts >= request.maxAttempts) {
    return {
      _tag: "Abandoned",
      job: endFailed(state, { ...entry, token: undefined }, job, abandonedFailure, request.now)
    }
  }
  const claimed = new ProcessingJob({
    ...baseOf(job),
    startedAt: isStarted ? job.startedAt : request.now,
    progress: isStarted ? job.progress : 0,
    attempts: entry.isReleased ? attempts : attempts + 1
  })
  state.jobs.set(job.id, {
    ...entry,
    job: claimed,
    claimableAt: request.leaseUntil,
    token: request.token,
    isReleased: false
  })
  const input = liveMedia(state, job.gifMediaId)
  return {
    _tag: "Claimed",
    claim: {
      job: claimed,
      input: input?._tag === "ReadyMedia" ? Option.some(input) : Option.none(),
      token: request.token
    }
  }
}
