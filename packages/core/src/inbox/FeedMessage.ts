import type * as Effect from "effect/Effect"
import type { DeliveredEvent } from "./InboxEvent.ts"

/**
 * What a subscriber gets. `Hello` comes first, with the workspace's number at that moment; `ResyncRequired` where
 * what came since can't be told, and live events from `seq` on follow.
 */
export type FeedMessage =
  | { readonly _tag: "Hello"; readonly seq: number }
  | { readonly _tag: "ResyncRequired"; readonly seq: number }
  /** All subscribers of one scope get the same object, so that it need be encoded once. */
  | { readonly _tag: "Delivered"; readonly event: DeliveredEvent }

/** Who is handed messages, instead of asking for them. */
export interface Follower {
  /**
   * Takes messages in their order and answers how many; nobody waits. A follower that took fewer is not called again
   * before `ready` has ended.
   */
  readonly take: (messages: ReadonlyArray<FeedMessage>) => number
  /** Ends when there is room for more, at once if there is; for a follower that is given up it never ends. */
  readonly ready: Effect.Effect<void>
}

/** Where whoever got the message goes on. */
export const seqOf = (message: FeedMessage): number => (message._tag === "Delivered" ? message.event.seq : message.seq)
