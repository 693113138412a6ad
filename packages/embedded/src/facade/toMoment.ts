import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Checks a time argument. A date that is none is a bug of the caller, so it rejects with a RangeError. */
export const toMoment = (name: string, given: Date): Effect.Effect<DateTime.Utc> =>
  Option.match(DateTime.make(given), {
    onNone: () => Effect.die(new RangeError(`${name} must be a valid date`)),
    onSome: (moment) => Effect.succeed(DateTime.toUtc(moment))
  })

/** The same of one that may be left out. */
export const toOptionalMoment = (
  name: string,
  given: Date | null | undefined
): Effect.Effect<Option.Option<DateTime.Utc>> =>
  given === null || given === undefined ? Effect.succeedNone : Effect.asSome(toMoment(name, given))
