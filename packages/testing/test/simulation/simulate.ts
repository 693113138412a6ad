import { type Duration, Effect, type Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { noFault } from "../../src/fakes/faults.ts"
import { layerSeededRandom, memoryWith } from "../../src/layers/testLayers.ts"
import { makeChance } from "./Chance.ts"
import { addWorkspace, clientCall } from "./clients.ts"
import { checkLeases, LeaseLaw } from "./laws/LeaseLaw.ts"
import { watchJobs } from "./laws/watchJobs.ts"
import { watchRetention } from "./laws/watchRetention.ts"
import { checkInvariants, checkSwept, insist, isActive } from "./invariants.ts"
import type { JobPorts, Plant } from "./planted/PlantedBug.ts"
import { probeQuota } from "./quotaProbe.ts"
import { afresh } from "./Weather.ts"
import { makeWorld, type World } from "./World.ts"

const steps = 40

/** Something happens to a worker: one comes, stands still, goes on, dies without a word or is stopped. */
export const workerEvent = Effect.fnUntraced(function* (world: World, stops: Array<Fiber.Fiber<void>>) {
  const { chance, workers } = world
  if (workers.length === 0 || (workers.length < 3 && chance.isOneIn(3))) {
    yield* world.addWorker
    return "a worker comes"
  }
  const index = chance.below(workers.length)
  const worker = workers[index]
  if (worker === undefined) return "nothing"
  const { weather } = worker
  switch (chance.below(6)) {
    case 0:
      weather.pause()
      chance.note("a media worker stands still")
      return `worker ${index} stands still`
    case 1:
      weather.kill()
      chance.note("a media worker dies")
      workers.splice(index, 1)
      return `worker ${index} dies`
    case 2: {
      if (weather.isPaused()) return "nothing"
      workers.splice(index, 1)
      stops.push(yield* Effect.forkScoped(worker.stop))
      return `worker ${index} is stopped`
    }
    default:
      weather.resume()
      return `worker ${index} goes on`
  }
})

/** All processes are gone for days; what waits is still there when others come. */
const longNight = Effect.fnUntraced(function* (world: World) {
  for (const { weather } of world.workers) weather.kill()
  world.workers.length = 0
  yield* TestClock.adjust(`${1 + world.chance.below(40)} days`)
  yield* world.sweepOnce(world.weather.fault)
  return "days without anybody"
})

const passTime = ({ chance }: World) => {
  if (chance.isOneIn(25)) return TestClock.adjust(chance.below(7_200) * 1_000)
  return TestClock.adjust(chance.isOneIn(3) ? chance.below(30_000) : chance.below(4_000))
}

/** Nothing fails any more: every job ends, and every worker that is asked to stop does. */
export const settleDown = Effect.fnUntraced(function* (
  world: World,
  stops: Array<Fiber.Fiber<void>>,
  stopsWithin: Duration.Input = "3 minutes"
) {
  world.weather.clear()
  for (const { weather } of world.workers) {
    weather.clear()
    if (world.chance.isOneIn(2)) weather.kill()
    else weather.resume()
  }
  yield* world.addWorker
  world.workers.at(-1)?.weather.clear()
  for (let i = 0; i < 400 && Array.from(world.state.jobs.values()).some(({ job }) => isActive(job)); i++) {
    yield* TestClock.adjust("5 seconds")
    yield* checkInvariants(world.ledger)
  }
  for (const { job } of world.state.jobs.values()) insist(!isActive(job), "a job never ended", job)
  const last = world.workers.at(-1)
  if (last !== undefined) stops.push(yield* Effect.forkScoped(last.stop))
  for (const worker of world.workers) worker.weather.kill()
  yield* TestClock.adjust(stopsWithin)
})

/** A day and then a year without anybody: first what lacks a record goes, at last everything. */
const growOld = Effect.fnUntraced(function* (world: World) {
  yield* TestClock.adjust("25 hours")
  yield* world.sweepOnce(noFault)
  yield* checkInvariants(world.ledger)
  yield* checkSwept
  yield* TestClock.adjust("130 days")
  yield* world.sweepOnce(noFault)
  yield* TestClock.adjust("31 days")
  yield* world.sweepOnce(noFault)
  yield* checkSwept
  insist(world.state.jobs.size === 0, `${world.state.jobs.size} jobs are kept for ever`)
  insist(world.state.media.size === 0, `${world.state.media.size} records are kept for ever`)
})

const run = Effect.fnUntraced(function* (seed: number, trace: Array<string>) {
  const world = yield* makeWorld(makeChance(seed))
  const stops: Array<Fiber.Fiber<void>> = []
  yield* addWorkspace(world)
  yield* addWorkspace(world)
  for (let step = 0; step < steps; step++) {
    const calls = Array.from({ length: 1 + world.chance.below(4) }, () => clientCall(world))
    trace.push(...(yield* Effect.all(calls, { concurrency: "unbounded" })))
    if (world.chance.isOneIn(2)) trace.push(yield* workerEvent(world, stops))
    if (world.chance.isOneIn(6)) {
      yield* world.sweepOnce(world.weather.fault)
      trace.push("a sweep")
    }
    if (world.chance.isOneIn(30)) trace.push(yield* longNight(world))
    yield* passTime(world)
    yield* checkLeases
    yield* checkInvariants(world.ledger)
  }
  yield* settleDown(world, stops)
  yield* checkLeases
  for (const stop of stops) insist(stop.pollUnsafe() !== undefined, "a worker did not stop")
  yield* checkInvariants(world.ledger)
  for (const { job } of world.state.jobs.values()) {
    const ended = job._tag === "FailedJob" ? job.failure.code : job._tag
    trace.push(`${job.id}: ${ended}${job._tag === "QueuedJob" ? "" : ` in attempt ${job.attempts}`}`)
  }
  for (const { id } of Array.from(world.state.workspaces.values()).slice(0, 1)) yield* probeQuota(world, id)
  yield* growOld(world)
  yield* checkLeases
})

const portsOf = (seed: number, plant: Plant<JobPorts>) =>
  Layer.merge(watchJobs, watchRetention).pipe(
    Layer.provideMerge(LeaseLaw.layer),
    Layer.provideMerge(plant),
    Layer.provideMerge(memoryWith(layerSeededRandom(seed)))
  )

/**
 * Plays one seed: clients, workers and sweeps on memory adapters under the test clock, with failures before and after
 * the commit, lost leases, dead and sleeping workers. It dies with the seed and the last steps when an invariant breaks.
 */
export const simulate = Effect.fnUntraced(function* (seed: number, plant: Plant<JobPorts> = Layer.empty) {
  const trace: Array<string> = []
  yield* run(seed, trace).pipe(
    Effect.scoped,
    Effect.provide(Layer.merge(portsOf(seed, plant), TestClock.layer())),
    Effect.catchCause((cause) =>
      Effect.die(
        new Error(`seed ${seed} failed; replay it with SEED=${seed}\n${trace.slice(-40).join("\n")}`, { cause })
      )
    ),
    afresh
  )
  return trace
})
