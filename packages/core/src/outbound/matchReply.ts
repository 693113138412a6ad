import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Posted } from "../connectors/InboundActivity.ts"
import type { Source } from "../connectors/Source.ts"
import type { OutboundOperation } from "./OutboundOperation.ts"

/** An own post of the network that may be what an operation sent. */
export interface Candidate {
  readonly source: Source
  readonly externalId: string
  readonly threadKey: string
  readonly parentExternalId: Option.Option<string>
  readonly body: string
  readonly receivedAt: DateTime.Utc
  readonly operationTag: Option.Option<string>
}

/** Clocks differ, so a post may seem older than the attempt by this (social-networks.md §3.2). */
export const clockMargin = { seconds: 60 } as const

export const candidateOf = (posted: Posted): Candidate => ({
  source: posted.source,
  externalId: posted.externalId,
  threadKey: posted.threadKey._tag === "Known" ? posted.threadKey.key : posted.threadKey.parentExternalId,
  parentExternalId: posted.parentExternalId,
  body: posted.body,
  receivedAt: posted.receivedAt,
  operationTag: posted.operationTag
})

/**
 * A text as networks may give it back: another normal form, other white space; on X and Instagram with the handles in
 * front that the network adds, on X with a scheme before a link and a slash behind it.
 */
const comparable = (source: Source, text: string): string => {
  const plain = text.normalize("NFC").replace(/\s+/gu, " ").trim()
  const named = source === "x_reply" || source === "ig_comment" ? plain.replace(/^(?:@\w[\w.]*\s+)+/u, "") : plain
  return source === "x_reply" ? named.replace(/https?:\/\//giu, "").replace(/\/(?= |$)/gu, "") : named
}

const isMessage = (source: Source): boolean => source === "ig_dm" || source === "fb_dm"

/** Whether a post answers what the operation answers: in its conversation, or under the item, its root, its edits. */
const isInPlace = ({ source, target }: OutboundOperation, { parentExternalId, threadKey }: Candidate): boolean => {
  if (isMessage(source)) return threadKey === target.threadKey
  return Option.match(parentExternalId, {
    onNone: () => threadKey === target.threadKey,
    onSome: (parent) => [target.externalId, target.replyTargetId, target.threadKey].includes(parent)
  })
}

const attemptedAtOf = ({ state }: OutboundOperation): Option.Option<DateTime.Utc> =>
  "attemptedAt" in state ? Option.some(state.attemptedAt) : Option.none()

/** Whether a post may be what the operation sent. A tag, where the network gives it back, decides alone. */
export const fits = (operation: OutboundOperation, candidate: Candidate): boolean => {
  if (candidate.source !== operation.source) return false
  if (Option.isSome(candidate.operationTag)) return candidate.operationTag.value === operation.id
  return (
    Option.exists(attemptedAtOf(operation), (at) =>
      DateTime.isGreaterThanOrEqualTo(candidate.receivedAt, DateTime.subtract(at, clockMargin))
    ) &&
    isInPlace(operation, candidate) &&
    comparable(operation.source, candidate.body) === comparable(operation.source, operation.text)
  )
}

/** `None`: nothing that is surely its own, for now. `Ambiguous`: more equal posts than replies that may have made them. */
export type Match =
  | { readonly _tag: "Match"; readonly externalId: string }
  | { readonly _tag: "None" }
  | { readonly _tag: "Ambiguous" }

const older = (a: OutboundOperation, b: OutboundOperation): number =>
  DateTime.Order(a.createdAt, b.createdAt) || (a.id < b.id ? -1 : 1)

/**
 * Which of the posts an operation of unknown outcome made (design §6): posts and operations that fit each other are
 * given to each other by age, the oldest to the oldest. More posts than operations can't be told apart; while another
 * operation that fits is being sent, its answer is waited for.
 *
 * `candidates` are those that no other operation has.
 */
export const matchReply = (
  operation: OutboundOperation,
  rivals: ReadonlyArray<OutboundOperation>,
  candidates: ReadonlyArray<Candidate>
): Match => {
  const fitting = candidates
    .filter((candidate) => fits(operation, candidate))
    .toSorted((a, b) => DateTime.Order(a.receivedAt, b.receivedAt) || (a.externalId < b.externalId ? -1 : 1))
  const tagged = fitting.find(({ operationTag }) => Option.isSome(operationTag))
  if (tagged !== undefined) return { _tag: "Match", externalId: tagged.externalId }
  if (fitting.length === 0) return { _tag: "None" }
  const equal = rivals.filter((rival) => fitting.some((candidate) => fits(rival, candidate)))
  if (equal.some(({ state }) => state._tag === "Sending")) return { _tag: "None" }
  if (fitting.length > equal.length + 1) return { _tag: "Ambiguous" }
  const place = equal.filter((rival) => older(rival, operation) < 0).length
  const own = fitting[place]
  return own === undefined ? { _tag: "None" } : { _tag: "Match", externalId: own.externalId }
}
