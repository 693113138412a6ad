import type { UncertainPublication } from "@loopbox/core/networks/publishing/NetworkPublish"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** A post that an account has, as its network lists it. */
export interface OwnPost {
  readonly id: string
  readonly text: string
  readonly at: Option.Option<DateTime.Utc>
  readonly url: Option.Option<string>
}

/** How far the clocks of a network and of this machine may differ. */
const clockTolerance = { seconds: 60 }

/** From when on a post may be the one that is looked for. */
export const postsSince = ({ attemptedAt }: UncertainPublication): DateTime.Utc =>
  DateTime.subtract(attemptedAt, clockTolerance)

const comparable = (text: string): string => text.normalize("NFC").replace(/\s+/gu, " ").trim()

/** The one post that an uncertain publication may be; none if several fit, for each could be another one's. */
export const onlyMatch = <A extends OwnPost>(
  uncertain: UncertainPublication,
  posts: ReadonlyArray<A>,
  textOf: (text: string) => string = (text) => text
): Option.Option<A> => {
  const wanted = comparable(textOf(uncertain.publication.text))
  const fitting = posts.filter(
    ({ at, id, text }) =>
      !uncertain.knownIds.has(id) &&
      Option.exists(at, (time) => DateTime.isGreaterThanOrEqualTo(time, postsSince(uncertain))) &&
      comparable(textOf(text)) === wanted
  )
  return fitting.length === 1 ? Option.fromUndefinedOr(fitting[0]) : Option.none()
}

/** A call that started before this is over: what does not show it by now was not changed by it. */
const callLasts = { seconds: 60 }

/** Whether the last publishing call can't be under way any more. */
export const isOver = ({ lastAttemptAt }: UncertainPublication, now: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(DateTime.add(lastAttemptAt, callLasts), now)
