import type { Posted } from "@loopbox/core/networks/InboundActivity"
import type { InboundActivity } from "@loopbox/core/networks/InboundActivity"
import type { ReplyLook, UncertainReply } from "@loopbox/core/networks/Reply"
import * as DateTime from "effect/DateTime"
import * as Order from "effect/Order"

/** Clocks differ, and a network's time may be of the request's beginning. */
const earlier = { seconds: 60 }

/** From when on an own answer may be the uncertain one. */
export const answersSince = ({ attemptedAt }: UncertainReply): DateTime.Utc => DateTime.subtract(attemptedAt, earlier)

const byTime = Order.mapInput(DateTime.Order, ({ receivedAt }: Posted) => receivedAt)

/** The account's own among what was read, since the attempt, oldest first. */
export const ownAnswers = (activities: ReadonlyArray<InboundActivity>, uncertain: UncertainReply): ReplyLook => {
  const since = answersSince(uncertain)
  return {
    _tag: "Candidates",
    posted: activities
      .filter((activity) => activity._tag === "Posted")
      .filter(({ isOwn, receivedAt }) => isOwn && DateTime.isGreaterThanOrEqualTo(receivedAt, since))
      .toSorted(byTime)
  }
}
