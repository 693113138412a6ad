import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

/** When an unknown outcome is looked up, counted from the attempt (design §6). */
const looksAfter = [
  Duration.seconds(5),
  Duration.seconds(15),
  Duration.seconds(60),
  Duration.minutes(5),
  Duration.minutes(15),
  Duration.minutes(29)
]

/** The time of the next look-up of an uncertain write, after a look-up at `after`. The last one is at the deadline. */
export const nextLook = (attemptedAt: DateTime.Utc, after: DateTime.Utc, deadline: DateTime.Utc): DateTime.Utc =>
  looksAfter
    .map((wait) => DateTime.addDuration(attemptedAt, wait))
    .find((look) => DateTime.isGreaterThan(look, after) && DateTime.isLessThan(look, deadline)) ?? deadline
