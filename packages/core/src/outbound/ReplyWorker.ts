import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { SecureRandom } from "effect/crypto/SecureRandom"
import type { Connectors } from "../connectors/Connectors.ts"
import { type Network, networks, sourcesOf } from "../connectors/Source.ts"
import type { AccountTokens } from "../inbox/AccountTokens.ts"
import { claimLoop } from "../inbox/claimLoop.ts"
import type { Ingest } from "../inbox/Ingest.ts"
import { toBase32 } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/LeaseClock.ts"
import { attemptReply } from "./attemptReply.ts"
import { lookForReply } from "./lookForReply.ts"
import type { OutboundOperation } from "./OutboundOperation.ts"
import * as outboundMetrics from "./outboundMetrics.ts"
import { type OperationClaim, OutboundStore } from "./OutboundStore.ts"
import { makeReplyPorts, type ReplyPorts } from "./replyPorts.ts"
import { storeReply } from "./storeReply.ts"
import { begin } from "./transitions.ts"

export interface ReplyWorkerOptions {
  /** Replies of one network that this process works on at once: one that hangs holds no other network up. */
  readonly atOnce: number
  /** How long a reply stays with a worker that is not heard of; a third of it is the heartbeat. */
  readonly lease: Duration.Input
  /** How often an idle worker looks by itself for what is due. */
  readonly pollEvery: Duration.Input
  /** For one step at a network, the renewal of a token included. The connector's own time limits are shorter. */
  readonly stepLimit: Duration.Input
}

export const defaultOptions: ReplyWorkerOptions = {
  atOnce: 16,
  lease: "15 seconds",
  pollEvery: "1 second",
  stepLimit: "40 seconds"
}

/**
 * Sends replies, looks for those whose outcome is not known, and stores what was sent, as long as its scope lives
 * (design §6).
 *
 * A reply that is being sent when the scope closes is sent to its end, so that its outcome is known.
 */
export const layer = (
  given: Partial<ReplyWorkerOptions> = {}
): Layer.Layer<never, never, OutboundStore | AccountTokens | Connectors | Ingest | SecureRandom> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: ReplyWorkerOptions) {
  const lease = Duration.fromInputUnsafe(options.lease)
  const ports = yield* makeReplyPorts(lease)
  const run = makeRun(ports, options, lease)
  yield* Effect.forEach(networks, (network) => serve(network, options, lease, run), { discard: true })
})

const serve = Effect.fnUntraced(function* (
  network: Network,
  options: ReplyWorkerOptions,
  lease: Duration.Duration,
  run: (claim: OperationClaim) => Effect.Effect<void>
) {
  const store = yield* OutboundStore
  const random = yield* SecureRandom
  const leaseNow = yield* LeaseClock
  const claim = Effect.fnUntraced(
    function* (limit: number) {
      const now = yield* leaseNow
      return yield* store.claim({
        sources: sourcesOf(network),
        limit,
        token: toBase32(yield* random.randomBytes(16)),
        now: yield* DateTime.now,
        leaseNow: now,
        leaseUntil: DateTime.addDuration(now, lease)
      })
    },
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.as(Effect.logWarning("the reply worker waits for its store", error), [])
    ),
    // A bug must not end the worker for good: it is logged, and the next look tries again.
    Effect.catchDefect((defect) => Effect.as(Effect.logError("the reply worker met a bug", defect), []))
  )
  yield* claimLoop({ ...options, claim, run, wakeUps: store.wakeUps })
})

/** Whether a worker has more to do with an operation than to take note of its state. */
const isWork = ({ state }: OutboundOperation): boolean =>
  state._tag === "Sending" || state._tag === "OutcomeUnknown" || state._tag === "RemoteSucceeded"

/** Works on one claimed operation; never fails. */
const makeRun = (ports: ReplyPorts, { stepLimit }: ReplyWorkerOptions, lease: Duration.Duration) => {
  const limits = { step: stepLimit }

  /** Commits what a claim makes of the operation, before anything goes out. */
  const take = (claim: OperationClaim) =>
    ports.change(
      claim,
      (operation, now) =>
        // What we have just begun ourselves, when the answer of the store was lost: nothing was sent yet.
        claim.operation.state._tag === "Waiting" && operation.state._tag === "Sending"
          ? operation
          : begin(operation, now),
      isWork
    )

  const heartbeat = (claim: OperationClaim) =>
    Effect.flatMap(ports.leaseEnd, (until) => ports.store.renew(claim, until)).pipe(
      // The lease may outlive a store that is away for a moment; if not, the next beat finds it lost.
      Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("a lease was not prolonged", error)),
      Effect.delay(Duration.divideUnsafe(lease, 3)),
      Effect.forever,
      Effect.catchTag("OperationLeaseLost", () => Effect.void)
    )

  const go = Effect.fnUntraced(function* (claim: OperationClaim) {
    const operation = yield* take(claim)
    switch (operation.state._tag) {
      case "Sending":
        return yield* attemptReply(ports, claim, operation, limits)
      case "OutcomeUnknown":
        return yield* lookForReply(ports, claim, operation, limits)
      case "RemoteSucceeded":
        return yield* storeReply(ports, claim, operation)
      default:
        return yield* outboundMetrics.note(operation)
    }
  })

  return Effect.fn("ReplyWorker.run")(
    function* (claim: OperationClaim) {
      const beating = yield* Effect.forkChild(Effect.interruptible(heartbeat(claim)))
      yield* Effect.ensuring(go(claim), Fiber.interrupt(beating))
    },
    Effect.catchTags({
      OperationLeaseLost: () => Metric.update(outboundMetrics.lostLeases, 1),
      StoreUnavailable: (error) => Effect.logError("a reply was not settled; its lease will end", error)
    }),
    Effect.catchDefect((defect) => Effect.logError("a reply met a bug; its lease will end", defect)),
    Effect.uninterruptible,
    (effect, { operation }) =>
      Effect.annotateLogs(effect, { operation_id: operation.id, workspace_id: operation.workspaceId })
  )
}
