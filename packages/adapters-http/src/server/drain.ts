import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import { HttpSettings } from "./HttpSettings.ts"
import { OpenSockets } from "./OpenSockets.ts"

/** Once the scope ends: `/readyz` fails, and WebSockets are told 1012, before anything waits for them. */
export const drainAtEnd = Effect.gen(function* () {
  const { draining } = yield* HttpSettings
  const sockets = yield* OpenSockets
  yield* Effect.addFinalizer(() => Effect.andThen(Ref.set(draining, true), sockets.closeAll))
})
