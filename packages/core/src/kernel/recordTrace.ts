import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { toUuidHex } from "./Ids.ts"

/**
 * Runs an effect as a span in the trace of a record, whose number is the UUID of the record's id, linked with the span that it runs in: the request that made the record and the
 * workers that end it show in one trace, without anything stored for it.
 */
export const inTraceOf =
  (id: string, name: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      // Where spans go nowhere, as `traced` does.
      if (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer) return self
      const outer = Context.getOption(fiber.context, Tracer.ParentSpan)
      const traceId = toUuidHex(id)
      return Effect.withSpan(self, name, {
        // Nobody has this span: it stands for the record.
        parent: Tracer.externalSpan({ traceId, spanId: traceId.slice(16), sampled: true }),
        links: Option.toArray(Option.map(outer, (span) => ({ span, attributes: {} }))),
        attributes: { record_id: id }
      })
    })
