import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Result from "effect/Result"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { LeaseLost } from "../kernel/lease/LeaseLost.ts"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import { Connectors, normaliserOf } from "../networks/Connectors.ts"
import type { Unreadable } from "../networks/InboundActivity.ts"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { claimLoop, type LeaseRequest } from "../kernel/lease/claimLoop.ts"
import { Ingest, type IngestReport } from "../inbox/Ingest.ts"
import * as inboxMetrics from "../inbox/inboxMetrics.ts"
import * as webhookMetrics from "./webhookMetrics.ts"
import { makeIngestTogether } from "./ingestTogether.ts"
import { makeLanes } from "./lanes.ts"
import { type DeliveryClaim, type DeliveryOutcome, WebhookDeliveries } from "./WebhookDeliveries.ts"

export interface WebhookWorkerOptions {
  /** Maximum number of claimed deliveries in this process; those of a busy account wait for each other. */
  readonly atOnce: number
  /** Concurrent ingests, limited so that database connections remain for requests. */
  readonly ingestsAtOnce: number
  /** Lease of a delivery; the heartbeat is a third of it. */
  readonly lease: Duration.Input
  /** Fallback poll interval of an idle worker, in case a notification is lost. */
  readonly pollEvery: Duration.Input
  /** How long to look up the thread of an item before its parent's id becomes the key (social-networks.md §5). */
  readonly patience: Duration.Input
  /** A delivery that meets a defect in this attempt is kept as failed. */
  readonly maxAttempts: number
}

export const defaultOptions: WebhookWorkerOptions = {
  atOnce: 256,
  ingestsAtOnce: 8,
  lease: "15 seconds",
  pollEvery: "1 second",
  patience: "10 minutes",
  maxAttempts: 5
}

/** Largest batch of one claim, and most bytes of claimed bodies. */
const claimAtOnce = 32
const maxHeld_bytes = 32 * 1024 * 1024

/** Pause before a retry: 1 s, 2 s, 4 s … at most 30 s. */
const retryAfter = (attempts: number): Duration.Duration => Duration.seconds(Math.min(2 ** Math.min(attempts, 5), 30))

/** The reasons of a failed delivery as text, short enough for a row. */
const reasonOf = (unreadable: ReadonlyArray<Unreadable>, failures: ReadonlyArray<string>): string =>
  [
    ...unreadable.slice(0, 10).map(({ path, reason }) => (path === "" ? reason : `${path}: ${reason}`)),
    ...(unreadable.length > 10 ? [`and ${unreadable.length - 10} more`] : []),
    ...new Set(failures)
  ].join("; ")

/**
 * Ingests stored deliveries until its scope closes (design §5).
 *
 * If a worker crashes, its deliveries are claimed again when their leases expire; storing the same units again changes
 * nothing.
 */
export const layer = (
  given: Partial<WebhookWorkerOptions> = {}
): Layer.Layer<never, never, WebhookDeliveries | Ingest | Connectors | SecureRandom> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: WebhookWorkerOptions) {
  const deliveries = yield* WebhookDeliveries
  const runOne = yield* makeRun(options)
  const endpoints = new Set(Object.keys((yield* Connectors).normalise))
  let held_bytes = 0
  let isFull = false
  const claim = Effect.fnUntraced(function* (request: LeaseRequest) {
    isFull = held_bytes >= maxHeld_bytes
    if (isFull) return []
    const claims = yield* deliveries.claim({ ...request, endpoints })
    for (const { delivery } of claims) held_bytes += delivery.body.length
    return claims
  })
  const run = (held: DeliveryClaim) =>
    Effect.ensuring(
      runOne(held),
      Effect.sync(() => {
        held_bytes -= held.delivery.body.length
      })
    )
  yield* claimLoop({
    ...options,
    loop: "webhooks.claim",
    claimAtOnce,
    claim,
    run,
    endsLetOthers: () => isFull,
    wakeUps: { loop: "webhooks.wakeUps", hints: deliveries.arrivals }
  })
})

