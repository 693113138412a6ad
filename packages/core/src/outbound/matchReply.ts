import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Posted } from "../networks/InboundActivity.ts"
import type { SourceTraits } from "../networks/Network.ts"
import { isSameText } from "../networks/networkText.ts"
import type { Source } from "../networks/Source.ts"
import { type OutboundOperation, sentSourceOf } from "./OutboundOperation.ts"

/** An own post on the network that an operation may have sent. */
export interface Candidate {
  readonly source: Source
  readonly externalId: string
  readonly threadKey: string
  readonly parentExternalId: Option.Option<string>
  readonly body: string
  /** The kinds of what hangs on it. */
  readonly attached: ReadonlyArray<string>
  readonly receivedAt: DateTime.Utc
  readonly operationTag: Option.Option<string>
}

/** Clocks differ, so a post may seem older than the attempt by up to this (social-networks.md §3.2). */
export const clockMargin = { seconds: 60 } as const

export const candidateOf = (posted: Posted): Candidate => ({
  source: posted.source,
  externalId: posted.externalId,
  threadKey: posted.threadKey._tag === "Known" ? posted.threadKey.key : posted.threadKey.parentExternalId,
  parentExternalId: posted.parentExternalId,
  body: posted.body,
  attached: posted.attachments.map(({ type }) => type),
  receivedAt: posted.receivedAt,
  operationTag: posted.operationTag
})

/**
 * Whether a post answers the same thing as the operation: in its conversation, or under the item, its root or its
 * edits.
 */
const isInPlace = (
  { kind }: SourceTraits,
  { target }: OutboundOperation,
  { parentExternalId, threadKey }: Candidate
): boolean => {
  if (kind === "message") return threadKey === target.threadKey
  return Option.match(parentExternalId, {
    onNone: () => threadKey === target.threadKey,
    onSome: (parent) => [target.externalId, target.replyTargetId, target.threadKey].includes(parent)
  })
}

const attemptedAtOf = ({ state }: OutboundOperation): Option.Option<DateTime.Utc> =>
  "attemptedAt" in state ? Option.some(state.attemptedAt) : Option.none()

/** Whether the operation may have sent a post. If the network returns a tag, the tag alone decides. */
export const fits = (traits: SourceTraits, operation: OutboundOperation, candidate: Candidate): boolean => {
  if (candidate.source !== sentSourceOf(operation)) return false
  if (Option.isSome(candidate.operationTag)) return candidate.operationTag.value === operation.id
  return (
    Option.exists(attemptedAtOf(operation), (at) =>
      DateTime.isGreaterThanOrEqualTo(candidate.receivedAt, DateTime.subtract(at, clockMargin))
    ) &&
    isInPlace(traits, operation, candidate) &&
    isSameText(traits, candidate.body, operation.text) &&
    operation.media.every(({ kind }) => candidate.attached.includes(kind))
  )
}

/** `None`: no certain match yet. `Ambiguous`: more equal posts than replies that may have sent them. */
export type Match =
  | { readonly _tag: "Match"; readonly externalId: string }
  | { readonly _tag: "None" }
  | { readonly _tag: "Ambiguous" }

const older = (a: OutboundOperation, b: OutboundOperation): number =>
  DateTime.Order(a.createdAt, b.createdAt) || (a.id < b.id ? -1 : 1)

/**
 * Finds the post of an operation with an unknown outcome (design §6). Fitting posts and operations are paired by age,
 * oldest with oldest. With more posts than operations there is no match. While another fitting operation is being sent,
 * its answer is awaited.
 *
 * `candidates` must not belong to other operations.
 */
export const matchReply = (
  traits: SourceTraits,
  operation: OutboundOperation,
  rivals: ReadonlyArray<OutboundOperation>,
  candidates: ReadonlyArray<Candidate>
): Match => {
  const fitting = candidates
    .filter((candidate) => fits(traits, operation, candidate))
    .toSorted((a, b) => DateTime.Order(a.receivedAt, b.receivedAt) || (a.externalId < b.externalId ? -1 : 1))
  const tagged = fitting.find(({ operationTag }) => Option.isSome(operationTag))
  if (tagged !== undefined) return { _tag: "Match", externalId: tagged.externalId }
  if (fitting.length === 0) return { _tag: "None" }
  const equal = rivals.filter((rival) => fitting.some((candidate) => fits(traits, rival, candidate)))
  if (equal.some(({ state }) => state._tag === "Sending")) return { _tag: "None" }
  if (fitting.length > equal.length + 1) return { _tag: "Ambiguous" }
  const place = equal.filter((rival) => older(rival, operation) < 0).length
  const own = fitting[place]
  return own === undefined ? { _tag: "None" } : { _tag: "Match", externalId: own.externalId }
}
