import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Metric from "effect/Metric"
import * as Queue from "effect/Queue"
import * as Semaphore from "effect/Semaphore"
import type * as Stream from "effect/Stream"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { toBase32 } from "../Ids.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import { LeaseClock } from "./LeaseClock.ts"
import type { LoopName } from "./LoopName.ts"
import { makeStoreContact, StoreContact } from "./StoreContact.ts"
import { faults, supervised, supervisedStream } from "./supervised.ts"

/** The parameters of every claim of leased work. */
export interface LeaseRequest {
  readonly limit: number
  /** Fencing token, new for each request. Settling requires the token of the current lease. */
  readonly token: string
  /** On the lease clock. A lease that ends before this has expired. Earlier than the clock after an outage of the store. */
  readonly leaseNow: DateTime.Utc
  /** When the lease expires, unless it is renewed. */
  readonly leaseUntil: DateTime.Utc
}

export interface ClaimLoop<C, R> {
  readonly loop: LoopName
  readonly atOnce: number
  /** Largest batch of one claim. Default: all free slots. */
  readonly claimAtOnce?: number
  readonly lease: Duration.Input
  /** How often an idle worker looks for work, in case a wake-up is lost. */
  readonly pollEvery: Duration.Input
  /** Claims at most `limit`. */
  readonly claim: (request: LeaseRequest) => Effect.Effect<ReadonlyArray<C>, StoreUnavailable, R>
  /**
   * Processes one claim until it is settled. `free` gives its slot to the next claim before that, once what the slots
   * bound is done and only the settling is left; as many as there are slots may be in that state at once.
   */
  readonly run: (claim: C, free: Effect.Effect<void>) => Effect.Effect<void, never, R>
  /**
   * Whether the end of one may let another be claimed, as where a workspace may have some at a time; where that changes, it
   * is asked at each end. Default: it may.
   */
  readonly endsLetOthers?: boolean | (() => boolean)
  /** Lossy wake-up hints; the loop also polls. */
  readonly wakeUps?: { readonly loop: LoopName; readonly hints: Stream.Stream<unknown, StoreUnavailable, R> }
  /**
   * How long running work may continue after the scope closes, before it is interrupted. Default: it is interrupted at
   * once.
   */
  readonly drain?: Duration.Input
}

/**
 * Runs at most `atOnce` claims at a time until the scope closes, those that are only being settled apart. A slow claim does
 * not block the others.
 *
 * When the scope closes, nothing more is claimed. Running claims have `drain` to finish; then they are interrupted, and
 * `run` releases them (`whileLeased`).
 */
export const claimLoop = Effect.fnUntraced(function* <C, R>(options: ClaimLoop<C, R>) {
  const { claimAtOnce = options.atOnce, drain, endsLetOthers = true, loop, wakeUps } = options
  const letsOthers = typeof endsLetOthers === "boolean" ? () => endsLetOthers : endsLetOthers
  const leaseNow = yield* LeaseClock
  const random = yield* SecureRandom
  const woken = yield* Queue.sliding<void>(1)
  const wake = Queue.offer(woken, undefined)
  // Finalizers run in reverse order: this one is registered before the loop, so that it also interrupts the last claim.
  const fibers = yield* FiberSet.make()
  const claiming = yield* Semaphore.make(1)
  const contact = makeStoreContact()
  /** Claims that have a slot, and all that are not settled yet. */
  let running = 0
  let unsettled = 0
  const slots = () => Math.min(options.atOnce - running, 2 * options.atOnce - unsettled)
  let isClosing = false

  const ask = Effect.fnUntraced(function* (limit: number) {
    const now = yield* leaseNow
    const request = {
      limit,
      token: toBase32(yield* random.randomBytes(16)),
      leaseNow: contact.expiredBefore(now),
      leaseUntil: DateTime.addDuration(now, options.lease)
    }
    return yield* options.claim(request).pipe(
      Effect.tap(() => Effect.sync(() => contact.answered(now))),
      Effect.tapError(() => Effect.sync(() => contact.failed(now)))
    )
  })

  const start = Effect.fnUntraced(function* (claim: C) {
    running += 1
    unsettled += 1
    let hasSlot = true
    const free = Effect.suspend(() => {
      if (!hasSlot) return Effect.void
      const isWaitedFor = letsOthers() || slots() <= 0
      hasSlot = false
      running -= 1
      return isWaitedFor ? wake : Effect.void
    })
    yield* options.run(claim, free).pipe(
      // After a defect the lease expires, and the next claim counts as another attempt.
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.void
          : Effect.andThen(
              Metric.update(Metric.withAttributes(faults, { loop, kind: "defect" }), 1),
              Effect.logError("claimed work met a defect; its lease will end", cause)
            )
      ),
      Effect.provideService(StoreContact, contact),
      Effect.ensuring(
        Effect.suspend(() => {
          const isHeldUp = slots() <= 0
          unsettled -= 1
          return isHeldUp ? Effect.andThen(free, wake) : free
        })
      ),
      FiberSet.run(fibers)
    )
  })

  /**
   * Claims work for the free slots and starts it. Uninterruptible from the store's answer to the start, so that no
   * claim is dropped.
   */
  const claim = (free: number) =>
    Effect.uninterruptibleMask((restore) =>
      restore(ask(free)).pipe(Effect.tap((claims) => Effect.forEach(claims, start, { discard: true })))
    ).pipe(Semaphore.withPermit(claiming))

  if (wakeUps !== undefined) yield* supervisedStream(wakeUps.loop, wakeUps.hints, () => wake)
  yield* supervised(
    loop,
    Effect.gen(function* () {
      if (isClosing) return yield* Effect.never
      const free = Math.min(slots(), claimAtOnce)
      const claims = free > 0 ? yield* claim(free) : []
      if (slots() <= 0) yield* Queue.take(woken)
      else if (claims.length < free) yield* Effect.raceFirst(Queue.take(woken), Effect.sleep(options.pollEvery))
    })
  )
  if (drain === undefined) return
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      isClosing = true
      // Waits for the claim in flight: what it returns may also run to its end.
      yield* Semaphore.take(claiming, 1)
      yield* FiberSet.awaitEmpty(fibers)
    }).pipe(Effect.timeoutOption(drain))
  )
})
