import { assert, describe, it, vi } from "@effect/vitest"
import { Context, Effect, Layer, Scope } from "effect"
import { inDeepContext } from "../../src/server/edge/inDeepContext.ts"

class Asked extends Context.Service<Asked, string>()("test/Asked") {}
class Given extends Context.Service<Given, { readonly asked: string; readonly copies: number }>()("test/Given") {}

/** How often services are copied while as much is added to a context as a request adds. */
const copiesOf = (around: Context.Context<never>): number => {
  const looks = vi.spyOn(Map.prototype, Symbol.iterator)
  let context = around
  for (let n = 0; n < 20; n++) context = Context.addUnsafe(context, `test/${n}`, n)
  const copies = looks.mock.calls.length
  looks.mockRestore()
  return copies
}

describe("inDeepContext", () => {
  it.effect("copies no services when many are added for a request", () =>
    Effect.gen(function* () {
      const layer = Layer.effect(
        Given,
        Effect.gen(function* () {
          return { asked: yield* Asked, copies: copiesOf(yield* Effect.context<never>()) }
        })
      )
      const given = yield* Given.pipe(Effect.provide(inDeepContext(layer)), Effect.provideService(Asked, "asked"))
      assert.deepStrictEqual(given, { asked: "asked", copies: 0 })
      assert.isAbove(copiesOf(yield* Effect.context<never>()), 0)
    })
  )

  it.effect("releases what the layer holds with the scope around it", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      let isReleased = false
      const layer = Layer.effect(
        Given,
        Effect.acquireRelease(Effect.succeed({ asked: "nothing", copies: 0 }), () =>
          Effect.sync(() => (isReleased = true))
        )
      )
      yield* Layer.buildWithScope(inDeepContext(layer), scope)
      assert.isFalse(isReleased)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      assert.isTrue(isReleased)
    })
  )
})
