import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { connectorOf, Connectors } from "../networks/Connectors.ts"
import { Networks } from "../networks/Networks.ts"
import type { PrivateReply } from "../networks/moderating/NetworkModerate.ts"
import type { Reply, ReplyMedia } from "../networks/Reply.ts"
import { AccountTokens } from "../accounts/AccountTokens.ts"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { PrivatelyAnswered } from "../items/acting/ownChange.ts"
import { Ingest } from "../inbox/Ingest.ts"
import { IngestStore } from "../inbox/IngestStore.ts"
import { nextInboxItemId } from "../kernel/Ids.ts"
import { LeaseClock } from "../kernel/lease/LeaseClock.ts"
import { MediaLinks } from "../media/MediaLinks.ts"
import { MediaStore } from "../media/MediaStore.ts"
import { untilStored } from "../kernel/untilStored.ts"
import { type OutboundOperation, type PrivateTarget, sentSourceOf } from "../outbound/OutboundOperation.ts"
import { type OperationClaim, OutboundStore, type ReconcileFacts } from "../outbound/OutboundStore.ts"

/** The worker's changes to a claimed operation, each of which renews the lease. */
export const makeReplyPorts = Effect.fnUntraced(function* (lease: Duration.Duration) {
  const store = yield* OutboundStore
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const networks = yield* Networks
  const ingest = yield* Ingest
  const items = yield* IngestStore
  const accounts = yield* SocialAccounts
  const random = yield* SecureRandom
  const leaseNow = yield* LeaseClock

  /** Computed for each attempt: with the time of the first one, a late attempt would write an expired lease. */
  const moment = Effect.all({
    now: DateTime.now,
    until: Effect.map(leaseNow, (now) => DateTime.addDuration(now, lease))
  })

  /** Changes the operation. The lease is kept while the worker has more to do. */
  const change = Effect.fnUntraced(function* (
    claim: OperationClaim,
    next: (operation: OutboundOperation, now: DateTime.Utc) => OutboundOperation,
    isHeld: (operation: OutboundOperation) => boolean
  ) {
    const write = Effect.gen(function* () {
      const { now, until } = yield* moment
      return yield* store.change(claim, (current) => {
        const operation = next(current, now)
        return { operation, leaseUntil: isHeld(operation) ? Option.some(until) : Option.none() }
      })
    })
    return yield* untilStored(write, lease)
  })

  /** The same with the stored facts about the account's replies. */
  const reconcile = Effect.fnUntraced(function* (
    claim: OperationClaim,
    candidates: ReadonlyArray<string>,
    next: (facts: ReconcileFacts, now: DateTime.Utc) => OutboundOperation,
    isHeld: (operation: OutboundOperation) => boolean
  ) {
    const write = Effect.gen(function* () {
      const { now, until } = yield* moment
      return yield* store.reconcile(claim, candidates, (facts) => {
        const operation = next(facts, now)
        return { operation, leaseUntil: isHeld(operation) ? Option.some(until) : Option.none() }
      })
    })
    return yield* untilStored(write, lease)
  })

  /**
   * Stores that a comment was answered privately. Without effect if it was stored before, or the account is gone.
   */
  const markAnswered = Effect.fnUntraced(function* (operation: OutboundOperation) {
    const { accountId, source, target, workspaceId } = operation
    const now = yield* DateTime.now
    const at = "attemptedAt" in operation.state ? operation.state.attemptedAt : now
    const activity = new PrivatelyAnswered({ source, externalId: target.externalId, at })
    const arrivals = [{ activity, newId: yield* nextInboxItemId(random), polledAt: Option.none() }]
    yield* items
      .ingest({ workspaceId, accountId, arrivals, now, completes: [], isHeard: false, poll: Option.none() })
      .pipe(
        Effect.catchTags({
          AccountGone: () => Effect.void,
          // Only polls have leases.
          LeaseLost: Effect.die
        })
      )
  })

  return {
    store,
    ingest,
    items,
    accounts,
    change,
    reconcile,
    connectorFor: ({ source }: OutboundOperation) => connectorOf(networks, connectors, source),
    networkOf: ({ source }: OutboundOperation) => networks.traitsOf(source).network,
    /** Of the item that it makes. */
    traitsOf: (operation: OutboundOperation) => networks.traitsOf(sentSourceOf(operation)),
    markAnswered,
    files: yield* MediaStore,
    links: yield* MediaLinks,
    open: ({ accountId, workspaceId }: OutboundOperation) => tokens.open(workspaceId, accountId)
  }
})

export type ReplyPorts = Effect.Success<ReturnType<typeof makeReplyPorts>>

/** The reply as input of its connector; a private one as an answer in its conversation. */
export const toReply = (operation: OutboundOperation, media: Option.Option<ReplyMedia> = Option.none()): Reply => ({
  source: sentSourceOf(operation),
  target: operation.target,
  text: operation.text,
  operationId: operation.id,
  ...(Option.isSome(media) ? { media: media.value } : {}),
  ...(operation.isTagged ? { tag: "human_agent" } : {})
})

/** A private reply as input of its connector. */
export const toPrivateReply = (
  { id, source, target, text }: OutboundOperation,
  { authorId }: PrivateTarget
): PrivateReply => ({ source, externalId: target.externalId, authorId, text, operationId: id })
