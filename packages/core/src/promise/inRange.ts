import * as Effect from "effect/Effect"

/** A whole number that the caller's own code gave; one out of bounds is a bug there, and rejects as a RangeError. */
export const inRange = (name: string, given: number, maximum: number): Effect.Effect<number> =>
  Number.isInteger(given) && given >= 1 && given <= maximum
    ? Effect.succeed(given)
    : Effect.die(new RangeError(`${name} must be an integer from 1 to ${maximum}`))
