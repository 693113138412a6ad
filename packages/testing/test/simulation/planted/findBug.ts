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

/**
 * Plays seeds until one breaks an invariant that says this; at most so many. A bug may break others first, by its
 * consequences. It dies where a run breaks in another way: then the bug is none that could happen, or an invariant is missing.
 *
 * @param near the seed to begin with: those before it come last
 * @returns what is wrong with the search; nothing when the bug is found
 */
export const findBug = Effect.fnUntraced(function* <E>(
  play: (seed: number) => Effect.Effect<unknown, E>,
  breaks: RegExp,
  seeds: number,
  near = 1
) {
  const others = new Set<string>()
  for (let n = 0; n < seeds; n++) {
    const seed = ((near - 1 + n) % seeds) + 1
    const exit = yield* Effect.exit(play(seed))
    if (Exit.isSuccess(exit)) continue
    const violation = violationIn(exit.cause)
    if (Option.isNone(violation)) {
      return yield* Effect.die(new Error(`seed ${seed} broke no invariant`, { cause: exit.cause }))
    }
    if (breaks.test(violation.value)) return Option.none<string>()
    others.add(violation.value)
  }
  return Option.some([`not within ${seeds} seeds`, ...Array.from(others).slice(0, 5)].join("; "))
})
