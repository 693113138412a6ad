import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { AccountTokens, type OpenAccount } from "../accounts/AccountTokens.ts"
import { AccountUnusable } from "../accounts/AccountErrors.ts"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import type { StoreUnavailable } from "../kernel/StoreUnavailable.ts"
import { untilStored } from "../kernel/untilStored.ts"
import { MediaLibrary } from "../media/MediaLibrary.ts"
import { MediaLinks } from "../media/MediaLinks.ts"
import { Connectors, connectorTo } from "../networks/Connectors.ts"
import { Networks } from "../networks/Networks.ts"
import { OutcomeUnknown, Unavailable } from "../networks/ConnectorErrors.ts"
import type { NetworkPublish } from "../networks/publishing/NetworkPublish.ts"
import { mayUse } from "../posts/Post.ts"
import type { PostTarget } from "../posts/PostTarget.ts"
import { PostStore, type TargetClaim } from "../posts/PostStore.ts"
import { makeKnownQuotas } from "./knownQuotas.ts"
import * as publishMetrics from "./publishMetrics.ts"

export interface Limits {
  /** Time limit of a call at a network, including a token renewal. The connector's own time limits are shorter. */
  readonly call: Duration.Input
  /** Time limit of one step of a preparation: a file may be sent in it. */
  readonly step: Duration.Input
}

/** The worker's changes to a claimed target, each of which renews the lease. */
export const makePublishPorts = Effect.fnUntraced(function* (lease: Duration.Duration, limits: Limits) {
  const store = yield* PostStore
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const library = yield* MediaLibrary
  const links = yield* MediaLinks
  const leaseNow = yield* LeaseClock

  /** Changes the target. The lease is kept while the worker has more to do. */
  const change = Effect.fnUntraced(function* (
    claim: TargetClaim,
    next: (target: PostTarget, now: DateTime.Utc) => PostTarget,
    isHeld: (target: PostTarget) => boolean
  ) {
    let before: PostTarget | undefined
    // Computed for each attempt: with the time of the first one, a late attempt would write an expired lease.
    const write = Effect.gen(function* () {
      const now = yield* DateTime.now
      const until = DateTime.addDuration(yield* leaseNow, lease)
      return yield* store.settle(claim, (current) => {
        before = current
        const target = next(current, now)
        return { target, leaseUntil: isHeld(target) ? Option.some(until) : Option.none() }
      })
    })
    const target = yield* untilStored(write, lease)
    if (before?.state._tag !== target.state._tag) yield* publishMetrics.note(target)
    return target
  })

  const unavailable = (target: PostTarget, detail: string) =>
    new Unavailable({
      network: publishMetrics.networkOf(target),
      networkCode: Option.none(),
      detail,
      reason: "upstream"
    })

  /** The store is only read before the network is called, so nothing was published. */
  const storeAway = (target: PostTarget) => (error: StoreUnavailable) =>
    Effect.andThen(
      Effect.logWarning("a post could not be published: the store is away", error),
      Effect.fail(unavailable(target, "the store is away"))
    )

  const { traitsOf } = yield* Networks

  /** Opens the account, if it is still of whom the post is; asked anew before each thing that is done there. */
  const openOwn = ({ post, target }: TargetClaim): Effect.Effect<OpenAccount, AccountUnusable | StoreUnavailable> =>
    Effect.filterOrFail(
      tokens.open(target.workspaceId, target.accountId),
      ({ account }) => mayUse(post, account),
      () => new AccountUnusable({ accountId: target.accountId, reason: "other_owner" })
    )

  return {
    store,
    traitsOf,
    library,
    links,
    limits,
    quotas: makeKnownQuotas(),
    change,
    unavailable,
    storeAway,
    unknown: (target: PostTarget, detail: string) =>
      new OutcomeUnknown({ network: publishMetrics.networkOf(target), networkCode: Option.none(), detail }),
    connectorFor: (target: PostTarget) => connectorTo(connectors, publishMetrics.networkOf(target)),
    publishOf: (target: PostTarget): Option.Option<NetworkPublish> =>
      Option.fromUndefinedOr(connectorTo(connectors, publishMetrics.networkOf(target)).publish),
    openOwn,
    /** The same of a target, for which a store that is away is a failure like the network's: it is tried again. */
    open: (claim: TargetClaim): Effect.Effect<OpenAccount, AccountUnusable | Unavailable> =>
      Effect.catchTag(openOwn(claim), "StoreUnavailable", storeAway(claim.target))
  }
})

export type PublishPorts = Effect.Success<ReturnType<typeof makePublishPorts>>
