import { DateTime, Effect, Equal, Layer, Option } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { ConversionJob } from "@loopbox/core/conversions/ConversionJob"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import type { MediaId } from "@loopbox/core/kernel/Ids"
import type { Plan } from "@loopbox/core/workspaces/Plan"
import { LeaseLaw } from "./LeaseLaw.ts"

/** Days for which the files of a job are kept, by the plan and by how it ended (§8.4). */
const days: Readonly<Record<Plan, readonly [succeeded: number, failed: number]>> = {
  free: [1, 2],
  api: [2, 4],
  basic: [4, 8],
  growth: [15, 30],
  team: [30, 60],
  enterprise: [30, 60]
}

const watch = (
  right: ConversionStore["Service"],
  law: LeaseLaw["Service"],
  { inbox, media, workspaces }: MemoryState["Service"]
) => {
  /** Its end is told once where an endpoint of its workspace names that, in the same transaction, and else nowhere. */
  const judgeTold = ({ id, workspaceId }: ConversionJob) => {
    const isAsked = Array.from(inbox.outgoing.endpoints.values()).some(
      ({ endpoint }) =>
        endpoint.workspaceId === workspaceId &&
        Option.exists(endpoint.events, (events) => events.includes("media.gif_conversion_ended"))
    )
    const told = Array.from(inbox.logs).flatMap(([of, { events }]) =>
      events.flatMap(({ event }) => (event._tag === "JobEnded" && event.jobId === id ? [of] : []))
    )
    if (told.join() !== (isAsked ? [workspaceId] : []).join())
      law.violations.push(`the end of ${id} is told ${told.length} times, and is${isAsked ? "" : " not"} asked for`)
  }
  /** A file of a job that has just ended, which others may keep for longer. */
  const judgeKept = (job: ConversionJob, id: MediaId, isExact: boolean) => {
    const plan = workspaces.get(job.workspaceId)?.plan
    const kept = media.get(id)?.media.keepUntil
    if (plan === undefined || kept === undefined || !("completedAt" in job)) return
    const until = DateTime.add(job.completedAt, { days: days[plan][job._tag === "SucceededJob" ? 0 : 1] })
    const isRight = isExact ? Equal.equals(kept, until) : DateTime.isGreaterThanOrEqualTo(kept, until)
    if (!isRight) law.violations.push(`${id} of ${job.id} is not kept for as long as its plan says`)
  }
  const kept = <A extends ConversionJob, E>(call: Effect.Effect<A, E>) =>
    Effect.tap(call, (job) =>
      Effect.sync(() => {
        judgeTold(job)
        if (job._tag === "SucceededJob") judgeKept(job, job.outputMediaId, true)
        judgeKept(job, job.task.gifMediaId, false)
      })
    )
  const ended = (id: string, token: string) =>
    Effect.sync(() => {
      law.take(id, token)
      law.endAskedAgain(id, token)
    })
  return ConversionStore.of({
    ...right,
    claim: (request) =>
      Effect.tap(right.claim(request), (outcome) =>
        Effect.sync(() => {
          if (outcome._tag === "Abandoned") {
            law.giveUp(outcome.job.id, request.maxAttempts)
            judgeTold(outcome.job)
          }
          if (outcome._tag !== "Claimed") return
          const { attempts, id } = outcome.claim.job
          law.claim(id, request)
          law.count(id, attempts - 1)
          if (attempts > request.maxAttempts) law.violations.push(`${id} was begun more often than it may be`)
        })
      ),
    renew: (claim, until, progress) =>
      Effect.tap(right.renew(claim, until, progress), () =>
        Effect.sync(() => law.take(claim.job.id, claim.token, until))
      ),
    release: (claim, now) =>
      Effect.tap(right.release(claim, now), () =>
        Effect.sync(() => {
          law.take(claim.job.id, claim.token)
          law.end(claim.job.id)
          law.uncount(claim.job.id)
        })
      ),
    succeed: (claim, ...of) => Effect.tap(kept(right.succeed(claim, ...of)), () => ended(claim.job.id, claim.token)),
    fail: (claim, ...of) => Effect.tap(kept(right.fail(claim, ...of)), () => ended(claim.job.id, claim.token)),
    cancel: (...of) => Effect.tap(kept(right.cancel(...of)), ({ id }) => Effect.sync(() => law.end(id)))
  })
}

/** The store of media jobs under the law of leases. */
export const watchJobs = Layer.effect(
  ConversionStore,
  Effect.gen(function* () {
    return watch(yield* ConversionStore, yield* LeaseLaw, yield* MemoryState)
  })
)
