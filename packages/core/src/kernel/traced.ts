import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

/**
 * A span around an effect, where spans go somewhere. For what every request runs.
 *
 * Without a tracer of its own a process makes spans, too, which nobody gets: for each one the fiber looks up anew all that
 * it keeps at hand of its context, when the span begins and when it ends.
 */
export const traced =
  (name: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? self : Effect.withSpan(self, name)
    )
