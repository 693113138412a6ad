import { Cause, Effect, Exit, Option } from "effect"

/** What an invariant says that does not hold; nothing for a mistake of the bug itself. */
const violationIn = (error: unknown): Option.Option<string> => {
  if (Cause.isCause(error)) {
    return Option.firstSomeOf(
      error.reasons.map((reason) => (Cause.isDieReason(reason) ? violationIn(reason.defect) : Option.none()))
    )
  }
  if (!(error instanceof Error)) return Option.none()
  const isViolation = error.name === "AssertionError" || error.constructor.name === "Violated"
  return isViolation ? Option.some(error.message) : violationIn(error.cause)
}

/** The first seed that breaks an invariant, and what the invariant says. */
export interface Found {
  readonly seed: number
  readonly violation: string
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
    const violation = violationIn(exit.cause)
    if (Option.isSome(violation)) return Option.some<Found>({ seed, violation: violation.value })
    return yield* Effect.die(new Error(`seed ${seed} broke no invariant`, { cause: exit.cause }))
  }
  return Option.none<Found>()
})
