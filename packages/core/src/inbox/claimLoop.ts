import * as Effect from "effect/Effect"
import type * as Duration from "effect/Duration"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"

export interface ClaimLoop<C, R> {
  readonly atOnce: number
  /** What one claim may take at most; as much as is free unless said. */
  readonly claimAtOnce?: number
  readonly pollEvery: Duration.Input
  /** Takes at most so many; never fails. */
  readonly claim: (limit: number) => Effect.Effect<ReadonlyArray<C>, never, R>
  /** Works on one until it is settled; never fails. */
  readonly run: (claim: C) => Effect.Effect<void, never, R>
  /** Says that there may be something to claim; saves waiting. */
  readonly wakeUps: Stream.Stream<unknown>
}

/** Keeps at most `atOnce` claims running; a slow one holds no other up. */
export const claimLoop = Effect.fnUntraced(function* <C, R>(options: ClaimLoop<C, R>) {
  const wakeUps = yield* Queue.sliding<void>(1)
  const wake = Queue.offer(wakeUps, undefined)
  const scope = yield* Effect.scope
  let running = 0
  yield* options.wakeUps.pipe(
    Stream.runForEach(() => wake),
    Effect.forkScoped
  )
  const start = (claim: C) =>
    Effect.suspend(() => {
      running += 1
      return options.run(claim).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            running -= 1
            return wake
          })
        ),
        Effect.forkIn(scope)
      )
    })
  yield* Effect.gen(function* () {
    const free = Math.min(options.atOnce - running, options.claimAtOnce ?? options.atOnce)
    const claims = free > 0 ? yield* options.claim(free) : []
    yield* Effect.forEach(claims, start, { discard: true })
    if (running >= options.atOnce) yield* Queue.take(wakeUps)
    else if (claims.length < free) yield* Effect.raceFirst(Queue.take(wakeUps), Effect.sleep(options.pollEvery))
  }).pipe(Effect.forever, Effect.forkScoped)
})
