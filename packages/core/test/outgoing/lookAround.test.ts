import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import * as DeliveryWorker from "../../src/outgoing/DeliveryWorker.ts"
import { OutgoingQueue } from "../../src/outgoing/OutgoingQueue.ts"
import { layerInbox } from "@loopbox/testing/layers/inboxLayers"

/** When a worker looks at all workspaces with endpoints in three minutes, in ms, if a look takes so long. */
const looksOf = (took_ms: number) =>
  Effect.gen(function* () {
    const looks: Array<number> = []
    const queue = yield* OutgoingQueue
    const lagging: typeof queue.lagging = (limit, among) =>
      Option.isSome(among)
        ? queue.lagging(limit, among)
        : Clock.currentTimeMillis.pipe(
            Effect.tap((now) => Effect.sync(() => looks.push(now))),
            Effect.andThen(Effect.sleep(took_ms)),
            Effect.andThen(queue.lagging(limit, among))
          )
    yield* Layer.build(
      DeliveryWorker.layer().pipe(Layer.provide(Layer.succeed(OutgoingQueue, OutgoingQueue.of({ ...queue, lagging }))))
    )
    yield* TestClock.adjust("3 minutes")
    return looks.slice(1).map((at, n) => at - (looks[n] ?? 0))
  }).pipe(Effect.scoped, Effect.provide(layerInbox))

describe("A worker looks at all workspaces with endpoints", () => {
  it.effect("every five seconds where that is quick", () =>
    Effect.gen(function* () {
      const pauses = yield* looksOf(20)
      assert.isAtLeast(pauses.length, 30)
      for (const pause of pauses) assert.isAtMost(pause, 6_100)
    })
  )

  it.effect("for a hundredth of its time at most where there are very many, and every half a minute in any case", () =>
    Effect.gen(function* () {
      const slow = yield* looksOf(180)
      assert.isAtLeast(slow.length, 8)
      for (const pause of slow) assert.isAtLeast(pause, 18_000)
      const slowest = yield* looksOf(2_000)
      assert.isAtLeast(slowest.length, 4)
      for (const pause of slowest) assert.isAtMost(pause, 34_000)
    })
  )
})
