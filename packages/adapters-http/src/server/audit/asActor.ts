import { CurrentActor } from "@loopbox/core/audit/Actor"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { RequestId } from "../../api/RequestId.ts"
import { CurrentRequestFacts } from "../edge/requestFacts.ts"

/** Runs the rest of a request as whoever was identified for it: what it changes is audited as theirs. */
export const asActor = <A, E, R>(next: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const { actor } = yield* CurrentRequestFacts
    const requestId = Option.some(yield* RequestId)
    return yield* Effect.provideService(next, CurrentActor, { type: actor.type, id: actor.id, requestId })
  })
