import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Tracer from "effect/Tracer"
import type { LeaseLost } from "../../kernel/lease/LeaseLost.ts"
import { inTraceOf } from "../../kernel/recordTrace.ts"
import type { StoreUnavailable } from "../../kernel/StoreUnavailable.ts"
import { attemptsOf, lag } from "../deliveryMetrics.ts"
import { isDelivered, isGone, judgeAttempt } from "../judgeAttempt.ts"
import type { AttemptRecord, OutgoingDelivery } from "../OutgoingDelivery.ts"
import type { OutgoingEndpoint } from "../OutgoingEndpoint.ts"
import { type EndedAttempt, type LanePlace, type OutgoingClaim, OutgoingQueue } from "../OutgoingQueue.ts"
import { LaneRun } from "./LaneRun.ts"
import { makeAttempt } from "./makeAttempt.ts"
import { type LanePlaces, makePlaces, slow_ms } from "./places.ts"
import { Unwritten } from "./Unwritten.ts"

export interface ServeOptions {
  /** Attempts at a time in this process, of all endpoints. */
  readonly atOnce: number
  /** Whether other lanes wait for this process to be done with some. */
  readonly isCrowded: () => boolean
}

/** How long a lane is served where others wait. */
const turn_ms = 10_000

/** Attempts of one settlement. */
const settledAtOnce = 256

/** Before what the store could not take is written once more. */
const storePause = "1 second"

/** Slow endpoints that are remembered as such. */
const rememberedAtMost = 10_000

/** How long a worker waits before it looks at a lane again by itself. */
const lookAgain = "500 millis"

const outcomeOf = (attempt: AttemptRecord): string =>
  isDelivered(attempt)
    ? "delivered"
    : Option.getOrElse(attempt.error, () => String(Option.getOrElse(attempt.status, () => 0)))

/** Writes what came of attempts, and goes on asking while the store is away and the lease lasts. */
const makeSettle = Effect.gen(function* () {
  const queue = yield* OutgoingQueue
  const write = Effect.fnUntraced(function* ({ lane }: LaneRun, ended: ReadonlyArray<EndedAttempt>) {
    const at = yield* DateTime.now
    const [failed, delivered] = [
      ended.filter(({ attempt }) => !isDelivered(attempt)),
      ended.filter(({ attempt }) => isDelivered(attempt))
    ]
    if (delivered.length > 0) {
      const results = yield* queue.succeed(
        delivered.map((one) => ({ ...one, lane })),
        at
      )
      const lost = results.find(Result.isFailure)
      if (lost !== undefined) return yield* Effect.fail(lost.failure)
    }
    if (failed.length > 0) {
      const randoms = new Map<string, number>()
      for (const { delivery } of failed) randoms.set(delivery.id, yield* Random.next)
      const judge = (endpoint: OutgoingEndpoint, { attempt, delivery }: EndedAttempt) =>
        judgeAttempt(endpoint, delivery, attempt, { at, random: randoms.get(delivery.id) ?? 0 })
      yield* queue.settle(lane, failed, judge, at)
    }
  })
  const context = yield* Effect.context<never>()
  const count = (ended: ReadonlyArray<EndedAttempt>): void => {
    for (const { attempt, delivery } of ended) {
      attemptsOf(outcomeOf(attempt)).updateUnsafe(1, context)
      if (delivery.attempts > 0) continue
      lag.updateUnsafe(Duration.toSeconds(DateTime.distance(delivery.createdAt, attempt.at)), context)
    }
  }
  /** Writes all that has ended. Not interrupted: a success that is being written must not be handed back meanwhile. */
  const flush = (run: LaneRun): Effect.Effect<void, LeaseLost | StoreUnavailable> =>
    Effect.uninterruptible(
      Effect.suspend(() => {
        const some = run.firstEnded(settledAtOnce)
        if (some.length === 0) return Effect.void
        return Effect.andThen(write(run, some), () => {
          run.written(some)
          count(some)
          return flush(run)
        })
      })
    )
  return flush
})

/**
 * Sends what is due of a lane until nothing more is, and then gives it back.
 *
 * Answers are written in batches beside the sending. What this worker has in hand when it dies is sent again, with the same
 * ids: attempts under way, and those answered in the moment before, as few as `LaneRun.hasRoom` allows.
 */
