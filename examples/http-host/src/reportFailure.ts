import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { CommandFailed } from "./CommandFailed.ts"

/** Whether a command line asks for JSON. What stands behind `--` is text. */
export const asksForJson = (args: ReadonlyArray<string>): boolean => {
  const end = args.indexOf("--")
  return (end === -1 ? args : args.slice(0, end)).some((one) => one === "--json" || one === "--json=true")
}

/**
 * Says on standard error what a command failed of: a sentence for whoever typed it, or a line of JSON, in the form of the API's
 * errors, for the program that asked for that. Standard output has answers alone.
 */
export const sayFailure = (isJson: boolean, message: string, code?: string): void => {
  const line = isJson ? JSON.stringify({ error: { code: code ?? null, message } }) : `loopbox: ${message}`
  process.stderr.write(`${line}\n`)
}

export const reportFailure = (cause: Cause.Cause<unknown>, isJson = false): Effect.Effect<void> =>
  Effect.sync(() => {
    if (Cause.hasInterruptsOnly(cause)) return
    const error = Cause.squash(cause)
    if (error instanceof CommandFailed) return sayFailure(isJson, error.message, error.code)
    sayFailure(isJson, Cause.pretty(cause))
  })

/** 0, 1 for a failure, 2 for a command that asks for what cannot be. */
export const exitCodeOf = (exit: Exit.Exit<void, unknown>): number => {
  if (Exit.isSuccess(exit)) return 0
  const error = Cause.squash(exit.cause)
  return error instanceof CommandFailed && error.isMisuse === true ? 2 : 1
}
