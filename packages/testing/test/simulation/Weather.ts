import { Effect } from "effect"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import type { Fault } from "../../src/fakes/faults.ts"
import type { Chance } from "./Chance.ts"

/** How the stores treat one process: now and then they fail, before or after the commit; to a dead one they never answer. */
export const makeWeather = (chance: Chance, oneIn: number) => {
  let isStormy = true
  let hold: "none" | "paused" | "dead" = "none"
  let waiting: Array<() => void> = []
  const held = Effect.callback<void>((resume) => {
    waiting.push(() => resume(Effect.void))
  })
  const strike = (committed: () => StoreUnavailable["committed"]) => (operation: string) =>
    Effect.suspend((): Effect.Effect<void, StoreUnavailable> => {
      const pass = Effect.suspend(() => {
        if (!isStormy || !chance.isOneIn(oneIn)) return Effect.void
        return Effect.fail(new StoreUnavailable({ operation, committed: committed(), cause: "storm" }))
      })
      return hold === "none" ? pass : Effect.andThen(held, pass)
    })
  const fault: Fault = {
    before: strike(() => (chance.isOneIn(2) ? "no" : "unknown")),
    after: strike(() => "unknown")
  }
  return {
    fault,
    clear: () => void (isStormy = false),
    /** Until `resume`: the process stands still, as on a machine that sleeps. */
    pause: () => void (hold = "paused"),
    /** For good: nothing that the process does arrives any more. */
    kill: () => void (hold = "dead"),
    isPaused: () => hold === "paused",
    resume: () => {
      if (hold !== "paused") return
      hold = "none"
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    }
  }
}

export type Weather = ReturnType<typeof makeWeather>
