import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { LoopName } from "./LoopName.ts"

/** Failed iterations of background loops. Attributes: `loop`, `kind` (defect, unavailable). */
export const faults = Metric.counter("loopbox_loop_faults_total", {
  description: "Turns of background loops that failed; the loop goes on",
  incremental: true
})

export interface LoopOptions {
  /** Pause after a successful iteration. Default: none, for an iteration that waits itself. */
  readonly every?: Duration.Input
  /** Runs up to the first asynchronous step before the call returns. */
  readonly startImmediately?: boolean
}

/** Short, since a store may be back at any moment and asking it is cheap. */
const unavailablePause = Duration.seconds(1)
const longestPause = Duration.seconds(30)

/** After a defect: 1 s, 2 s, 4 s … at most 30 s, so that a permanent bug does not use a whole core or flood the log. */
export const defectPause = (faultsInRow: number): Duration.Duration =>
  Duration.min(Duration.seconds(2 ** Math.min(faultsInRow - 1, 5)), longestPause)

/**
 * Repeats `turn` until the scope closes, also after failures and defects.
 *
 * A defect is logged with the name of the loop, counted, and followed by a growing pause. `StoreUnavailable` is logged
 * once per outage and followed by a pause of one second. Effect does not report the failure of a fiber that nothing
 * observes, so a loop forked without this would stop at its first defect, without a log line. Interruption ends the
 * loop.
 */
export const supervised = Effect.fnUntraced(function* <R>(
  loop: LoopName,
  turn: Effect.Effect<unknown, StoreUnavailable, R>,
  { every, startImmediately = false }: LoopOptions = {}
): Effect.fn.Return<void, never, R | Scope.Scope> {
  let faultsInRow = 0
  const rest = every === undefined ? Effect.void : Effect.sleep(every)

  const recover = Effect.fnUntraced(function* (cause: Cause.Cause<StoreUnavailable>) {
    const isDefect = cause.reasons.some(({ _tag }) => _tag !== "Fail")
    yield* Metric.update(Metric.withAttributes(faults, { loop, kind: isDefect ? "defect" : "unavailable" }), 1)
    if (!isDefect) {
      const isNew = faultsInRow === 1
      yield* isNew ? Effect.logWarning("a loop waits for its store", cause) : Effect.logDebug("the store is still away")
      return yield* Effect.sleep(unavailablePause)
    }
    const pause = defectPause(faultsInRow)
    yield* Effect.logError("a loop met a defect and goes on", cause).pipe(
      Effect.annotateLogs({ in_a_row: faultsInRow, retry_after_ms: Duration.toMillis(pause) })
    )
    yield* Effect.sleep(pause)
  })

  const supervisedTurn = Effect.gen(function* () {
    const began = yield* Clock.monotonicTimeNanos
    // The interruption of the loop itself does not arrive here: a cause in `exit` comes from the turn.
    const exit = yield* Effect.exit(turn)
    if (exit._tag === "Success") {
      faultsInRow = 0
      return yield* rest
    }
    // The turn of a listener lasts until it fails, so faults that are hours apart do not count as consecutive.
    const lasted = (yield* Clock.monotonicTimeNanos) - began
    faultsInRow = lasted > Duration.toNanosUnsafe(longestPause) ? 1 : faultsInRow + 1
    yield* recover(exit.cause)
  })

  yield* supervisedTurn.pipe(Effect.forever, Effect.annotateLogs({ loop }), Effect.forkScoped({ startImmediately }))
})

/**
 * Calls `handle` with each value of a stream until the scope closes; supervised. Subscribes again after a failure of
 * the stream or of `handle`, but not after the stream has ended.
 */
export const supervisedStream = <A, R, R2>(
  loop: LoopName,
  stream: Stream.Stream<A, StoreUnavailable, R>,
  handle: (value: A) => Effect.Effect<unknown, StoreUnavailable, R2>,
  options?: Pick<LoopOptions, "startImmediately">
): Effect.Effect<void, never, R | R2 | Scope.Scope> =>
  supervised(loop, Effect.andThen(Stream.runForEach(stream, handle), Effect.never), options)
