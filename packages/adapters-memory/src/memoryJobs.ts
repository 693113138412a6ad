import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { JobKind } from "@loopbox/core/jobs/JobKind"
import type { ClaimOutcome, ClaimRequest, JobOutput } from "@loopbox/core/jobs/JobStore"
import type { FailedJob, JobFailure, ProcessingJob, QueuedJob, SucceededJob } from "@loopbox/core/jobs/MediaJob"
import type { MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { type Media, PendingMedia, ReadyMedia } from "@loopbox/core/media/Media"
import { keepUntil, type RetentionOutcome } from "@loopbox/core/retention/Retention"
import { typeOfJobEnd } from "@loopbox/core/outgoing/eventPatterns"
import { writeEvents } from "./memoryInbox.ts"
import { liveMedia } from "./MemoryMediaStore.ts"
import type { JobEntry, JobMap, MemoryState } from "./MemoryState.ts"

type State = MemoryState["Service"]

/** The jobs of one kind in the shared state. */
export interface KindJobs<Task, Code extends string> {
  readonly kind: JobKind<Task, Code>
  readonly state: State
  readonly jobs: JobMap<Task, Code>
}

const baseOf = <Task>({ createdAt, id, task, workspaceId }: QueuedJob<Task> | ProcessingJob<Task>) => ({
  id,
  workspaceId,
  task,
  createdAt
})

/** Progress never decreases. */
export const progressed = <Task>(job: ProcessingJob<Task>, progress: number): ProcessingJob<Task> => ({
  ...job,
  progress: Math.max(job.progress, progress)
})

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

/** The files of a task that are there. */
export const inputsOf = <Task, Code extends string>({ kind, state }: KindJobs<Task, Code>, job: { task: Task }) =>
  new Map(
    kind.inputsOf(job.task).flatMap((id): ReadonlyArray<readonly [MediaId, Media]> => {
      const media = liveMedia(state, id)
      return media === undefined ? [] : [[id, media]]
    })
  )

const keepInputs = <Task, Code extends string>({ kind, state }: KindJobs<Task, Code>, task: Task, at: DateTime.Utc) => {
  for (const id of kind.inputsOf(task)) keepInput(state, id, at)
}

/** Writes the job's end into the log of its workspace, where an endpoint names its type. */
const tell = <Task, Code extends string>(
  { kind, state }: KindJobs<Task, Code>,
  { id, workspaceId }: SucceededJob<Task> | FailedJob<Task, Code>,
  at: DateTime.Utc
) => {
  if (!state.workspaces.has(workspaceId)) return
  const type = typeOfJobEnd[kind.name]
  const isNamed = Array.from(state.inbox.outgoing.endpoints.values()).some(
    ({ endpoint }) =>
      endpoint.workspaceId === workspaceId && Option.exists(endpoint.events, (events) => events.includes(type))
  )
  if (!isNamed) return
  writeEvents(state.inbox, workspaceId, [{ _tag: "JobEnded", kind: kind.name, jobId: id }], at)
}

export const endFailed = <Task, Code extends string>(
  store: KindJobs<Task, Code>,
  entry: JobEntry<Task, Code>,
  job: QueuedJob<Task> | ProcessingJob<Task>,
  failure: JobFailure<Code>,
  at: DateTime.Utc
): FailedJob<Task, Code> => {
  const isStarted = job._tag === "ProcessingJob"
  const failed: FailedJob<Task, Code> = {
    _tag: "FailedJob",
    ...baseOf(job),
    startedAt: isStarted ? Option.some(job.startedAt) : Option.none(),
    progress: isStarted ? Option.some(job.progress) : Option.none(),
    attempts: isStarted ? job.attempts : 0,
    completedAt: at,
    failure
  }
  store.jobs.set(job.id, { ...entry, job: failed })
  tell(store, failed, at)
  keepInputs(store, job.task, keepUntilOf(store.state, job.workspaceId, "failed", at))
  return failed
}

export const endSucceeded = <Task, Code extends string>(
  store: KindJobs<Task, Code>,
  entry: JobEntry<Task, Code>,
  job: ProcessingJob<Task>,
  output: JobOutput,
  at: DateTime.Utc
): SucceededJob<Task> => {
  const { kind, state } = store
  const until = keepUntilOf(state, job.workspaceId, "succeeded", at)
  const media = new ReadyMedia({
    ...output.bytes,
    id: output.id,
    workspaceId: job.workspaceId,
    filename: output.filename,
    contentType: "video/mp4",
    createdAt: at,
    keepUntil: until,
    source: kind.source,
    jobId: Option.some(job.id)
  })
  state.media.set(media.id, { media, deletedAt: undefined, isRemoved: false })
  const succeeded: SucceededJob<Task> = {
    _tag: "SucceededJob",
    ...baseOf(job),
    startedAt: job.startedAt,
    completedAt: at,
    outputMediaId: output.id,
    attempts: job.attempts
  }
  store.jobs.set(job.id, { ...entry, job: succeeded })
  tell(store, succeeded, at)
  keepInputs(store, job.task, until)
  return succeeded
}

interface Waiting<Task, Code extends string> {
  readonly entry: JobEntry<Task, Code>
  readonly job: QueuedJob<Task> | ProcessingJob<Task>
}

/** Started jobs first, then by the time from which they could be claimed. */
const goesBefore = <Task, Code extends string>(a: Waiting<Task, Code>, b: Waiting<Task, Code>): boolean =>
  a.job._tag === b.job._tag
    ? DateTime.isLessThan(a.entry.claimableAt, b.entry.claimableAt)
    : a.job._tag === "ProcessingJob"

/** The longest waiting entry that can be claimed now. */
const longestWaiting = <Task, Code extends string>(
  { jobs }: KindJobs<Task, Code>,
  leaseNow: DateTime.Utc
): Waiting<Task, Code> | undefined => {
  let found: Waiting<Task, Code> | undefined
  for (const entry of jobs.values()) {
    const { job } = entry
    if (job._tag !== "QueuedJob" && job._tag !== "ProcessingJob") continue
    if (DateTime.isGreaterThan(entry.claimableAt, leaseNow)) continue
    if (found === undefined || goesBefore({ entry, job }, found)) found = { entry, job }
  }
  return found
}

export const claimNext = <Task, Code extends string>(
  store: KindJobs<Task, Code>,
  request: ClaimRequest
): ClaimOutcome<Task, Code> => {
  const found = longestWaiting(store, request.leaseNow)
  if (found === undefined) return { _tag: "Nothing" }
  const { entry, job } = found
  const isStarted = job._tag === "ProcessingJob"
  const attempts = isStarted ? job.attempts : 0
  if (isStarted && !entry.isReleased && attempts >= request.maxAttempts) {
    const { abandoned } = store.kind.failures
    return { _tag: "Abandoned", job: endFailed(store, { ...entry, token: undefined }, job, abandoned, request.now) }
  }
  const claimed: ProcessingJob<Task> = {
    _tag: "ProcessingJob",
    ...baseOf(job),
    startedAt: isStarted ? job.startedAt : request.now,
    progress: isStarted ? job.progress : 0,
    attempts: entry.isReleased ? attempts : attempts + 1
  }
  store.jobs.set(job.id, {
    ...entry,
    job: claimed,
    claimableAt: request.leaseUntil,
    token: request.token,
    isReleased: false
  })
  const inputs = new Map<MediaId, ReadyMedia>()
  for (const [id, media] of inputsOf(store, claimed)) if (media._tag === "ReadyMedia") inputs.set(id, media)
  return { _tag: "Claimed", claim: { job: claimed, inputs, token: request.token } }
}
