import { assert, describe, it } from "@effect/vitest"
import { Data, Duration, Effect, Exit, Fiber, Metric, Ref, Schema } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { storeCallWithin } from "../../src/connection/storeFailure.ts"

class Refused extends Data.TaggedError("Refused")<{}> {}

const call = storeCallWithin(Duration.seconds(10))("test.call", "unknown")

const withCode = (code: string) => ({ cause: Object.assign(new Error(code), { code }), operation: "query" })
const sqlError = (reason: SqlError.SqlErrorReason) => new SqlError.SqlError({ reason })
const deadlock = sqlError(new SqlError.DeadlockError(withCode("40P01")))
const shutdown = sqlError(new SqlError.UnknownError(withCode("57P01")))
const refusedConnection = sqlError(new SqlError.ConnectionError({ cause: new Error("refused"), operation: "connect" }))
const lostConnection = sqlError(new SqlError.ConnectionError({ cause: new Error("lost"), operation: "query" }))

describe("storeCall", () => {
  it.live("tries a deadlock again three times, then says that nothing was written", () =>
    Effect.gen(function* () {
      const tries = yield* Ref.make(0)
      const error = yield* Effect.flip(
        call(
          Effect.andThen(
            Ref.update(tries, (n) => n + 1),
            Effect.fail(deadlock)
          )
        )
      )
      assert.strictEqual(yield* Ref.get(tries), 4)
      assert.deepStrictEqual([error._tag, error.committed], ["StoreUnavailable", "no"])
    })
  )

  it.effect("tells a database that shuts down, a connection that was lost and one that was refused apart", () =>
    Effect.gen(function* () {
      const committed = yield* Effect.forEach([shutdown, lostConnection, refusedConnection], (error) =>
        Effect.map(Effect.flip(call(Effect.fail(error))), (failure) => failure.committed)
      )
      assert.deepStrictEqual(committed, ["unknown", "unknown", "no"])
    })
  )

  it.effect("finds the database's failure where a failed rollback made it a defect", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(call(Effect.die(lostConnection)))
      assert.strictEqual(error._tag, "StoreUnavailable")
    })
  )

  it.effect("dies of a wrong statement and of a row that does not decode", () =>
    Effect.gen(function* () {
      const wrong = sqlError(new SqlError.SqlSyntaxError(withCode("42601")))
      const undecodable = Schema.decodeUnknownEffect(Schema.Int)("x")
      for (const self of [Effect.fail(wrong), undecodable]) {
        const exit = yield* Effect.exit(call<unknown, SqlError.SqlError | Schema.SchemaError, never>(self))
        assert.isTrue(Exit.isFailure(exit) && Exit.hasDies(exit))
      }
    })
  )

  it.effect("passes the store's own refusals", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(call(new Refused())))._tag, "Refused")
    })
  )

  it.effect("answers after the time-out, also when the work can't be interrupted", () =>
    Effect.gen(function* () {
      // In real time, whatever clock a test has.
      const brief = storeCallWithin(Duration.millis(200))("test.brief", "unknown")
      const stuck = brief(Effect.uninterruptible(Effect.sleep("1 hour")))
      const fiber = yield* Effect.forkChild(Effect.flip(stuck))
      const error = yield* Fiber.join(fiber)
      assert.deepStrictEqual([error._tag, error.committed], ["StoreUnavailable", "unknown"])
      yield* TestClock.adjust("1 hour")
    })
  )

  it.effect("measures each call by its operation, however it ends", () =>
    Effect.gen(function* () {
      const measured = storeCallWithin(Duration.seconds(10))("test.measured", "no")
      const fiber = yield* Effect.forkChild(measured(Effect.sleep("200 millis")))
      yield* TestClock.adjust("200 millis")
      yield* Fiber.join(fiber)
      yield* Effect.flip(measured(Effect.fail(new Refused())))
      const found = (yield* Metric.snapshot).find(
        ({ attributes, id }) => id === "loopbox_store_call_seconds" && attributes?.["operation"] === "test.measured"
      )
      assert.isTrue(found?.type === "Histogram" && found.state.count === 2 && Math.abs(found.state.sum - 0.2) < 0.01)
    })
  )
})
