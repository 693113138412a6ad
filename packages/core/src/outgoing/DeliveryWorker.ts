import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { CredentialVault } from "../accounts/CredentialVault.ts"
import type { ConversionStore } from "../conversions/ConversionStore.ts"
import { InboxEvents } from "../feed/InboxEvents.ts"
import type { WorkspaceId } from "../kernel/Ids.ts"
import { claimLoop } from "../kernel/lease/claimLoop.ts"
import { faults as loopFaults, supervised, supervisedStream } from "../kernel/lease/supervised.ts"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import type { OverlayStore } from "../overlays/OverlayStore.ts"
import type { Workspaces } from "../workspaces/Workspaces.ts"
import { type LaggingWorkspace, type OutgoingClaim, OutgoingQueue } from "./OutgoingQueue.ts"
import { firstBatch } from "./lanes/LaneRun.ts"
import { makeServeLane } from "./lanes/serveLane.ts"
import { makePutOffs } from "./putOffs.ts"
import type { WebhookSender } from "./WebhookSender.ts"
import { makeWriteDeliveries } from "./writeDeliveries.ts"

export interface DeliveryWorkerOptions {
  /** Attempts at a time in this process, of all endpoints. */
  readonly atOnce: number
  /** Lease of a claim; the heartbeat is a third of it. */
  readonly lease: Duration.Input
  /** How often an idle worker looks for work, in case a wake-up is lost; and how late a retry may be. */
  readonly pollEvery: Duration.Input
  /** How long running attempts may continue after the scope closes. */
  readonly drain: Duration.Input
}

export const defaultOptions: DeliveryWorkerOptions = {
  atOnce: 256,
  lease: "15 seconds",
  pollEvery: "1 second",
  drain: "20 seconds"
}

/** Endpoints that one process serves at a time, and from how many on each has a turn only. */
const lanesAtOnce = 512
const crowdedFrom = (lanesAtOnce * 3) / 4

/** Endpoints of one claim: few, so that others that wait as well find some. */
const lanesOfClaim = 32

/** How often all workspaces with endpoints are looked at, in case a wake-up was lost; with very many of them more rarely. */
const lookAround_ms = { least: 5_000, most: 30_000 }
/** The pause after such a look, in times of what it took: the more workspaces there are, the longer it takes. */
const pauseOfLook = 100

/** Workspaces whose deliveries are written in one turn. */
const workspacesAtOnce = 100

/**
 * Writes deliveries from the event log and brings them to their endpoints, until its scope closes (api-2.md §15).
 *
 * A process that dies leaves nothing out: the position of a workspace moves with its deliveries in one transaction, and a
 * claimed delivery is claimed again when its lease ends. What was sent and not settled is sent again with the same id.
 */
export const layer = (
  given: Partial<DeliveryWorkerOptions> = {}
): Layer.Layer<
  never,
  never,
  | OutgoingQueue
  | InboxEvents
  | Workspaces
  | SocialAccounts
  | ConversionStore
  | OverlayStore
  | WebhookSender
  | CredentialVault
  | SecureRandom
> => Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: DeliveryWorkerOptions) {
  yield* write(options)
  const queue = yield* OutgoingQueue
  const run = yield* makeRun(options)
  yield* claimLoop({
    ...options,
    atOnce: lanesAtOnce,
    loop: "endpoints.claim",
    claimAtOnce: lanesOfClaim,
    // What is left of a lane that is given back is told of as an addition.
    endsLetOthers: false,
    claim: (request) => Effect.flatMap(DateTime.now, (now) => queue.claim({ ...request, now, perLane: firstBatch })),
    run,
    wakeUps: { loop: "endpoints.wakeUps", hints: queue.additions }
  })
})

