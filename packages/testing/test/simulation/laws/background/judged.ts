import { Effect, Equal, References } from "effect"

/**
 * Runs a call of a store, and judges what it made of what was there before. Nobody else comes in between: a call on memory
 * adapters waits for nothing.
 */
export const judged =
  (violations: Array<string>) =>
  <Before, A, E>(
    look: () => Before,
    call: Effect.Effect<A, E>,
    judge: (before: Before, answer: A) => ReadonlyArray<string>
  ): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const before = look()
      return Effect.tap(call, (answer) => Effect.sync(() => void violations.push(...judge(before, answer))))
    }).pipe(Effect.provideService(References.MaxOpsBeforeYield, Number.MAX_SAFE_INTEGER))

export type Judged = ReturnType<typeof judged>

/** One line for each that is not as it has to be. */
export const differing = (
  of: string,
  all: Readonly<Record<string, readonly [is: unknown, wanted: unknown]>>
): ReadonlyArray<string> =>
  Object.entries(all).flatMap(([what, [is, wanted]]) => (Equal.equals(is, wanted) ? [] : [`${of}: ${what}`]))
