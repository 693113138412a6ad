import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { CommandFailed } from "./CommandFailed.ts"

/** Says on standard error what a command failed of. */
export const reportFailure = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Effect.sync(() => {
    if (Cause.hasInterruptsOnly(cause)) return
    const error = Cause.squash(cause)
    const text = error instanceof CommandFailed ? error.message : Cause.pretty(cause)
    process.stderr.write(`loopbox: ${text}\n`)
  })

/** 0, 1 for a failure, 2 for a command that asks for what cannot be. */
export const exitCodeOf = (exit: Exit.Exit<void, unknown>): number => {
  if (Exit.isSuccess(exit)) return 0
  const error = Cause.squash(exit.cause)
  return error instanceof CommandFailed && error.isMisuse === true ? 2 : 1
}
