import * as Effect from "effect/Effect"

/**
 * Checks a user's id, as your identity provider names them: 1 to 256 characters without control characters. Another one is
 * a bug of the caller, so it rejects with a RangeError.
 */
export const userIdOf = (given: string): Effect.Effect<string> =>
  /^\P{Cc}{1,256}$/u.test(given) && given.length <= 256 && given.isWellFormed()
    ? Effect.succeed(given)
    : Effect.die(new RangeError("userId must be 1 to 256 characters without control characters"))
