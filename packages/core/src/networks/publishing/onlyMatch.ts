import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { PublicationRival, UncertainPublication } from "./NetworkPublish.ts"

/** A post that an account has, as its network lists it. */
export interface OwnPost {
  readonly id: string
  readonly text: string
  readonly at: Option.Option<DateTime.Utc>
  readonly url: Option.Option<string>
}

/** How far the clocks of a network and of this machine may differ. */
const clockTolerance = { seconds: 60 }

/** A call that started before this is over: what does not show it by now was not changed by it. */
const callLasts = { seconds: 60 }

/** From when on a post may be the one that is looked for. */
export const postsSince = ({ attemptedAt }: Pick<UncertainPublication, "attemptedAt">): DateTime.Utc =>
  DateTime.subtract(attemptedAt, clockTolerance)

/** Whether the last publishing call can't be under way any more. */
export const isOver = ({ lastAttemptAt }: Pick<UncertainPublication, "lastAttemptAt">, now: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(DateTime.add(lastAttemptAt, callLasts), now)

/** Networks may return another Unicode form and other white space. */
export const comparableText = (text: string): string => text.normalize("NFC").replace(/\s+/gu, " ").trim()

interface Dated<A> {
  readonly post: A
  readonly at: DateTime.Utc
}

/** Whether a rival may have made what was posted then. */
const mayHaveMade = (rival: PublicationRival, at: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(postsSince(rival), at) &&
  DateTime.isLessThanOrEqualTo(at, DateTime.add(rival.until, clockTolerance))

/**
 * Whether the network made the posts of both in the order of their attempts: one call was over before the other began.
 * It does not matter for twins.
 */
const isInOrder = (
  one: Pick<UncertainPublication, "attemptedAt" | "lastAttemptAt">,
  rival: PublicationRival
): boolean =>
  rival.isTwin ||
  (DateTime.isLessThan(rival.attemptedAt, one.attemptedAt)
    ? isOver(rival, one.attemptedAt)
    : isOver(one, rival.attemptedAt))

/**
 * Which of several posts is the one that is looked for: the only one that no rival may have made, or, if there are
 * exactly as many posts as were sent, the one whose place among them is that of its attempt.
 */
const among = <A extends OwnPost>(
  uncertain: UncertainPublication,
  rivals: ReadonlyArray<PublicationRival>,
  fitting: ReadonlyArray<Dated<A>>
): Option.Option<A> => {
  const own = fitting.filter(({ at }) => !rivals.some((rival) => mayHaveMade(rival, at)))
  if (own.length > 0) return own.length === 1 ? Option.fromUndefinedOr(own[0]?.post) : Option.none()
  const able = rivals.filter((rival) => fitting.some(({ at }) => mayHaveMade(rival, at)))
  if (fitting.length !== able.length + 1) return Option.none()
  if (!able.every((rival) => isInOrder(uncertain, rival))) return Option.none()
  const place = able.filter(
    ({ attemptedAt, operationId }) =>
      DateTime.isLessThan(attemptedAt, uncertain.attemptedAt) ||
      (DateTime.Equivalence(attemptedAt, uncertain.attemptedAt) && operationId < uncertain.publication.operationId)
  ).length
  const inOrder = fitting.toSorted((a, b) => DateTime.Order(a.at, b.at) || (a.post.id < b.post.id ? -1 : 1))
  return Option.fromUndefinedOr(inOrder[place]?.post)
}

/**
 * The one post of a list that an uncertain publication must be, by its words and its time; none if it can't be told
 * from another one's. Pure.
 *
 * `textOf`: what remains of a text on this network.
 */
export const onlyMatch = <A extends OwnPost>(
  uncertain: UncertainPublication,
  posts: ReadonlyArray<A>,
  textOf: (text: string) => string = (text) => text
): Option.Option<A> => {
  const wanted = comparableText(textOf(uncertain.publication.text))
  const fitting = posts.flatMap((post): ReadonlyArray<Dated<A>> => {
    const isFitting =
      !uncertain.knownIds.has(post.id) &&
      Option.exists(post.at, (at) => DateTime.isGreaterThanOrEqualTo(at, postsSince(uncertain))) &&
      comparableText(textOf(post.text)) === wanted
    return isFitting ? Option.toArray(Option.map(post.at, (at) => ({ post, at }))) : []
  })
  const rivals = uncertain.rivals.filter(({ text }) => comparableText(textOf(text)) === wanted)
  return among(uncertain, rivals, fitting)
}
