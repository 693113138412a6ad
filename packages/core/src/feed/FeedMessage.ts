import type * as Cause from "effect/Cause"
import type * as Effect from "effect/Effect"
import type { DeliveredEvent } from "../items/InboxEvent.ts"

/**
 * A message to a subscriber. `Hello` is first, with the current event number of the workspace. `ResyncRequired`: events
 * were lost, so reload; live events after `seq` follow.
 */
export type FeedMessage =
  | { readonly _tag: "Hello"; readonly seq: number }
  | { readonly _tag: "ResyncRequired"; readonly seq: number }
  /** The same object for all subscribers of one scope, so that it is encoded once. */
  | { readonly _tag: "Delivered"; readonly event: DeliveredEvent }

/** A subscriber to which messages are pushed. */
export interface Follower {
  /**
   * Accepts messages in order and returns how many it accepted, without waiting. After accepting fewer, it is not
   * called again before `ready` has ended.
   */
  readonly take: (messages: ReadonlyArray<FeedMessage>) => number
  /** Ends when there is room for more messages; never for a follower that is being closed. */
  readonly ready: Effect.Effect<void>
  /** Called when nothing more will come, because it or what it follows has met a defect. */
  readonly failed: (cause: Cause.Cause<never>) => Effect.Effect<void>
}

/** The seq to resume after. */
export const seqOf = (message: FeedMessage): number => (message._tag === "Delivered" ? message.event.seq : message.seq)
