import * as Effect from "effect/Effect"
import { constants } from "node:os"

/**
 * For so long after the first signal another one is the same wish: npm hands Ctrl-C on to a host that had it from the
 * terminal, and systemd's control-group does likewise.
 */
const sameWish_ms = 1_000

/**
 * Ends at the first SIGTERM or SIGINT with its name. One that comes more than a second later ends the process at once:
 * whoever sends it does not want to wait, and what runs is picked up by leases. Nobody listens any more once it is interrupted.
 */
export const stopSignal: Effect.Effect<NodeJS.Signals> = Effect.callback((resume) => {
  let first_ms: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    // Not Effect's clock, which is the database's, nor a time of day that may be moved.
    const now_ms = performance.now()
    if (first_ms === undefined) {
      first_ms = now_ms
      resume(Effect.succeed(signal))
    } else if (now_ms - first_ms > sameWish_ms) process.exit(128 + (constants.signals[signal] ?? 0))
  }
  process.on("SIGTERM", onSignal)
  process.on("SIGINT", onSignal)
  return Effect.sync(() => {
    process.off("SIGTERM", onSignal)
    process.off("SIGINT", onSignal)
  })
})
