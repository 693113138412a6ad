import { SweepTurns } from "@loopbox/core/kernel/lease/SweepTurns"
import { noon } from "@loopbox/testing/fixtures/activities"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect } from "effect"
import { layerStores } from "../../testDatabase.ts"

const after = (minutes: number) => DateTime.add(noon, { minutes })

/** Takes the turn at a minute, for one minute. */
const take = Effect.fnUntraced(function* (kind: "inbox" | "media", token: string, minute: number) {
  const turns = yield* SweepTurns
  const every = Duration.minutes(10)
  return yield* turns.take({
    kind,
    token,
    every,
    now: after(minute),
    leaseNow: after(minute),
    leaseUntil: after(minute + 1)
  })
})

layer(layerStores(), { excludeTestServices: true })("Turns of sweeps: postgres", (it) => {
  it.effect("go to one of many processes at a time, and again when the sweep is due", () =>
    Effect.gen(function* () {
      const turns = yield* SweepTurns
      const taken = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, n) => `t${n}`),
        (token) => Effect.map(take("inbox", token, 0), (isTaken) => (isTaken ? [token] : [])),
        { concurrency: "unbounded" }
      )
      const [token = ""] = taken.flat()
      assert.lengthOf(taken.flat(), 1)
      yield* turns.renew({ kind: "inbox", token }, after(5))
      assert.isFalse(yield* take("inbox", "other", 4))
      assert.deepStrictEqual(yield* turns.last, new Map())
      yield* turns.settle({ kind: "inbox", token }, after(0))
      assert.deepStrictEqual(yield* turns.last, new Map([["inbox", after(0)]]))
      assert.isFalse(yield* take("inbox", "early", 9))
      assert.isTrue(yield* take("inbox", "due", 10))
    })
  )

  it.effect("are free when the lease of a process that died is over, or when it is handed back", () =>
    Effect.gen(function* () {
      const turns = yield* SweepTurns
      assert.isTrue(yield* take("media", "dead", 0))
      assert.isTrue(yield* take("media", "heir", 1))
      assert.strictEqual(
        (yield* Effect.flip(turns.settle({ kind: "media", token: "dead" }, after(0))))._tag,
        "LeaseLost"
      )
      yield* turns.release({ kind: "media", token: "heir" })
      assert.isTrue(yield* take("media", "next", 1))
    })
  )
})
