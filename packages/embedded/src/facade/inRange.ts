import * as Effect from "effect/Effect"

/** Checks an integer argument. Out of range is a bug of the caller, so it rejects with a RangeError. */
export const inRange = (name: string, given: number, maximum: number): Effect.Effect<number> =>
  Number.isInteger(given) && given >= 1 && given <= maximum
    ? Effect.succeed(given)
    : Effect.die(new RangeError(`${name} must be an integer from 1 to ${maximum}`))
