import { Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed, WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"

/** A write that does no harm when it happens twice: one with an unknown outcome is as good as one that failed. */
export const repeatable = <A>(write: Effect.Effect<A, WriteFailed>): Effect.Effect<A, ReadFailed> =>
  Effect.catchTag(write, "OutcomeUnknown", ({ detail, network, networkCode }) =>
    Effect.fail(new Unavailable({ network, networkCode, detail, reason: "upstream" }))
  )
