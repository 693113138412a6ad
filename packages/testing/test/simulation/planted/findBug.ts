import { Cause, Effect, Exit, Option } from "effect"

/** Whether it is what an invariant says that does not hold, and no mistake of the bug itself. */
const isViolation = (error: unknown): boolean => {
  if (Cause.isCause(error))
    return error.reasons.some((reason) => Cause.isDieReason(reason) && isViolation(reason.defect))
  if (!(error instanceof Error)) return false
  return error.name === "AssertionError" || error.constructor.name === "Violated" || isViolation(error.cause)
}

/**
 * Plays seeds until one breaks an invariant; at most so many. It dies where a run breaks in another way: then the bug is
 * none that could happen, or an invariant is missing.
 */
export const findBug = Effect.fnUntraced(function* <E>(
  play: (seed: number) => Effect.Effect<unknown, E>,
  seeds: number
) {
  for (let seed = 1; seed <= seeds; seed++) {
    const exit = yield* Effect.exit(play(seed))
    if (Exit.isSuccess(exit)) continue
    if (isViolation(exit.cause)) return Option.some(seed)
    return yield* Effect.die(new Error(`seed ${seed} broke no invariant`, { cause: exit.cause }))
  }
  return Option.none()
})
