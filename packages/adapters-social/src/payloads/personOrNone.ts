import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Person } from "@loopbox/core/networks/InboundActivity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Reasons that will not change by asking again: the network tells nothing of this person. */
const tellsNothing = new Set(["gone", "unreachable", "other"])

/** A person who is gone, or did not consent to be shown (code 230), is nobody; the account is not to blame. */
export const personOrNone = (
  read: Effect.Effect<Person, ReadFailed>
): Effect.Effect<Option.Option<Person>, ReadFailed> =>
  read.pipe(
    Effect.asSome,
    Effect.catchTags({
      Rejected: (error) => (tellsNothing.has(error.reason) ? Effect.succeedNone : Effect.fail(error)),
      AuthExpired: (error) =>
        Option.exists(error.networkCode, (code) => code.split("/")[0] === "230")
          ? Effect.succeedNone
          : Effect.fail(error)
    })
  )
