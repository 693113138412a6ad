import { DateTime, Effect, Layer, Option } from "effect"
import type { JobEntry, MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { ConversionFailureCode, ConversionTask } from "@loopbox/core/conversions/ConversionJob"
import { type ConversionClaim, ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { AdmissionFacts } from "@loopbox/core/quota/Admission"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { ReadyMedia } from "@loopbox/core/media/Media"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { type JobPorts, type PlantedBug, wrong } from "./PlantedBug.ts"

type State = MemoryState["Service"]
type Entry = JobEntry<ConversionTask, ConversionFailureCode>

/** Puts a job's row as a claim knows it, whatever has become of it. */
const overwrite = (state: State, { job, token }: ConversionClaim): void => {
  const entry = state.jobs.get(job.id)
  if (entry !== undefined) state.jobs.set(job.id, { ...entry, job, token })
}

/** Changes the row of what was claimed just now. */
const afterClaim = (change: (entry: Entry, before: Entry | undefined) => Entry) =>
  wrong(ConversionStore, (right, state) =>
    ConversionStore.of({
      ...right,
      claim: (request) =>
        Effect.suspend(() => {
          const before = new Map(state.jobs)
          return Effect.map(right.claim(request), (outcome) => {
            if (outcome._tag !== "Claimed") return outcome
            const entry = state.jobs.get(outcome.claim.job.id)
            if (entry === undefined) return outcome
            const changed = change(entry, before.get(entry.job.id))
            state.jobs.set(entry.job.id, changed)
            return changed.job._tag === "ProcessingJob"
              ? { ...outcome, claim: { ...outcome.claim, job: changed.job } }
              : outcome
          })
        })
    })
  )

export const jobBugs: ReadonlyArray<PlantedBug<JobPorts>> = [
  {
    name: "a job is settled by whoever once had it: no fencing",
    breaks: /a job went from SucceededJob back|a lease that was lost counted/,
    plant: wrong(ConversionStore, (right, state) =>
      ConversionStore.of({
        ...right,
        succeed: (claim, output, moment) => {
          overwrite(state, claim)
          return right.succeed(claim, output, moment)
        },
        fail: (claim, failure, moment) => {
          overwrite(state, claim)
          return right.fail(claim, failure, moment)
        }
      })
    )
  },
  {
    name: "the quota is read before the lock, as it was at the submit before",
    breaks: /more active jobs than the plan has/,
    plant: wrong(ConversionStore, (right) => {
      const read = new Map<string, AdmissionFacts>()
      return ConversionStore.of({
        ...right,
        submit: (made, judge) =>
          right.submit(made, (facts) => {
            const admission = read.get(made.workspaceId) ?? facts.admission
            read.set(made.workspaceId, facts.admission)
            return judge({ ...facts, admission })
          })
      })
    })
  },
  {
    name: "a submit does not look for its key in the transaction that stores the job",
    breaks: /a key made two jobs/,
    plant: wrong(ConversionStore, (right) =>
      ConversionStore.of({
        ...right,
        findByKey: () => Effect.succeedNone,
        submit: (made, judge) => right.submit({ ...made, idempotencyKey: Option.none() }, judge)
      })
    )
  },
  {
    name: "another attempt begins with no progress",
    breaks: /progress fell/,
    plant: afterClaim((entry) =>
      entry.job._tag === "ProcessingJob" ? { ...entry, job: { ...entry.job, progress: 0 } } : entry
    )
  },
  {
    name: "each attempt says anew when the job was started",
    breaks: /a job's start moved/,
    plant: wrong(ConversionStore, (right, state) =>
      ConversionStore.of({
        ...right,
        claim: (request) =>
          Effect.map(right.claim(request), (outcome) => {
            if (outcome._tag !== "Claimed") return outcome
            const job = { ...outcome.claim.job, startedAt: request.now }
            overwrite(state, { ...outcome.claim, job })
            return { ...outcome, claim: { ...outcome.claim, job } }
          })
      })
    )
  },
  {
    name: "an expired lease is never taken over",
    breaks: /a job never ended/,
    plant: wrong(ConversionStore, (right, state) =>
      ConversionStore.of({
        ...right,
        claim: (request) =>
          Effect.suspend(() => {
            const held = Array.from(state.jobs).filter(
              ([, { isReleased, job }]) => job._tag === "ProcessingJob" && !isReleased
            )
            for (const [id, entry] of held) state.jobs.set(id, { ...entry, claimableAt: request.leaseUntil })
            return right.claim(request)
          })
      })
    )
  },
  {
    name: "a file is deleted while a job reads it",
    breaks: /an active job's input was deleted/,
    plant: wrong(MediaStore, (right, state) =>
      MediaStore.of({
        ...right,
        remove: (workspaceId, id, at) =>
          Effect.suspend(() => {
            const entry = state.media.get(id)
            if (entry?.media.workspaceId !== workspaceId || entry.deletedAt !== undefined) {
              return right.remove(workspaceId, id, at)
            }
            state.media.set(id, { ...entry, deletedAt: at })
            return Effect.succeed(entry.media)
          })
      })
    )
  },
  {
    name: "retention does not ask whether a job still waits for the file",
    breaks: /an active job's input was deleted|has expired, and a job reads it/,
    plant: wrong(RetentionStore, (right, state) =>
      RetentionStore.of({
        ...right,
        expire: (now, limit) =>
          Effect.suspend(() => {
            for (const [id, entry] of state.media) {
              if (entry.deletedAt === undefined && entry.media.keepUntil.epochMilliseconds < now.epochMilliseconds) {
                state.media.set(id, { ...entry, deletedAt: now })
              }
            }
            return right.expire(now, limit)
          })
      })
    )
  },
  {
    name: "the rows of jobs are deleted after 30 days instead of 90",
    breaks: /a SucceededJob was lost|was removed before its time/,
    plant: wrong(RetentionStore, (right) =>
      RetentionStore.of({
        ...right,
        purgeRows: (now, limit) => right.purgeRows(DateTime.add(now, { days: 60 }), limit)
      })
    )
  },
  {
    name: "files expire a day before their time",
    breaks: /has expired before its time/,
    plant: wrong(RetentionStore, (right) =>
      RetentionStore.of({ ...right, expire: (now, limit) => right.expire(DateTime.add(now, { days: 1 }), limit) })
    )
  },
  {
    name: "files are kept for days after their time",
    breaks: /is kept for longer than its time/,
    plant: wrong(RetentionStore, (right) =>
      RetentionStore.of({ ...right, expire: (now, limit) => right.expire(DateTime.subtract(now, { days: 2 }), limit) })
    )
  },
  {
    name: "all bytes that are older than a day are taken for orphans",
    breaks: /a record has lost its bytes/,
    plant: wrong(RetentionStore, (right) => RetentionStore.of({ ...right, findOrphans: Effect.succeed }))
  },
  {
    name: "bytes that could not be removed are confirmed as removed",
    breaks: /bytes that were confirmed gone are there/,
    plant: wrong(BlobStore, (right) => BlobStore.of({ ...right, remove: () => Effect.void }))
  },
  {
    name: "a list of jobs does not ask for the workspace",
    breaks: /a list shows another workspace/,
    plant: wrong(ConversionStore, (right, state) =>
      ConversionStore.of({
        ...right,
        list: (workspaceId, status, page) =>
          Effect.map(right.list(workspaceId, status, page), (found) => ({
            ...found,
            items: Array.from(state.jobs.values(), ({ job }) => job)
          }))
      })
    )
  },
  {
    name: "a cancel finds the job by its id alone",
    breaks: /a cancel reached another workspace/,
    plant: wrong(ConversionStore, (right, state) =>
      ConversionStore.of({
        ...right,
        cancel: (workspaceId, id, failure, moment) =>
          right.cancel(state.jobs.get(id)?.job.workspaceId ?? workspaceId, id, failure, moment)
      })
    )
  },
  {
    name: "the output is stored, and its job ended in another transaction, which may not come",
    breaks: /a ProcessingJob has an output/,
    plant: Layer.unwrap(
      Effect.sync(() => {
        let ends = 0
        return wrong(ConversionStore, (right, state) =>
          ConversionStore.of({
            ...right,
            succeed: (claim, output, moment) =>
              Effect.suspend(() => {
                const before = state.jobs.get(claim.job.id)
                return Effect.tap(right.succeed(claim, output, moment), () =>
                  Effect.sync(() => {
                    ends += 1
                    if (ends % 3 === 0 && before !== undefined) state.jobs.set(claim.job.id, before)
                  })
                )
              })
          })
        )
      })
    )
  },
  {
    name: "an attempt that follows another is not counted",
    breaks: /says that it was begun/,
    plant: afterClaim((entry, before) => {
      if (entry.job._tag !== "ProcessingJob" || before?.job._tag !== "ProcessingJob") return entry
      return { ...entry, job: { ...entry.job, attempts: before.job.attempts } }
    })
  },
  {
    name: "a job that fails takes days from its file",
    breaks: /kept for less long than was said|is not kept for as long as its plan says/,
    plant: wrong(ConversionStore, (right, state) =>
      ConversionStore.of({
        ...right,
        fail: (claim, failure, at) =>
          Effect.tap(right.fail(claim, failure, at), ({ task }) =>
            Effect.sync(() => {
              const entry = state.media.get(task.gifMediaId)
              if (entry?.media._tag !== "ReadyMedia") return
              state.media.set(task.gifMediaId, { ...entry, media: new ReadyMedia({ ...entry.media, keepUntil: at }) })
            })
          )
      })
    )
  }
]
