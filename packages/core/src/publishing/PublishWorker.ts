import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import { inTraceOf } from "../kernel/recordTrace.ts"
import type { AccountTokens } from "../accounts/AccountTokens.ts"
import { claimLoop } from "../kernel/lease/claimLoop.ts"
import { whileLeased } from "../kernel/lease/whileLeased.ts"
import type { MediaLibrary } from "../media/MediaLibrary.ts"
import type { MediaLinks } from "../media/MediaLinks.ts"
import type { Connectors } from "../networks/Connectors.ts"
import { Networks } from "../networks/Networks.ts"
import type { Network } from "../networks/Source.ts"
import type { PostTarget } from "../posts/PostTarget.ts"
import { PostStore, type TargetClaim } from "../posts/PostStore.ts"
import { begin } from "../posts/transitions.ts"
import { followPublished } from "./followPublished.ts"
import { lookForTarget } from "./lookForTarget.ts"
import * as publishMetrics from "./publishMetrics.ts"
import { makePublishPorts, type PublishPorts } from "./publishPorts.ts"
import { publishTarget } from "./publishTarget.ts"

export interface PublishWorkerOptions {
  /** Concurrent targets per network, so that a slow network does not block the others. */
  readonly atOnce: number
  /** Lease of a claim; the heartbeat is a third of it. */
  readonly lease: Duration.Input
  /** Poll interval of an idle worker. */
  readonly pollEvery: Duration.Input
  /** Time limit of one call at a network, including a token renewal. */
  readonly callLimit: Duration.Input
  /** Time limit of one step of a preparation, in which a file may be sent. */
  readonly stepLimit: Duration.Input
  /** How long running work may continue after the scope closes. */
  readonly drain: Duration.Input
}

export const defaultOptions: PublishWorkerOptions = {
  atOnce: 16,
  lease: "15 seconds",
  pollEvery: "1 second",
  callLimit: "40 seconds",
  stepLimit: "5 minutes",
  drain: "25 seconds"
}

/**
 * Publishes the targets of posts when they are due, each at most once, and looks for those of unknown outcome, until
 * its scope closes (design §6, api-2.md §12).
 *
 * When the scope closes, a call that publishes is finished, so that its outcome is known.
 */
export const layer = (
  given: Partial<PublishWorkerOptions> = {}
): Layer.Layer<never, never, PostStore | AccountTokens | MediaLibrary | MediaLinks | Connectors | SecureRandom> =>
  Layer.effectDiscard(work({ ...defaultOptions, ...given }))

const work = Effect.fnUntraced(function* (options: PublishWorkerOptions) {
  const lease = Duration.fromInputUnsafe(options.lease)
  const ports = yield* makePublishPorts(lease, { call: options.callLimit, step: options.stepLimit })
  const { networks } = yield* Networks
  const run = makeRun(ports, lease)
  // With 0 from the start: what begins at 6 has not risen, and an alarm misses it.
  yield* Metric.update(publishMetrics.lostLeases, 0)
  yield* Effect.forEach(networks, (network) => Effect.annotateLogs(serve(network, options, run), { network }), {
    discard: true
  })
})

const serve = Effect.fnUntraced(function* (
  network: Network,
  options: PublishWorkerOptions,
  run: (claim: TargetClaim) => Effect.Effect<void>
) {
  const store = yield* PostStore
  yield* claimLoop({
    ...options,
    loop: "posts.claim",
    claim: (request) => Effect.flatMap(DateTime.now, (now) => store.claim({ ...request, networks: [network], now })),
    run,
    wakeUps: { loop: "posts.wakeUps", hints: store.wakeUps }
  })
})

/** Whether a worker has anything to do besides storing the new state. */
const isWork = ({ state }: PostTarget): boolean =>
  state._tag === "Preparing" || state._tag === "OutcomeUnknown" || state._tag === "Published"

/** Processes one claimed target; never fails. */
const makeRun = (ports: PublishPorts, lease: Duration.Duration) => {
  const go = Effect.fnUntraced(function* (claim: TargetClaim) {
    // Commits the state after the claim, before anything is sent.
    const target = yield* ports.change(claim, begin, isWork)
    switch (target.state._tag) {
      case "Preparing":
        return yield* publishTarget(ports, claim, target)
      case "OutcomeUnknown":
        return yield* lookIfDue(claim, target)
      case "Published":
        return yield* followPublished(ports, claim, target)
      default:
        return
    }
  })

  /** A crash has just become an unknown outcome: its first look comes later. */
  const lookIfDue = (claim: TargetClaim, target: PostTarget) =>
    claim.target.state._tag === "Publishing"
      ? ports.change(
          claim,
          (current) => current,
          () => false
        )
      : lookForTarget(ports, claim, target)

  return Effect.fn("PublishWorker.run")(
    (claim: TargetClaim) =>
      whileLeased(go(claim), {
        lease,
        // A publishing continues after a lost lease; the store decides who may settle it.
        renew: (until) => Effect.catchTag(ports.store.renew(claim, until), "LeaseLost", () => Effect.never),
        release: () => Effect.void
      }),
    Effect.catchTags({
      LeaseLost: () => Metric.update(publishMetrics.lostLeases, 1),
      StoreUnavailable: (error) => Effect.logError("a target was not settled; its lease will end", error)
    }),
    Effect.uninterruptible,
    (effect, { post }) => inTraceOf(post.id, "post.publish")(effect),
    (effect, { post, target }) =>
      Effect.annotateLogs(effect, { post_id: post.id, target_id: target.id, workspace_id: post.workspaceId })
  )
}
