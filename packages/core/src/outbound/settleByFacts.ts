import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Posted } from "../connectors/InboundActivity.ts"
import { candidateOf, matchReply } from "./matchReply.ts"
import type { OutboundOperation } from "./OutboundOperation.ts"
import type { ReconcileFacts } from "./OutboundStore.ts"
import { accepted, completed, unreconciled } from "./transitions.ts"

/** Clocks of our machines agree within this: what was stored earlier is not what an attempt made. */
const ownClockMargin = { seconds: 5 } as const

/**
 * What a reply of unknown outcome is by what is stored, and by what a look at the network showed; as it was where
 * neither says it.
 */
export const settleByFacts = (
  { operation, own, rivals, taken }: ReconcileFacts,
  posted: ReadonlyArray<Posted>,
  now: DateTime.Utc
): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "OutcomeUnknown") return operation
  const begun = DateTime.subtract(state.attemptedAt, ownClockMargin)
  const known = new Set(own.map(({ externalId }) => externalId))
  const stored = own.filter(
    ({ createdAt, externalId }) => !taken.has(externalId) && DateTime.isGreaterThanOrEqualTo(createdAt, begun)
  )
  const shown = posted.filter(({ externalId }) => !taken.has(externalId) && !known.has(externalId))
  const match = matchReply(operation, rivals, [...stored, ...shown.map(candidateOf)])
  if (match._tag === "None") return operation
  if (match._tag === "Ambiguous") return unreconciled(operation, now)
  const { externalId } = match
  const item = stored.find((one) => one.externalId === externalId)
  if (item !== undefined) return completed(operation, { externalId, itemId: Option.some(item.itemId) }, now)
  const found = shown.find((one) => one.externalId === externalId)
  return found === undefined ? operation : accepted(operation, found, now)
}

/** What the network's own answer to an attempt makes of it; another operation that has the post leaves it to a person. */
export const settleByAnswer = (
  { operation, taken }: ReconcileFacts,
  posted: Posted,
  now: DateTime.Utc
): OutboundOperation => (taken.has(posted.externalId) ? unreconciled(operation, now) : accepted(operation, posted, now))
