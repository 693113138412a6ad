import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"

/** What a read of one object says of it: only the network's own word that it is gone counts as that. */
export const isThereOrGone = <A>(read: Effect.Effect<A, ReadFailed>): Effect.Effect<boolean, ReadFailed> =>
  read.pipe(
    Effect.as(true),
    Effect.catchTag("Rejected", (error) => (error.reason === "gone" ? Effect.succeed(false) : Effect.fail(error)))
  )
