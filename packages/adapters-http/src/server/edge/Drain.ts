import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import { OpenSockets } from "../sockets/OpenSockets.ts"
import { HttpSettings } from "../system/HttpSettings.ts"

/**
 * How a server comes to its end: first `/readyz` fails, while requests are taken as before so that load balancers have
 * time to learn of it; then WebSockets are told 1012, a few at a time.
 */
export class Drain extends Context.Service<
  Drain,
  {
    /** Begins it, once, and waits for nothing. */
    readonly begin: Effect.Effect<void>
    /** Begins it where that was not done, and waits for its end. */
    readonly finish: Effect.Effect<void>
  }
>()("@loopbox/adapters-http/server/Drain") {
  static readonly layer: Layer.Layer<Drain, never, HttpSettings | OpenSockets> = Layer.effect(
    Drain,
    Effect.suspend(() => make)
  )

  /** Has the drain come to its end when the scope closes, before anything waits for sockets. */
  static readonly atEnd = Effect.gen(function* () {
    const { finish } = yield* Drain
    yield* Effect.addFinalizer(() => finish)
  })
}

const make = Effect.gen(function* () {
  const { draining, pause } = yield* HttpSettings
  const sockets = yield* OpenSockets
  const scope = yield* Effect.scope
  const begin = yield* Effect.gen(function* () {
    yield* Ref.set(draining, true)
    return yield* Effect.sleep(pause).pipe(Effect.andThen(sockets.closeAll), Effect.forkIn(scope))
  }).pipe(Effect.cached)
  return Drain.of({
    begin: Effect.asVoid(begin),
    finish: Effect.flatMap(begin, Fiber.join)
  })
})
