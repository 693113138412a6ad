import { DateTime, Effect, Option } from "effect"
import type { ConversionJob } from "@loopbox/core/conversions/ConversionJob"
import type { ConversionJobId, MediaId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { limitsOf } from "@loopbox/core/workspaces/Limits"
import { blobKeys } from "../../src/fixtures/mediaFixtures.ts"

/** What the driver knows besides the stores. */
export interface Ledger {
  /** Every job that was committed, as it was last seen; erased and purged ones are taken out. */
  readonly jobs: Map<ConversionJobId, ConversionJob>
  /** Job of each key, by workspace and key. */
  readonly keys: Map<string, ConversionJobId>
  /** Until when each file is kept, as it was said last. */
  readonly keeps: Map<MediaId, DateTime.Utc>
}

export const isActive = (job: ConversionJob) => job._tag === "QueuedJob" || job._tag === "ProcessingJob"

class Violated extends Error {}

export const insist = (isSo: boolean, what: string, job?: { readonly id: string }): void => {
  if (!isSo) throw new Violated(job === undefined ? what : `${what} (${job.id})`)
}

const ranks: Record<ConversionJob["_tag"], number> = { QueuedJob: 0, ProcessingJob: 1, SucceededJob: 2, FailedJob: 2 }
const startOf = (job: ConversionJob): DateTime.Utc | undefined => {
  if (job._tag === "QueuedJob") return undefined
  return job._tag === "FailedJob" ? Option.getOrUndefined(job.startedAt) : job.startedAt
}

/** A job only goes forward, and an ended one stays as it is. */
const insistForward = (before: ConversionJob, now: ConversionJob) => {
  if (before === now) return
  insist(ranks[now._tag] >= ranks[before._tag], `a job went from ${before._tag} back to ${now._tag}`, now)
  insist(ranks[before._tag] < 2, "an ended job changed", now)
  insist(
    before.workspaceId === now.workspaceId && before.task.gifMediaId === now.task.gifMediaId,
    "a job changed its input",
    now
  )
  const started = startOf(before)
  insist(started === undefined || startOf(now) === started, "a job's start moved", now)
  if (before._tag !== "ProcessingJob" || now._tag === "QueuedJob") return
  insist(now.attempts >= before.attempts, "attempts fell", now)
  if (now._tag === "ProcessingJob") insist(now.progress >= before.progress, "progress fell", now)
}

/** Whether one more was rightly admitted or refused, judged from the jobs themselves. */
export const usage = (state: MemoryState["Service"], workspaceId: WorkspaceId, now: DateTime.Utc) => {
  const workspace = state.workspaces.get(workspaceId)
  if (workspace === undefined) return undefined
  const jobs = Array.from(state.jobs.values(), ({ job }) => job).filter((job) => job.workspaceId === workspaceId)
  const opens = DateTime.subtract(now, { hours: 24 })
  return {
    limits: limitsOf(workspace),
    active: jobs.filter(isActive).length,
    conversions: jobs.filter(({ createdAt }) => DateTime.isGreaterThan(createdAt, opens)).length,
    /** When those of the window were accepted, the oldest first. */
    acceptedAt: jobs
      .map(({ createdAt }) => createdAt)
      .filter((at) => DateTime.isGreaterThan(at, opens))
      .sort(DateTime.Order)
  }
}

/** Rows are purged 90 days after their job's end, and never before. */
const forgetPurged = (state: MemoryState["Service"], ledger: Ledger, now: DateTime.Utc) => {
  for (const [id, job] of ledger.jobs) {
    if (state.jobs.has(id)) continue
    const isEnded = job._tag === "SucceededJob" || job._tag === "FailedJob"
    const isDue = isEnded && DateTime.isLessThanOrEqualTo(DateTime.add(job.completedAt, { days: 90 }), now)
    insist(isDue, `a ${job._tag} was lost`, job)
    ledger.jobs.delete(id)
    for (const [key, made] of ledger.keys) if (made === id) ledger.keys.delete(key)
  }
}

/** What must be so at every moment at which nothing is in the middle of a step. */
export const checkInvariants = Effect.fnUntraced(function* (ledger: Ledger) {
  const state = yield* MemoryState
  const bytes = new Set(yield* blobKeys)
  forgetPurged(state, ledger, yield* DateTime.now)
  insist(state.jobs.size === ledger.jobs.size, `${ledger.jobs.size} jobs were committed, ${state.jobs.size} are there`)
  const outputs = new Map<string, Array<string>>()
  for (const { deletedAt, isRemoved, media } of state.media.values()) {
    const before = ledger.keeps.get(media.id)
    ledger.keeps.set(media.id, media.keepUntil)
    insist(
      before === undefined || DateTime.isLessThanOrEqualTo(before, media.keepUntil),
      "a file is kept for less long than was said",
      media
    )
    if (media._tag === "PendingMedia") continue
    insist(media.blobKey.startsWith(`${media.workspaceId}/`), "bytes lie in another workspace", media)
    if (deletedAt === undefined) insist(bytes.has(media.blobKey), "a record has lost its bytes", media)
    if (isRemoved) insist(!bytes.has(media.blobKey), "bytes that were confirmed gone are there", media)
    if (Option.isSome(media.jobId))
      outputs.set(media.jobId.value, [...(outputs.get(media.jobId.value) ?? []), media.id])
  }
  for (const [id, { job }] of state.jobs) {
    const before = ledger.jobs.get(id)
    if (before === undefined) return insist(false, "a job is there that nobody submitted", job)
    insistForward(before, job)
    ledger.jobs.set(id, job)
    const made = outputs.get(id) ?? []
    if (job._tag === "SucceededJob") {
      // The record of a deleted output is purged before its job's row.
      const isPurged = made.length === 0 && !state.media.has(job.outputMediaId)
      insist(
        isPurged || (made.length === 1 && made[0] === job.outputMediaId),
        `${made.length} outputs of a success`,
        job
      )
    } else {
      insist(made.length === 0, `a ${job._tag} has an output`, job)
    }
    const input = state.media.get(job.task.gifMediaId)
    if (isActive(job))
      insist(input !== undefined && input.deletedAt === undefined, "an active job's input was deleted", job)
    insist(
      input === undefined || input.media.workspaceId === job.workspaceId,
      "a job reads another workspace's file",
      job
    )
  }
})

/** What must be so once everything is quiet and a day has been swept. */
export const checkSwept = Effect.gen(function* () {
  const state = yield* MemoryState
  const kept = Array.from(state.media.values()).flatMap(({ deletedAt, media }) =>
    media._tag === "ReadyMedia" && deletedAt === undefined ? [media.blobKey] : []
  )
  const there = (yield* blobKeys).toSorted()
  insist(JSON.stringify(kept.toSorted()) === JSON.stringify(there), `${there.length} files, ${kept.length} records`)
})
