import { Effect } from "effect"
import { chai } from "vitest"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import type { Fault } from "../../src/fakes/faults.ts"
import { away } from "../../src/fixtures/mediaFixtures.ts"
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
        const told = committed()
        chance.note(told === "no" ? "a store is away" : "a store's answer is lost")
        return Effect.fail(new StoreUnavailable({ operation, committed: told, cause: "storm" }))
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

/** Makes a call of a store fail now and then while the weather is bad: before its commit, or after it, as where the answer is lost. */
export const makeLossy = (chance: Chance, weather: { readonly isFair: boolean }, oneIn: number): Lossy => {
  const stormy = () => !weather.isFair && chance.isOneIn(oneIn)
  return (call) =>
    Effect.suspend(() => {
      if (stormy()) {
        chance.note("a store is away")
        return Effect.fail(away("no"))
      }
      if (!stormy()) return call
      chance.note("a store's answer is lost")
      return Effect.andThen(call, Effect.fail(away("unknown")))
    })
}

export type Lossy = <A, E>(call: Effect.Effect<A, E>) => Effect.Effect<A, E | StoreUnavailable>

/**
 * Begins a run with a turn of its own. A fiber yields after so many operations: those of a run before would decide where,
 * and so who is first.
 */
export const afresh = <A, E, R>(run: Effect.Effect<A, E, R>) => Effect.andThen(Effect.yieldNow, quick(run))

/**
 * Without the traces of the stack, which are a quarter of a run: it makes some thousand errors, nearly all as answers. And
 * without spans, which nobody reads here, and without what finds a misspelt name at each of some thousand assertions. A seed
 * that failed is played again with LOOPBOX_TRACES=1, and fails in the same place.
 */
const quick = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  process.env["LOOPBOX_TRACES"] === "1"
    ? run
    : Effect.acquireUseRelease(
        Effect.sync(() => {
          const usual = { limit: Error.stackTraceLimit, useProxy: chai.config.useProxy }
          Error.stackTraceLimit = 0
          chai.config.useProxy = false
          return usual
        }),
        () => Effect.withTracerEnabled(run, false),
        ({ limit, useProxy }) =>
          Effect.sync(() => {
            Error.stackTraceLimit = limit
            chai.config.useProxy = useProxy
          })
      )