/** Serves a claimed lane and gives it back; never fails. */
const makeRun = Effect.fnUntraced(function* ({ atOnce, lease }: DeliveryWorkerOptions) {
  const queue = yield* OutgoingQueue
  let served = 0
  const serve = yield* makeServeLane({ atOnce, isCrowded: () => served >= crowdedFrom })
  return Effect.fnUntraced(function* (claim: OutgoingClaim) {
    const { lane } = claim
    served += 1
    yield* whileLeased(serve(claim), {
      lease,
      renew: (until) => queue.renew(lane, until),
      release: (now) => queue.release(lane, now)
    }).pipe(
      Effect.catchTag("LeaseLost", () =>
        Effect.logDebug("another worker has this endpoint's queue, or it is disabled")
      ),
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.logWarning("an endpoint's queue was not given back; its lease will end", error)
      ),
      Effect.ensuring(
        Effect.sync(() => {
          served -= 1
        })
      ),
      Effect.annotateLogs({ endpoint_id: lane.endpointId })
    )
  })
})

/**
 * Writes the deliveries of workspaces, each for itself: one that meets a defect, such as an endpoint of a newer version, or whose
 * next event is left to a newer version, is put off, and its position stays where it is.
 */
const makeWriteApart = Effect.gen(function* () {
  const { writeWorkspace } = yield* makeWriteDeliveries
  const putOffs = yield* makePutOffs
  const isDue = ({ workspaceId }: LaggingWorkspace): boolean => putOffs.isDue(workspaceId)
  const write = (lagging: LaggingWorkspace) =>
    Effect.matchCauseEffect(writeWorkspace(lagging), {
      onSuccess: (end) =>
        Effect.sync(() => (end === "left" ? putOffs.putOff(lagging.workspaceId) : putOffs.clear(lagging.workspaceId))),
      onFailure: (cause) => {
        if (!Cause.hasDies(cause)) return Effect.failCause(cause)
        const pause = putOffs.putOff(lagging.workspaceId)
        return Effect.andThen(
          Metric.update(Metric.withAttributes(loopFaults, { loop: "endpoints.write", kind: "defect" }), 1),
          Effect.annotateLogs(Effect.logError("deliveries of a workspace could not be written", cause), {
            workspace_id: lagging.workspaceId,
            retry_after_ms: Duration.toMillis(pause)
          })
        )
      }
    })
  return { isDue, write }
})

/** Follows the log: what is said to have changed at once, and all workspaces by the clock, in case that was lost. */
const write = Effect.fnUntraced(function* ({ pollEvery }: DeliveryWorkerOptions) {
  const queue = yield* OutgoingQueue
  const events = yield* InboxEvents
  const clock = yield* Clock.Clock
  const { isDue, write: writeApart } = yield* makeWriteApart
  const woken = yield* Queue.sliding<void>(1)
  const changed = new Set<WorkspaceId>()
  let looksAt = 0
  yield* supervisedStream("endpoints.changes", events.changes, (workspaceId) => {
    changed.add(workspaceId)
    return Queue.offer(woken, undefined)
  })
  const look = Effect.fnUntraced(function* () {
    if (clock.currentTimeMillisUnsafe() < looksAt) {
      const some = Array.from(changed).slice(0, workspacesAtOnce)
      for (const id of some) changed.delete(id)
      return some.length === 0 ? [] : (yield* queue.lagging(workspacesAtOnce, Option.some(some))).filter(isDue)
    }
    changed.clear()
    const [took, found] = yield* Effect.timed(queue.lagging(workspacesAtOnce, Option.none()))
    const lagging = found.filter(isDue)
    if (found.length < workspacesAtOnce || lagging.length === 0) {
      const { least, most } = lookAround_ms
      looksAt = clock.currentTimeMillisUnsafe() + Math.min(most, Math.max(least, Duration.toMillis(took) * pauseOfLook))
    }
    return lagging
  })
  const turn = Effect.gen(function* () {
    yield* Effect.forEach(yield* look(), writeApart, { concurrency: 4, discard: true })
    if (changed.size === 0 && clock.currentTimeMillisUnsafe() < looksAt) {
      yield* Effect.timeoutOption(Queue.take(woken), pollEvery)
    }
  }).pipe(
    // What was taken of the changes and not written is found by looking at all.
    Effect.onError(() =>
      Effect.sync(() => {
        looksAt = 0
      })
    )
  )
  yield* supervised("endpoints.write", turn)
})
