import { networks } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { sandboxed } from "./sandboxed.ts"

describe("Sandbox: faults", () => {
  it.effect("twice is the same bytes twice", () =>
    Effect.gen(function* () {
      const { arrived, sandbox, told } = yield* sandboxed()
      yield* sandbox.comment({ network: "facebook", text: "once" }, { times: 2 })
      const [one, two] = yield* told
      assert.strictEqual(arrived.length, 2)
      assert.deepStrictEqual(arrived[0]?.body, arrived[1]?.body)
      assert.deepStrictEqual(one, two)
    })
  )

  it.effect("a wrong, missing, old or re-made signature is refused by the gate, and sent once", () =>
    Effect.gen(function* () {
      const { arrived, read, sandbox } = yield* sandboxed({ answer: () => 401 })
      for (const network of networks) {
        for (const signature of ["wrong", "none", "sha1", "reserialised"] as const) {
          yield* sandbox.comment({ network, text: "grüße" }, { signature })
        }
      }
      yield* sandbox.settled
      assert.deepStrictEqual(new Set(arrived.map((one) => read(one).verdict)), new Set(["refused"]))
      assert.strictEqual(arrived.length, 16)
    })
  )

  it.effect("late comes when its time has come", () =>
    Effect.gen(function* () {
      const { arrived, sandbox } = yield* sandboxed()
      yield* sandbox.comment({ network: "x", text: "late" }, { delay_ms: 3_600_000 })
      const settled = yield* Effect.forkChild(sandbox.settled)
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual(arrived.length, 0)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(settled)
      assert.strictEqual(arrived.length, 1)
    })
  )

  it.effect("what is held goes out turned round, or as one batch", () =>
    Effect.gen(function* () {
      const { arrived, sandbox, told } = yield* sandboxed()
      const write = Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
        for (const text of texts) yield* sandbox.comment({ network: "facebook", text }, { is_held: true })
      })
      const bodies = Effect.map(told, (all) => all.flatMap((one) => (one._tag === "Posted" ? [one.body] : [])))
      yield* write(["one", "two", "three"])
      assert.deepStrictEqual(yield* bodies, [])
      assert.strictEqual(yield* sandbox.release({ order: "reversed" }), 3)
      assert.deepStrictEqual(yield* bodies, ["three", "two", "one"])
      yield* write(["four", "five"])
      yield* sandbox.release({ is_batched: true })
      assert.deepStrictEqual((yield* bodies).slice(3), ["four", "five"])
      assert.strictEqual(arrived.length, 4)
    })
  )

  it.effect("what is not taken comes again, ever more rarely, and then no more", () =>
    Effect.gen(function* () {
      const { arrived, sandbox } = yield* sandboxed({ answer: (nth) => (nth < 3 ? 503 : 200) })
      yield* sandbox.comment({ network: "threads", text: "again" })
      const settled = yield* Effect.forkChild(sandbox.settled)
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(settled)
      assert.deepStrictEqual(
        (yield* sandbox.records).map(({ statuses }) => statuses),
        [[503, 503, 200]]
      )
      assert.deepStrictEqual(arrived[0]?.body, arrived[2]?.body)
    })
  )
})
