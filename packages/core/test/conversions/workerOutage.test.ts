import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { engineThat } from "@loopbox/testing/fakes/engines"
import { pausing } from "@loopbox/testing/fakes/faults"
import { away, makeWorkspace, submitGif } from "@loopbox/testing/fixtures/mediaFixtures"
import { layerTest } from "@loopbox/testing/layers/testLayers"
import { startWorker, untilEnded, untilProcessing } from "@loopbox/testing/layers/workers"

describe("ConversionWorker: while the store is away for longer than a lease", () => {
  /** A job of the first worker, which takes a minute, and an idle second worker that asks right after the outage. */
  const outageOf = Effect.fnUntraced(function* (isFirstAlive: boolean) {
    let isAway = false
    let encodings = 0
    const fault = {
      before: () => (isAway ? Effect.fail(away()) : Effect.void),
      after: () => Effect.void
    }
    const engine = engineThat(() => {
      encodings++
      return Effect.sleep("1 minute")
    })
    const { job } = yield* submitGif(yield* makeWorkspace())
    const hung = pausing()
    yield* startWorker({ engine, fault: isFirstAlive ? fault : hung.fault }, !isFirstAlive)
    yield* untilProcessing(job)
    if (!isFirstAlive) yield* hung.pause
    yield* TestClock.adjust("100 millis")
    yield* startWorker({ engine, fault })
    yield* TestClock.adjust("1 second")
    isAway = true
    // The second worker's next claim comes 50 ms later, the first worker's next heartbeat 150 ms after that.
    yield* TestClock.adjust("29950 millis")
    isAway = false
    return { job: yield* untilEnded(job, 120), encodings }
  })

  it.effect("a running job stays with its worker, and no attempt is counted", () =>
    Effect.gen(function* () {
      const { encodings, job } = yield* outageOf(true)
      assert.deepStrictEqual([job._tag, job.attempts, encodings], ["SucceededJob", 1, 1])
    }).pipe(Effect.provide(layerTest))
  )

  it.effect("a job whose worker died is taken by another one afterwards", () =>
    Effect.gen(function* () {
      const { encodings, job } = yield* outageOf(false)
      assert.deepStrictEqual([job._tag, job.attempts, encodings], ["SucceededJob", 2, 2])
    }).pipe(Effect.provide(layerTest))
  )
})
