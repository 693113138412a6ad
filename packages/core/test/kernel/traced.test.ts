import { traced } from "@loopbox/core/kernel/traced"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Tracer } from "effect"

/** Names of the spans that an effect runs in, the innermost first. */
const spansAround = Effect.map(Effect.serviceOption(Tracer.ParentSpan), (innermost) => {
  const names: Array<string> = []
  let span = Option.getOrUndefined(innermost)
  while (span !== undefined && span._tag === "Span") {
    names.push(span.name)
    span = Option.getOrUndefined(span.parent)
  }
  return names
})

const work = spansAround.pipe(traced("inner"), traced("outer"))

describe("traced", () => {
  it.effect("makes spans, one in the other, for a tracer of the process", () =>
    Effect.gen(function* () {
      const begun: Array<string> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          begun.push(options.name)
          return span
        }
      })
      assert.deepStrictEqual(yield* Effect.withTracer(work, tracer), ["inner", "outer"])
      assert.deepStrictEqual(begun, ["outer", "inner"])
    })
  )

  it.effect("makes none where nobody gets them, and leaves what is around", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* work, [])
      assert.deepStrictEqual(yield* Effect.withSpan(work, "of a record"), ["of a record"])
    })
  )
})
