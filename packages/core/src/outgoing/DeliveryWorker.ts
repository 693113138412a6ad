import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { inTraceOf } from "../kernel/recordTrace.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { CredentialVault } from "../accounts/CredentialVault.ts"
import type { ConversionStore } from "../conversions/ConversionStore.ts"
import { InboxEvents } from "../feed/InboxEvents.ts"
import { claimLoop } from "../kernel/lease/claimLoop.ts"
import { supervised, supervisedStream } from "../kernel/lease/supervised.ts"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import type { OverlayStore } from "../overlays/OverlayStore.ts"
import type { Workspaces } from "../workspaces/Workspaces.ts"
import * as deliveryMetrics from "./deliveryMetrics.ts"
import { isDelivered, judgeAttempt } from "./judgeAttempt.ts"
import { typeOfEvent } from "./eventPatterns.ts"
import type { AttemptRecord, OutgoingDelivery } from "./OutgoingDelivery.ts"
import { type OutgoingClaim, OutgoingQueue } from "./OutgoingQueue.ts"
import { openSecrets } from "./sealSecret.ts"
import { WebhookSender } from "./WebhookSender.ts"
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
    loop: "endpoints.claim",
    claimAtOnce: 128,
    claim: (request) => Effect.flatMap(DateTime.now, (now) => queue.claim({ ...request, now })),
    run,
    wakeUps: { loop: "endpoints.wakeUps", hints: queue.additions }
  })
})

/** Follows the log: at once when something was committed, and by the clock. */
const write = Effect.fnUntraced(function* ({ pollEvery }: DeliveryWorkerOptions) {
  const queue = yield* OutgoingQueue
  const events = yield* InboxEvents
  const { writeWorkspace } = yield* makeWriteDeliveries
  const woken = yield* Queue.sliding<void>(1)
  yield* supervisedStream("endpoints.changes", events.changes, () => Queue.offer(woken, undefined))
  const turn = Effect.gen(function* () {
    const lagging = yield* queue.lagging(workspacesAtOnce)
    yield* Effect.forEach(lagging, writeWorkspace, { concurrency: 4, discard: true })
    if (lagging.length < workspacesAtOnce) {
      yield* Effect.timeoutOption(Queue.take(woken), pollEvery)
    }
  })
  yield* supervised("endpoints.write", turn)
})

/** Events that tell a managed user of the end: they are for whoever owned the account then. */
const isFarewell = ({ eventType }: OutgoingDelivery): boolean =>
  eventType === typeOfEvent.AccountMoved || eventType === typeOfEvent.AccountDisconnected

/** Makes one attempt of a claimed delivery and settles it; never fails. */
const makeRun = Effect.fnUntraced(function* (options: DeliveryWorkerOptions) {
  const queue = yield* OutgoingQueue
  const sender = yield* WebhookSender
  const vault = yield* CredentialVault
  const accounts = yield* SocialAccounts
  const lease = Duration.fromInputUnsafe(options.lease)

  const send = Effect.fnUntraced(function* ({ delivery, endpoint, secrets }: OutgoingClaim) {
    const opened = yield* openSecrets(endpoint, secrets, vault)
    return yield* sender.send({ endpoint, delivery, secrets: opened, at: yield* DateTime.now })
  })

  const settle = Effect.fnUntraced(function* (claim: OutgoingClaim, attempt: AttemptRecord) {
    const at = yield* DateTime.now
    if (isDelivered(attempt)) {
      const [result] = yield* queue.succeed([{ claim, attempt }], at)
      if (result !== undefined && Result.isFailure(result)) return yield* result.failure
      return
    }
    const random = yield* Random.next
    yield* queue.settle(
      claim,
      attempt,
      (endpoint) => judgeAttempt(endpoint, claim.delivery, attempt, { at, random }),
      at
    )
  })

  /** Whether a managed user's endpoint may still have it: the account may be another user's by now (api-2-decided B27). */
  const mayHave = Effect.fnUntraced(function* ({ delivery, endpoint }: OutgoingClaim) {
    if (Option.isNone(endpoint.externalUserId) || Option.isNone(delivery.accountId) || isFarewell(delivery)) return true
    const account = yield* accounts.findKept(delivery.workspaceId, delivery.accountId.value)
    const owner = Option.flatMap(account, ({ externalUserId }) => externalUserId)
    return Option.contains(owner, endpoint.externalUserId.value)
  })

  const ended = Effect.fnUntraced(function* (claim: OutgoingClaim, attempt: AttemptRecord) {
    const outcome = isDelivered(attempt)
      ? "delivered"
      : Option.getOrElse(attempt.error, () => String(Option.getOrElse(attempt.status, () => 0)))
    yield* Metric.update(Metric.withAttributes(deliveryMetrics.attempts, { outcome }), 1)
    yield* settle(claim, attempt)
  })

  const go = Effect.fnUntraced(function* (claim: OutgoingClaim) {
    const { delivery } = claim
    if (!(yield* mayHave(claim))) {
      yield* Metric.update(Metric.withAttributes(deliveryMetrics.attempts, { outcome: "canceled" }), 1)
      return yield* queue.cancel(claim, yield* DateTime.now)
    }
    if (delivery.attempts === 0) {
      const waited = DateTime.distance(delivery.createdAt, yield* DateTime.now)
      yield* Metric.update(deliveryMetrics.lag, Duration.toSeconds(waited))
    }
    // Once the answer is there, it is settled before a worker that stops hands the claim back: otherwise the write of a success,
    // which goes on when its caller is interrupted, races with the release, and what was delivered is sent again.
    yield* Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(send(claim)), (attempt) =>
        isDelivered(attempt) ? ended(claim, attempt) : restore(ended(claim, attempt))
      )
    )
  })

  return Effect.fn("DeliveryWorker.run")((claim: OutgoingClaim) =>
    whileLeased(go(claim), {
      lease,
      renew: (until) => queue.renew(claim, until),
      release: (now) => queue.release(claim, now)
    }).pipe(
      Effect.catchTag("LeaseLost", () => Effect.logDebug("another worker has this delivery")),
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.logWarning("an attempt could not be settled; it is made again when its lease ends", error)
      ),
      Effect.catchTag("CredentialsUnreadable", (error) =>
        Effect.logError("an endpoint's secret can't be opened; its delivery waits for the end of its lease", error)
      ),
      Effect.catchDefect((defect) => Effect.logError("an attempt met a defect; it is made again", defect)),
      inTraceOf(claim.delivery.id, "delivery.attempt"),
      Effect.annotateLogs({ delivery_id: claim.delivery.id, endpoint_id: claim.endpoint.id })
    )
  )
})
