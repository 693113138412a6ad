import { PgAdapters } from "@loopbox/adapters-postgres"
import { JobSignals } from "@loopbox/core/jobs/JobSignals"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { noon } from "@loopbox/testing/fixtures/activities"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Queue, Stream } from "effect"
import { testDatabase } from "../testDatabase.ts"

/** A process over the database, and what wakes it. */
const makeProcess = Effect.fnUntraced(function* (target: PgAdapters.Target) {
  const process = yield* Layer.build(Layer.fresh(PgAdapters.layerTarget(target, { migrate: false })))
  const deliveries = Context.get(process, WebhookDeliveries)
  const jobs = Context.get(process, JobSignals)
  const woken = yield* Queue.unbounded<"arrival" | "job">()
  yield* deliveries.arrivals.pipe(
    Stream.runForEach(() => Queue.offer(woken, "arrival")),
    Effect.forkScoped
  )
  yield* jobs.signals.pipe(
    Stream.runForEach(() => Queue.offer(woken, "job")),
    Effect.forkScoped
  )
  const store = (id: string) =>
    deliveries.store({ id, endpoint: "instagram", body: new Uint8Array([1]), arrivedAt: noon }, noon)
  /** Over NOTIFY alone, so that what is told before it has come, too. */
  const tellJob = jobs.tell({ _tag: "Submitted" })
  /** Tells until it hears both ways. */
  const listens = Effect.gen(function* () {
    yield* Effect.raceFirst(Effect.forever(Effect.andThen(tellJob, Effect.yieldNow)), Queue.take(woken))
    yield* tellJob
    yield* Effect.repeat(Queue.take(woken), { until: (word) => word === "job" })
  })
  return { store, tellJob, listens, woken }
})

layer(Layer.empty, { excludeTestServices: true })("what a process tells, it", (it) => {
  it.effect("hears once, as another process does", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      const [teller, other] = [yield* makeProcess(target), yield* makeProcess(target)]
      yield* teller.listens
      yield* other.listens
      const untilArrival = Effect.repeat(Queue.take(other.woken), { until: (word) => word === "arrival" })
      let own = 0
      for (const id of ["one", "two", "three"]) {
        yield* teller.store(id)
        // NOTIFY has brought it to the other, so it has come back as well, before what is told now.
        yield* untilArrival
        const words: Array<string> = []
        while (!words.includes("arrival") || words.at(-1) !== "job") {
          yield* teller.tellJob
          words.push(yield* Queue.take(teller.woken))
        }
        own += words.filter((word) => word === "arrival").length
      }
      assert.strictEqual(own, 3)
      // What the other tells is no echo.
      yield* other.store("four")
      yield* Effect.repeat(Queue.take(teller.woken), { until: (word) => word === "arrival" })
    }).pipe(Effect.scoped)
  )
})
