import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Tracer } from "effect"
import { inTraceOf } from "../../src/kernel/recordTrace.ts"

const id = "op_01k9j8n3q5s7u9w1y3a5c7e9g1"
const spanNow = Effect.option(Effect.currentSpan)

describe("the trace of a record", () => {
  it.effect("makes no span where there is no tracer, and does what it was asked for", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone(yield* inTraceOf(id, "reply.run")(spanNow)))
      assert.strictEqual(yield* Effect.flip(inTraceOf(id, "reply.run")(Effect.fail("as it was"))), "as it was")
    })
  )

  it.effect("is found by the record's id where there is one", () => {
    const tracer = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
    return Effect.gen(function* () {
      const one = Option.getOrThrow(yield* inTraceOf(id, "reply.accepted")(spanNow))
      const two = Option.getOrThrow(yield* inTraceOf(id, "reply.run")(spanNow))
      assert.strictEqual(one.traceId, two.traceId)
      assert.strictEqual(two.name, "reply.run")
    }).pipe(Effect.provideService(Tracer.Tracer, tracer))
  })
})
