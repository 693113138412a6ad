import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { Connectors } from "../connectors/Connectors.ts"
import type { Unreadable } from "../connectors/InboundActivity.ts"
import { toBase32 } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/LeaseClock.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { claimLoop } from "./claimLoop.ts"
import { DeliveryLeaseLost } from "./InboxErrors.ts"
import { Ingest, type IngestReport } from "./Ingest.ts"
import * as inboxMetrics from "./inboxMetrics.ts"
import { makeIngestTogether } from "./ingestTogether.ts"
import { makeLanes } from "./lanes.ts"
import { type DeliveryClaim, type DeliveryOutcome, WebhookDeliveries } from "./WebhookDeliveries.ts"

export interface WebhookWorkerOptions {
  /** Deliveries that this process holds at once; of those, the ones of a busy account wait for each other. */
  readonly atOnce: number
  /** What it ingests at once, so that requests find connections too. */
  readonly ingestsAtOnce: number
  /** How long a delivery stays with a worker that is not heard of; a third of it is the heartbeat. */
  readonly lease: Duration.Input
  /** The net under the words of arrival: how often an idle worker looks by itself. */
  readonly pollEvery: Duration.Input
  /** How long the thread of an item is asked for before its parent's id is its key (social-networks.md §5). */
  readonly patience: Duration.Input
  /** A delivery whose units fail by a bug in its claim of this number is kept as failed. */
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

/** Bodies that are claimed together, and bytes of those that are held, before no more are taken. */
const claimAtOnce = 32
const maxHeld_bytes = 32 * 1024 * 1024

/** From the first retry on: 1 s, 2 s, 4 s … at most 30 s. */
const retryAfter = (attempts: number): Duration.Duration => Duration.seconds(Math.min(2 ** Math.min(attempts, 5), 30))

/** Sentences of what could not be read, short enough for a row. */
const reasonOf = (unreadable: ReadonlyArray<Unreadable>, failures: ReadonlyArray<string>): string =>
  [
    ...unreadable.slice(0, 10).map(({ path, reason }) => (path === "" ? reason : `${path}: ${reason}`)),
    ...(unreadable.length > 10 ? [`and ${unreadable.length - 10} more`] : []),
    ...new Set(failures)
  ].join("; ")

/**
 * Ingests stored deliveries as long as its scope lives (design §5).
 *
 * A worker that dies loses nothing: its deliveries are claimed again when their leases end, and what it had stored of
 * them changes nothing the second time.
 */
export const layer = (
  given: Partial<WebhookWorkerOptions> = {}
): Layer.Layer<never, never, WebhookDeliveries | Ingest | Connectors | SecureRandom> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: WebhookWorkerOptions) {
  const deliveries = yield* WebhookDeliveries
  const random = yield* SecureRandom
  const leaseNow = yield* LeaseClock
  const runOne = yield* makeRun(options)
  let held_bytes = 0
  const claim = Effect.fnUntraced(
    function* (limit: number) {
      if (held_bytes >= maxHeld_bytes) return []
      const now = yield* leaseNow
      const claims = yield* deliveries.claim({
        limit,
        token: toBase32(yield* random.randomBytes(16)),
        leaseNow: now,
        leaseUntil: DateTime.addDuration(now, options.lease)
      })
      for (const { delivery } of claims) held_bytes += delivery.body.length
      return claims
    },
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(Effect.logWarning("the webhook worker waits for its store", error), [])
    )
  )
  const run = (held: DeliveryClaim) =>
    Effect.ensuring(
      runOne(held),
      Effect.sync(() => {
        held_bytes -= held.delivery.body.length
      })
    )
  yield* claimLoop({ ...options, claimAtOnce, claim, run, wakeUps: deliveries.arrivals })
})

/** Works on one claimed delivery until it is settled; never fails. */
const makeRun = Effect.fnUntraced(function* (options: WebhookWorkerOptions) {
  const deliveries = yield* WebhookDeliveries
  const ingestTogether = yield* makeIngestTogether(yield* Ingest, options.ingestsAtOnce)
  const connectors = yield* Connectors
  const leaseNow = yield* LeaseClock

  /** Ends deliveries by ones, and as many together as have come while two transactions were under way. */
  const complete = yield* makeLanes<DeliveryClaim, void, DeliveryLeaseLost | StoreUnavailable>({
    inLane: 2,
    batchWeight: options.atOnce,
    weightOf: () => 1,
    run: Effect.fnUntraced(function* (claims) {
      const exit = yield* Effect.exit(deliveries.complete(claims, yield* DateTime.now))
      if (Exit.isFailure(exit)) return claims.map(() => exit)
      return claims.map(({ delivery: { id } }) =>
        exit.value.has(id) ? Exit.fail(new DeliveryLeaseLost({ deliveryId: id })) : Exit.void
      )
    })
  })

  const later = (attempts: number) =>
    Effect.map(leaseNow, (now): DeliveryOutcome => ({
      _tag: "Waiting",
      until: DateTime.addDuration(now, retryAfter(attempts))
    }))

  const every = Duration.millis(Duration.toMillis(Duration.fromInputUnsafe(options.lease)) / 3)

  /** Prolongs the lease until it is lost. */
  const heartbeat = (claim: DeliveryClaim) =>
    leaseNow.pipe(
      Effect.flatMap((now) => deliveries.renew(claim, DateTime.addDuration(now, options.lease))),
      // The lease may outlive a store that is away for a moment; if not, the next beat finds it lost.
      Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("a delivery's lease was not prolonged", error)),
      Effect.delay(every),
      Effect.forever
    )

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
    const { activities, ignored, unreadable } = connectors.normalise[endpoint]({ body, arrivedAt })
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
    yield* Metric.update(inboxMetrics.webhookLag, lag_ms / 1e3)
    return outcome
  })

  return Effect.fn("WebhookWorker.run")(
    function* (claim: DeliveryClaim) {
      const handBack = Effect.flatMap(leaseNow, (until) =>
        Effect.flatMap(DateTime.now, (at) => deliveries.settle(claim, { _tag: "Waiting", until }, at))
      )
      const outcome = yield* Effect.raceFirst(attempt(claim), heartbeat(claim)).pipe(
        // A shutdown: another worker has it at once.
        Effect.onInterrupt(() => Effect.ignore(handBack)),
        Effect.catchTag("StoreUnavailable", (error) =>
          Effect.andThen(Effect.logWarning("a delivery waits for its store", error), later(claim.attempts))
        ),
        // A connector that dies on a body must not stop the worker, nor be asked for ever.
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
      yield* Metric.update(Metric.withAttributes(inboxMetrics.deliveries, { outcome: outcome._tag.toLowerCase() }), 1)
      if (outcome._tag === "Failed") yield* Effect.logWarning("a delivery was kept as failed", outcome.reason)
    },
    Effect.catchTags({
      DeliveryLeaseLost: () => Effect.logDebug("a delivery's lease was lost"),
      StoreUnavailable: (error) => Effect.logWarning("a delivery was not settled; its lease will end", error)
    }),
    (effect, claim) =>
      Effect.annotateLogs(effect, { delivery_id: claim.delivery.id, endpoint: claim.delivery.endpoint })
  )
})
