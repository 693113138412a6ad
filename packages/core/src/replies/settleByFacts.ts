import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { Posted, unknownPerson } from "../networks/InboundActivity.ts"
import type { KnownSource } from "../networks/Networks.ts"
import type { Network } from "../networks/Source.ts"
import { candidateOf, matchReply } from "../outbound/matchReply.ts"
import type { OutboundOperation } from "../outbound/OutboundOperation.ts"
import type { OwnItem, ReconcileFacts } from "../outbound/OutboundStore.ts"
import { accepted, unreconciled } from "../outbound/transitions.ts"

/**
 * Largest clock difference between our machines: an item stored earlier than this before an attempt is not its reply.
 */
const ownClockMargin = { seconds: 5 } as const

/**
 * A stored own item in the form of a network's `Posted`, to replace the network's text with the text that was sent. It
 * has version 0, so a later edit stays. Its route is set when it is stored.
 */
const postedOf = (
  network: Network,
  { body, externalId, operationTag, parentExternalId, receivedAt, source, threadKey }: OwnItem
): Posted =>
  new Posted({
    route: { network, accountId: Option.none(), username: Option.none() },
    source,
    externalId,
    replyTargetId: externalId,
    threadKey: { _tag: "Known", key: threadKey },
    parentExternalId,
    linkedPostId: Option.none(),
    author: unknownPerson,
    isOwn: true,
    body,
    attachments: [],
    receivedAt,
    version: 0,
    editedAt: Option.none(),
    permalink: Option.none(),
    summons: Option.none(),
    operationTag,
    isStandby: false
  })

/**
 * The new state of a reply with an unknown outcome, from stored items and a look-up at the network; unchanged if
 * neither matches.
 */
export const settleByFacts = (
  traits: KnownSource,
  { hasUnreadRivals, operation, own, rivals, taken }: ReconcileFacts,
  posted: ReadonlyArray<Posted>,
  now: DateTime.Utc
): OutboundOperation => {
  const { state } = operation
  if (state._tag !== "OutcomeUnknown" || hasUnreadRivals) return operation
  const begun = DateTime.subtract(state.attemptedAt, ownClockMargin)
  const known = new Set(own.map(({ externalId }) => externalId))
  const stored = own.filter(
    ({ createdAt, externalId }) => !taken.has(externalId) && DateTime.isGreaterThanOrEqualTo(createdAt, begun)
  )
  const shown = posted.filter(({ externalId }) => !taken.has(externalId) && !known.has(externalId))
  const match = matchReply(traits, operation, rivals, [...stored, ...shown.map(candidateOf)])
  if (match._tag === "None") return operation
  if (match._tag === "Ambiguous") return unreconciled(operation, now)
  const { externalId } = match
  const item = stored.find((one) => one.externalId === externalId)
  const found = item === undefined ? shown.find((one) => one.externalId === externalId) : postedOf(traits.network, item)
  return found === undefined ? operation : accepted(operation, found, now)
}

/**
 * The new state after the network's answer to an attempt. If another operation already has the post, a person must
 * check.
 */
export const settleByAnswer = (
  { operation, taken }: ReconcileFacts,
  posted: Posted,
  now: DateTime.Utc
): OutboundOperation => (taken.has(posted.externalId) ? unreconciled(operation, now) : accepted(operation, posted, now))
