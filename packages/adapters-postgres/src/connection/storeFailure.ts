import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { UnreadableRow } from "@loopbox/core/kernel/UnreadableRow"

/** How long one call of a store may take, the wait for a connection included. */
export const CallTimeout = Context.Reference<Duration.Duration>("@loopbox/adapters-postgres/CallTimeout", {
  defaultValue: () => Duration.seconds(10)
})

/** SQLSTATE of an answer of the server; absent where the connection failed. */
const sqlState = (error: SqlError): string | undefined => {
  const cause = error.reason.cause
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined
}

/**
 * Classes of SQLSTATE that pass: invalid authorisation (a password that is being changed), no such database (while it is
 * restored), insufficient resources, operator intervention (shutdown, start, cancel), system error, and a standby that
 * was reached instead of the primary.
 */
const passing = /^(28|3D|53|57|58|25006|25P0[34]|55P0[36])/

/** Does the database, not the statement, keep the call from being answered? */
export const isUnavailable = (error: SqlError): boolean => error.isRetryable || passing.test(sqlState(error) ?? "")

/** The server rolled back, or nothing reached it. */
const isSurelyUndone = (error: SqlError): boolean =>
  error.reason.operation === "connect" ||
  ["DeadlockError", "SerializationError", "LockTimeoutError", "StatementTimeoutError"].includes(error.reason._tag)

/** Failures that a second try mends, and that surely had no effect: 40P01 and 40001. */
const isConflict = (error: unknown): boolean =>
  isSqlError(error) && (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")

const laterConflicts = {
  while: isConflict,
  times: 2,
  schedule: Schedule.jittered(Schedule.exponential("20 millis"))
}

/** Three more tries after a conflict. Set up only then, for nearly all calls have none. */
const retried = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchIf(self, isConflict, () => Effect.delay(Effect.retry(self, laterConflicts), "10 millis"))

/** A failed ROLLBACK, which is what a lost connection leads to, hides the first failure as a defect. */
export const findSqlError = <E>(cause: Cause.Cause<E>): SqlError | undefined => {
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    if (isSqlError(error)) return error
  }
  return undefined
}

const unavailable = Metric.counter("loopbox_store_unavailable_total", {
  description: "Calls of stores that the database could not answer, by operation",
  incremental: true
})

/**
 * A metric of its own for each operation: one that is given its operation with each update works out the name of the series
 * anew whenever another operation was measured before it.
 */
const secondsOf = (operation: string) =>
  Metric.histogram("loopbox_store_call_seconds", {
    description: "Seconds of calls of stores, by operation, however they ended",
    boundaries: [0.005, 0.025, 0.1, 0.5, 2, 10],
    attributes: { operation }
  })

/** Measures a call by the monotonic clock. */
const timed = (operation: string) => {
  const ofOperation = secondsOf(operation)
  return <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const began = clock.currentTimeNanosUnsafe()
      return Effect.onExit(self, () => {
        ofOperation.updateUnsafe(Number(clock.currentTimeNanosUnsafe() - began) / 1e9, fiber.context)
        return Effect.void
      })
    })
}

/** Counts a call that the database could not answer. */
const counted = <E>(operation: string, failure: Effect.Effect<never, E>): Effect.Effect<never, E> =>
  Effect.andThen(Metric.update(Metric.withAttributes(unavailable, { operation }), 1), failure)

const toStoreFailure = (operation: string, committed: StoreUnavailable["committed"], error: SqlError) =>
  isUnavailable(error)
    ? counted(
        operation,
        Effect.fail(
          new StoreUnavailable({ operation, committed: isSurelyUndone(error) ? "no" : committed, cause: error })
        )
      )
    : Effect.die(error)

/**
 * A fiber's exit, or nothing when it has none in time.
 *
 * By a timer and an observer: `Effect.timeoutOption` starts two more fibers, three times as dear, with every call of a
 * store. In real time, whatever clock a test has: so does the database answer.
 */
const exitWithin = <A, E>(fiber: Fiber.Fiber<A, E>, duration: Duration.Duration) =>
  Effect.callback<Option.Option<Exit.Exit<A, E>>>((resume) => {
    const timer = setTimeout(() => resume(Effect.succeedNone), Duration.toMillis(duration))
    const unobserve = fiber.addObserver((exit) => {
      clearTimeout(timer)
      resume(Effect.succeedSome(exit))
    })
    return Effect.sync(() => {
      clearTimeout(timer)
      unobserve()
    })
  })

/**
 * Waits at most so long, and leaves behind what is not done by then.
 *
 * Interrupting a statement waits for the server to confirm, up to ten seconds when it hangs, so the work runs in a
 * fiber of its own and a time-out does not wait for its end.
 */
const within = <A, E, R, E2>(
  self: Effect.Effect<A, E, R>,
  duration: Duration.Duration,
  orElse: Effect.Effect<never, E2>
): Effect.Effect<A, E | E2, R> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(Effect.interruptible(self), { startImmediately: true }), (fiber) =>
      restore(exitWithin(fiber, duration)).pipe(
        Effect.onInterrupt(() => Fiber.interrupt(fiber)),
        Effect.flatMap((exit): Effect.Effect<A, E | E2> => {
          if (Option.isSome(exit)) return exit.value
          fiber.interruptUnsafe()
          return orElse
        })
      )
    )
  )

type OfDatabase = SqlError | Schema.SchemaError

/** What is left of an effect's failures once the database's own are told as `StoreUnavailable`. */
export type Told<E> = Exclude<E, OfDatabase> | StoreUnavailable

const isOwn = <E>(error: E): error is Exclude<E, OfDatabase> => !isSqlError(error) && !Schema.isSchemaError(error)

/**
 * The end of every store method: 40P01 and 40001 are tried again, a database that is away or hangs is
 * `StoreUnavailable` within `CallTimeout`, and a wrong statement is a defect; so is a row that does not decode, as
 * `UnreadableRow`.
 *
 * `atLeast` is for the few calls that may take longer than a request.
 */
export const storeCallWithin =
  (timeout: Duration.Duration) =>
  (operation: string, committed: StoreUnavailable["committed"], atLeast: Duration.Duration = Duration.zero) => {
    const longest = Duration.max(timeout, atLeast)
    // Made only when it is needed: an error with its stack costs more than the call around a statement.
    const late = Effect.suspend(() =>
      counted(
        operation,
        Effect.fail(new StoreUnavailable({ operation, committed, cause: new Error("no answer in time") }))
      )
    )
    const measured = timed(operation)
    return <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, Told<E>, R> =>
      measured(within(retried(self), longest, late)).pipe(
        Effect.catchCause((cause): Effect.Effect<never, Told<E>> => {
          const error = findSqlError(cause)
          if (error !== undefined) return toStoreFailure(operation, committed, error)
          return Effect.failCause(
            Cause.fromReasons<Told<E>>(
              cause.reasons.map((reason) => {
                if (!Cause.isFailReason(reason)) return reason
                return isOwn(reason.error)
                  ? Cause.makeFailReason(reason.error)
                  : Cause.makeDieReason(new UnreadableRow({ cause: reason.error }))
              })
            )
          )
        })
      )
  }

/** `storeCallWithin` with the time-out in force where the store's layer is built. */
export const makeStoreCall = Effect.map(CallTimeout, storeCallWithin)
