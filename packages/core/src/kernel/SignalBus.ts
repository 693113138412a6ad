import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Called by a bus that listens. */
export interface Hearing {
  /** Run once: every word that is told from now on is heard, as far as the bus loses none. */
  readonly ready: Effect.Effect<void>
  readonly word: (word: string) => Effect.Effect<void>
}

/**
 * Port: brings short words from a process to all others of one database, such as Redis' or NATS' publish and subscribe.
 *
 * Words say that there is something to read, never what: each is plain text of at most 8,000 bytes. They may be lost, come twice,
 * or come back to who told them: who waits looks by himself every few seconds, and right after a loss that `listen` shows.
 */
export interface SignalBus {
  /**
   * Tells words to all processes. A process calls it at most each 20 milliseconds, and less often with many `listeners`, with
   * all that came together.
   */
  readonly tell: (words: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable>
  /** Listens until it fails; it is then begun again, and all that waits looks by itself. */
  readonly listen: (hearing: Hearing) => Effect.Effect<never, StoreUnavailable>
  /**
   * How many processes listen, about; asked at most each 30 seconds. The more there are, the longer each is silent between two
   * words. A bus that gives each listener only what it asked for need not say it: the pause is then that of a few.
   */
  readonly listeners?: Effect.Effect<number, StoreUnavailable>
}

/** The bus that is used in place of the store's own; none: the store's. Read when the store's layer is built. */
export const OtherBus = Context.Reference<Option.Option<SignalBus>>("@loopbox/core/kernel/SignalBus/OtherBus", {
  defaultValue: Option.none
})