/** Processes one claimed delivery until it is settled; never fails. */
const makeRun = Effect.fnUntraced(function* (options: WebhookWorkerOptions) {
  const deliveries = yield* WebhookDeliveries
  const ingestTogether = yield* makeIngestTogether(yield* Ingest, options.ingestsAtOnce)
  const connectors = yield* Connectors
  const leaseNow = yield* LeaseClock

  /** Settles deliveries in batches: those that finish while two transactions are running are settled together. */
  const complete = yield* makeLanes<DeliveryClaim, void, LeaseLost | StoreUnavailable>({
    inLane: 2,
    batchWeight: options.atOnce,
    weightOf: () => 1,
    run: Effect.fnUntraced(function* (claims) {
      const exit = yield* Effect.exit(deliveries.complete(claims, yield* DateTime.now))
      return Exit.isFailure(exit)
        ? claims.map(() => exit)
        : exit.value.map(Result.match({ onFailure: Exit.fail, onSuccess: () => Exit.void }))
    })
  })

  const later = (attempts: number) =>
    Effect.map(leaseNow, (now): DeliveryOutcome => ({
      _tag: "Waiting",
      until: DateTime.addDuration(now, retryAfter(attempts))
    }))

  const judge = Effect.fnUntraced(function* (
    { attempts }: DeliveryClaim,
    report: Pick<IngestReport, "waiting" | "failures">,
    unreadable: ReadonlyArray<Unreadable>
  ) {
    if (report.waiting > 0) return yield* later(attempts)
    if (report.failures.length > 0 && attempts + 1 < options.maxAttempts) return yield* later(attempts)
    const reason = reasonOf(unreadable, report.failures)
    const outcome: DeliveryOutcome = reason === "" ? { _tag: "Done" } : { _tag: "Failed", reason }
    return outcome
  })

  const attempt = Effect.fnUntraced(function* (claim: DeliveryClaim) {
    const { arrivedAt, body, endpoint, id } = claim.delivery
    const { activities, ignored, unreadable } = normaliserOf(connectors, endpoint)({ body, arrivedAt })
    const now = yield* DateTime.now
    const report = yield* ingestTogether({
      activities,
      deliveryId: id,
      isRetry: claim.attempts > 0,
      isLastTry: DateTime.isLessThanOrEqualTo(DateTime.addDuration(arrivedAt, options.patience), now)
    })
    const outcome = yield* judge(claim, report, unreadable)
    if (outcome._tag === "Waiting") return outcome
    for (const [kind, count] of ignored) {
      yield* Metric.update(Metric.withAttributes(inboxMetrics.ignored, { kind }), count)
    }
    const lag_ms = DateTime.toEpochMillis(yield* DateTime.now) - DateTime.toEpochMillis(arrivedAt)
    yield* Metric.update(webhookMetrics.webhookLag, lag_ms / 1e3)
    return outcome
  })

  return Effect.fn("WebhookWorker.run")(
    function* (claim: DeliveryClaim) {
      const outcome = yield* whileLeased(attempt(claim), {
        lease: options.lease,
        renew: (until) => deliveries.renew(claim, until),
        release: (now) => deliveries.release(claim, now)
      }).pipe(
        Effect.catchTag("StoreUnavailable", (error) =>
          Effect.andThen(Effect.logWarning("a delivery waits for its store", error), later(claim.attempts))
        ),
        // A connector that dies on a body must not stop the worker, and is not retried forever.
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logError("a delivery could not be ingested", defect),
            claim.attempts + 1 < options.maxAttempts
              ? later(claim.attempts)
              : Effect.succeed<DeliveryOutcome>({ _tag: "Failed", reason: "internal error" })
          )
        )
      )
      const settling =
        outcome._tag === "Done" ? complete("done", claim) : deliveries.settle(claim, outcome, yield* DateTime.now)
      yield* settling
      if (outcome._tag === "Waiting") return
      yield* Metric.update(Metric.withAttributes(webhookMetrics.deliveries, { outcome: outcome._tag.toLowerCase() }), 1)
      if (outcome._tag === "Failed") yield* Effect.logWarning("a delivery was kept as failed", outcome.reason)
    },
    Effect.catchTags({
      LeaseLost: () => Effect.logDebug("a delivery's lease was lost"),
      StoreUnavailable: (error) => Effect.logWarning("a delivery was not settled; its lease will end", error)
    }),
    (effect, claim) =>
      Effect.annotateLogs(effect, { delivery_id: claim.delivery.id, endpoint: claim.delivery.endpoint })
  )
})
