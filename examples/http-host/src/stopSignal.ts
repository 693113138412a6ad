import * as Effect from "effect/Effect"
import { constants } from "node:os"

/**
 * Ends at the first SIGTERM or SIGINT with its name. A second one ends the process at once: whoever sends it does not
 * want to wait, and what runs is picked up by leases.
 */
export const stopSignal: Effect.Effect<NodeJS.Signals> = Effect.callback((resume) => {
  let isStopping = false
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(128 + (constants.signals[signal] ?? 0))
    isStopping = true
    resume(Effect.succeed(signal))
  }
  process.on("SIGTERM", onSignal)
  process.on("SIGINT", onSignal)
})
