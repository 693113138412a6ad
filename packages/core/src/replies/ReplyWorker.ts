import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { inTraceOf } from "../kernel/recordTrace.ts"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import type { Connectors } from "../networks/Connectors.ts"
import type { MediaLinks } from "../media/MediaLinks.ts"
import type { MediaStore } from "../media/MediaStore.ts"
import { Networks } from "../networks/Networks.ts"
import type { Source } from "../networks/Source.ts"
import type { AccountTokens } from "../accounts/AccountTokens.ts"
import type { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { claimLoop } from "../kernel/lease/claimLoop.ts"
import type { Ingest } from "../inbox/Ingest.ts"
import type { IngestStore } from "../inbox/IngestStore.ts"
import { attemptReply } from "./attemptReply.ts"
import { lookForReply } from "./lookForReply.ts"
import type { OutboundOperation } from "../outbound/OutboundOperation.ts"
import * as outboundMetrics from "../outbound/outboundMetrics.ts"
import { type OperationClaim, OutboundStore } from "../outbound/OutboundStore.ts"
import { makeReplyPorts, type ReplyPorts } from "./replyPorts.ts"
import { storeReply } from "./storeReply.ts"
import { begin } from "../outbound/transitions.ts"

export interface ReplyWorkerOptions {
  /** Concurrent replies per network, so that a slow network does not block the others. */
  readonly atOnce: number
  /** Lease of a claim; the heartbeat is a third of it. */
  readonly lease: Duration.Input
  /** Poll interval of an idle worker. */
  readonly pollEvery: Duration.Input
  /** Time limit of one step at a network, including a token renewal. The connector's own time limits are shorter. */
  readonly stepLimit: Duration.Input
}

export const defaultOptions: ReplyWorkerOptions = {
  atOnce: 16,
  lease: "15 seconds",
  pollEvery: "1 second",
  stepLimit: "40 seconds"
}

/**
 * Sends replies, looks up unknown outcomes, and stores sent replies as items, until its scope closes (design §6).
 *
 * When the scope closes, a reply that is being sent is finished, so that its outcome is known.
 */
export const layer = (
  given: Partial<ReplyWorkerOptions> = {}
): Layer.Layer<
  never,
  never,
  | OutboundStore
  | AccountTokens
  | SocialAccounts
  | Connectors
  | Ingest
  | IngestStore
  | MediaStore
  | MediaLinks
  | SecureRandom
> => Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: ReplyWorkerOptions) {
  const lease = Duration.fromInputUnsafe(options.lease)
  const ports = yield* makeReplyPorts(lease)
  const run = makeRun(ports, options, lease)
  const networks = yield* Networks
  // With 0 from the start: what begins at 6 has not risen, and an alarm misses it.
  yield* Metric.update(outboundMetrics.lostLeases, 0)
  yield* Effect.forEach(
    networks.networks,
    (network) => Effect.annotateLogs(serve(networks.sourcesOf(network), options, run), { network }),
    { discard: true }
  )
})

const serve = Effect.fnUntraced(function* (
  sources: ReadonlyArray<Source>,
  options: ReplyWorkerOptions,
  run: (claim: OperationClaim) => Effect.Effect<void>
) {
  const store = yield* OutboundStore
  yield* claimLoop({
    ...options,
    loop: "replies.claim",
    claim: (request) => Effect.flatMap(DateTime.now, (now) => store.claim({ ...request, sources, now })),
    run,
    wakeUps: { loop: "replies.wakeUps", hints: store.wakeUps }
  })
})

/** Whether a worker has anything to do besides storing the new state. */
const isWork = ({ state }: OutboundOperation): boolean =>
  state._tag === "Sending" || state._tag === "OutcomeUnknown" || state._tag === "RemoteSucceeded"

/** Processes one claimed operation; never fails. */
const makeRun = (ports: ReplyPorts, { stepLimit }: ReplyWorkerOptions, lease: Duration.Duration) => {
  const limits = { step: stepLimit }

  /** Commits the state after the claim, before anything is sent. */
  const take = (claim: OperationClaim) =>
    ports.change(
      claim,
      (operation, now) =>
        // This worker has just started it, but the answer of the store was lost: nothing was sent yet.
        claim.operation.state._tag === "Waiting" && operation.state._tag === "Sending"
          ? operation
          : begin(operation, now),
      isWork
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
    (claim: OperationClaim) =>
      whileLeased(go(claim), {
        lease,
        // A send continues after a lost lease, so that its outcome is known; the store decides who may settle it.
        renew: (until) => Effect.catchTag(ports.store.renew(claim, until), "LeaseLost", () => Effect.never),
        release: () => Effect.void
      }),
    Effect.catchTags({
      LeaseLost: () => Metric.update(outboundMetrics.lostLeases, 1),
      StoreUnavailable: (error) => Effect.logError("a reply was not settled; its lease will end", error)
    }),
    Effect.uninterruptible,
    (effect, { operation }) => inTraceOf(operation.id, "reply.run")(effect),
    (effect, { operation }) =>
      Effect.annotateLogs(effect, { operation_id: operation.id, workspace_id: operation.workspaceId })
  )
}