export const makeServeLane = Effect.fnUntraced(function* ({ atOnce, isCrowded }: ServeOptions) {
  const queue = yield* OutgoingQueue
  const places = makePlaces(atOnce)
  const unwritten = new Unwritten()
  const attemptOf = yield* makeAttempt
  const flush = yield* makeSettle
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const slow = new Set<string>()
  // A span costs as much as a signature, and nobody sees those of the tracer that is there by default.
  const isTraced = (yield* Tracer.Tracer) !== Tracer.nativeTracer

  const begin = (run: LaneRun, own: LanePlaces, wakes: Wakes, delivery: OutgoingDelivery) => {
    const began = now()
    const over = () => {
      places.give(own)
      Queue.offerUnsafe(wakes.answered, undefined)
      Queue.offerUnsafe(wakes.turned, undefined)
    }
    const attempt = attemptOf(run, delivery)
    // Once the answer is there, it is kept, whoever interrupts.
    return Effect.onExit(isTraced ? inTraceOf(delivery.id, "delivery.attempt")(attempt) : attempt, (exit) =>
      Effect.suspend(() => {
        const took_ms = now() - began
        own.isSlow = took_ms >= slow_ms
        if (Exit.isSuccess(exit)) {
          if (exit.value === undefined) run.close(delivery)
          else {
            run.answered({ delivery, attempt: exit.value }, { now: now(), took_ms })
            // What has not begun is not sent any more: it is canceled with what is written next.
            if (isGone(exit.value)) run.isClosing = true
          }
          over()
          return Effect.void
        }
        // The lane is not given back before its lease ends, so that a fault that stays is not met again at once.
        run.isClosing = true
        run.hasFault = true
        run.close(delivery)
        over()
        return Cause.hasInterruptsOnly(exit.cause)
          ? Effect.void
          : Effect.logError("an attempt could not be made; it is made when its lane's lease ends", exit.cause)
      })
    )
  }

  const readNext = (run: LaneRun, wanted: { readonly after: Option.Option<LanePlace>; readonly limit: number }) =>
    Effect.gen(function* () {
      const batch = yield* queue.next(run.lane, { ...wanted, now: yield* DateTime.now })
      run.read(batch, now())
    }).pipe(
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.andThen(Effect.logWarning("an endpoint's queue could not be read yet", error), Effect.sleep(storePause))
      )
    )

  const dispatch = Effect.fnUntraced(function* (run: LaneRun, own: LanePlaces, wakes: Wakes, scope: Scope.Scope) {
    const began = now()
    while (true) {
      if (isCrowded() && now() - began > turn_ms) run.isClosing = true
      const wanted = run.wants(now())
      if (wanted !== undefined) yield* readNext(run, wanted)
      // An answer of its own makes room: no place of all is waited for before.
      const paused_ms = run.pausedFor(now())
      const mayBegin = paused_ms === 0 && run.hasRoom && own.taken < run.places
      const delivery = mayBegin ? run.take() : undefined
      if (delivery !== undefined) {
        yield* Effect.uninterruptibleMask((restore) =>
          Effect.andThen(
            restore(places.take(own, run.places)),
            Effect.forkIn(begin(run, own, wakes, delivery), scope, { startImmediately: true })
          )
        )
      } else if (paused_ms > 0) {
        yield* Effect.timeoutOption(Queue.take(wakes.turned), Duration.millis(paused_ms))
      } else if (run.isIdle && run.wants(now()) === undefined) {
        return
      } else {
        yield* mayBegin && !run.isClosing
          ? Effect.timeoutOption(Queue.take(wakes.turned), lookAgain)
          : Queue.take(wakes.turned)
      }
    }
  })

  /** Never ends by itself; fails when the lane is lost. */
  const settle = (run: LaneRun, wakes: Wakes) =>
    Queue.take(wakes.answered).pipe(
      Effect.andThen(flush(run)),
      Effect.catchTag("StoreUnavailable", (error) =>
        Effect.andThen(Effect.logWarning("answers of an endpoint could not be written yet", error), () => {
          Queue.offerUnsafe(wakes.answered, undefined)
          return Effect.sleep(storePause)
        })
      ),
      Effect.andThen(Effect.sync(() => Queue.offerUnsafe(wakes.turned, undefined))),
      Effect.forever
    )

  return Effect.fnUntraced(function* (claim: OutgoingClaim) {
    const { endpointId } = claim.lane
    const wakes: Wakes = { answered: yield* Queue.sliding<void>(1), turned: yield* Queue.sliding<void>(1) }
    const isSlow = slow.has(endpointId)
    const run = new LaneRun(claim, { isSlow, now: now(), unwritten })
    const own = places.enter(isSlow)
    const left = Effect.suspend(() => {
      places.leave(own)
      if (own.isSlow && slow.size < rememberedAtMost) slow.add(endpointId)
      else if (!own.isSlow) slow.delete(endpointId)
      return flush(run).pipe(
        Effect.catchTag("LeaseLost", () => Effect.void),
        Effect.catchTag("StoreUnavailable", (error) =>
          Effect.logWarning("answers of an endpoint could not be written; what it was sent is sent again", error)
        )
      )
    })
    yield* Effect.scopedWith((scope) => Effect.raceFirst(dispatch(run, own, wakes, scope), settle(run, wakes))).pipe(
      Effect.onExit(() =>
        Effect.ensuring(
          left,
          Effect.sync(() => run.leave())
        )
      )
    )
    if (run.hasFault) return
    yield* Effect.flatMap(DateTime.now, (at) => queue.release(claim.lane, at))
  })
})

interface Wakes {
  readonly answered: Queue.Queue<void>
  readonly turned: Queue.Queue<void>
}
