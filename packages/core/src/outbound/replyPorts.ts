import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { connectorOf, Connectors } from "../connectors/Connectors.ts"
import type { Reply } from "../connectors/Reply.ts"
import { AccountTokens } from "../inbox/AccountTokens.ts"
import { Ingest } from "../inbox/Ingest.ts"
import { LeaseClock } from "../kernel/LeaseClock.ts"
import type { OutboundOperation } from "./OutboundOperation.ts"
import { type OperationClaim, OutboundStore, type ReconcileFacts } from "./OutboundStore.ts"

/** While the store is away a change is tried again for about as long as a lease: what it says must not be lost. */
const patience = Schedule.exponential("100 millis", 1.5)

/** Some 11 seconds in all. */
const tries = 10

const isAway = (error: { readonly _tag: string }): boolean => error._tag === "StoreUnavailable"

/** What the worker does to an operation that it holds, with the lease prolonged, and with the account behind it. */
export const makeReplyPorts = Effect.fnUntraced(function* (lease: Duration.Duration) {
  const store = yield* OutboundStore
  const tokens = yield* AccountTokens
  const connectors = yield* Connectors
  const ingest = yield* Ingest
  const leaseNow = yield* LeaseClock

  const leaseEnd = Effect.map(leaseNow, (now) => DateTime.addDuration(now, lease))

  const persist = <A, E extends { readonly _tag: string }>(change: Effect.Effect<A, E>) =>
    Effect.retry(change, { while: isAway, schedule: patience, times: tries })

  /** Changes the operation and keeps it as long as the worker has something to do with it. */
  const change = Effect.fnUntraced(function* (
    claim: OperationClaim,
    next: (operation: OutboundOperation, now: DateTime.Utc) => OutboundOperation,
    isHeld: (operation: OutboundOperation) => boolean
  ) {
    const now = yield* DateTime.now
    const until = yield* leaseEnd
    return yield* persist(
      store.change(claim, (current) => {
        const operation = next(current, now)
        return { operation, leaseUntil: isHeld(operation) ? Option.some(until) : Option.none() }
      })
    )
  })

  /** The same by what is stored of the account's replies. */
  const reconcile = Effect.fnUntraced(function* (
    claim: OperationClaim,
    candidates: ReadonlyArray<string>,
    next: (facts: ReconcileFacts, now: DateTime.Utc) => OutboundOperation,
    isHeld: (operation: OutboundOperation) => boolean
  ) {
    const now = yield* DateTime.now
    const until = yield* leaseEnd
    return yield* persist(
      store.reconcile(claim, candidates, (facts) => {
        const operation = next(facts, now)
        return { operation, leaseUntil: isHeld(operation) ? Option.some(until) : Option.none() }
      })
    )
  })

  return {
    store,
    ingest,
    change,
    reconcile,
    leaseEnd,
    connectorFor: ({ source }: OutboundOperation) => connectorOf(connectors, source),
    open: ({ accountId, workspaceId }: OutboundOperation) => tokens.open(workspaceId, accountId)
  }
})

export type ReplyPorts = Effect.Success<ReturnType<typeof makeReplyPorts>>

/** The reply as its connector takes it. */
export const toReply = ({ id, source, target, text }: OutboundOperation): Reply => ({
  source,
  target,
  text,
  operationId: id
})
