import { Effect, type Context, Layer } from "effect"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import type { layerInboxPorts } from "../../../src/layers/inboxLayers.ts"
import type { memoryWith } from "../../../src/layers/testLayers.ts"

/** The ports of the world of media jobs. */
export type JobPorts = Layer.Success<ReturnType<typeof memoryWith>>

/** The ports of the worlds of the inbox, of replies and of posts. */
export type InboxPorts = Layer.Success<typeof layerInboxPorts>

/** Ports that stand in place of those of a world, and are made of these. */
export type Plant<Ports> = Layer.Layer<never, never, Ports>

/** A mistake that somebody could make in an adapter; the simulation has to find it. */
export interface PlantedBug<Ports> {
  /** What is wrong, as a reviewer would say it. */
  readonly name: string
  /** What the invariant says that has to find it: another one would find it by its consequences, or by chance. */
  readonly breaks: RegExp
  readonly plant: Plant<Ports>
  /** Of a rare one: a seed shortly before the first that shows it. To play all before takes minutes. */
  readonly near?: number
}

/** A port that is wrong in one point: made of the right one, and of the state that memory adapters share. */
export const wrong = <I, S>(
  port: Context.Service<I, S>,
  make: (right: S, state: MemoryState["Service"]) => S
): Layer.Layer<I, never, I | MemoryState> =>
  Layer.effect(
    port,
    Effect.gen(function* () {
      return make(yield* port, yield* MemoryState)
    })
  )
