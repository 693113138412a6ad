import { Context, DateTime, Effect, Equal, Layer, type Scope } from "effect"
import { Administration } from "@loopbox/core/access/Administration"
import { Conversions } from "@loopbox/core/conversions/Conversions"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { MediaLibrary } from "@loopbox/core/media/MediaLibrary"
import { MediaStore } from "@loopbox/core/media/MediaStore"
import { CapacityExceeded, ConversionRateExceeded } from "@loopbox/core/quota/QuotaErrors"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { sweep } from "@loopbox/core/retention/RetentionSweeper"
import { engineThat } from "../../src/fakes/engines.ts"
import {
  type Fault,
  faultyBlobStore,
  faultyConversionStore,
  faultyMediaStore,
  faultyRetentionStore
} from "../../src/fakes/faults.ts"
import { layerServices } from "../../src/layers/testLayers.ts"
import { startWorker } from "../../src/layers/workers.ts"
import type { Chance } from "./Chance.ts"
import { insist, type Ledger, usage } from "./invariants.ts"
import { makeWeather, type Weather } from "./Weather.ts"

/** What an encoding takes at most, in seconds; some never end and run into the limit. */
const processingLimit = "40 seconds"

const reasons = ["Undecodable", "OutputTooLarge", "Rejected", "MachineFailed"] as const

const engineOf = (chance: Chance) =>
  engineThat(({ onProgress }) =>
    Effect.suspend((): Effect.Effect<void, EncodeFailed> => {
      if (chance.isOneIn(20)) return Effect.never
      const reason = chance.isOneIn(6) ? chance.pick(reasons) : undefined
      if (reason !== undefined) return Effect.fail(new EncodeFailed({ reason, detail: "by chance" }))
      const seconds = chance.below(30)
      return Effect.sleep(seconds * 500).pipe(
        Effect.andThen(onProgress(0.1 + chance.below(9) / 10)),
        Effect.andThen(Effect.sleep(seconds * 500))
      )
    })
  )

/**
 * The client's way to the store, which writes down what the store has truly committed, also where the client is told
 * that it is not known.
 */
const recording = (
  store: ConversionStore["Service"],
  ledger: Ledger,
  state: MemoryState["Service"]
): ConversionStore["Service"] =>
  ConversionStore.of({
    ...store,
    submit: (conversion, judge) =>
      store.submit(conversion, judge).pipe(
        Effect.tap((job) =>
          Effect.sync(() => {
            if (job.id !== conversion.id) return
            insist(!ledger.jobs.has(job.id), "an id was given twice", job)
            ledger.jobs.set(job.id, job)
            if (conversion.idempotencyKey._tag === "Some") {
              const key = `${conversion.workspaceId} ${conversion.idempotencyKey.value}`
              insist(!ledger.keys.has(key), "a key made two jobs", job)
              ledger.keys.set(key, job.id)
            }
            const used = usage(state, conversion.workspaceId, conversion.createdAt)
            insist(
              used !== undefined && used.active <= used.limits.activeJobs,
              "more active jobs than the plan has",
              job
            )
            insist(
              used !== undefined && used.conversions <= used.limits.conversionsPer24Hours,
              "more conversions than the plan has",
              job
            )
          })
        ),
        Effect.tapError((error) =>
          Effect.sync(() => {
            const used = usage(state, conversion.workspaceId, conversion.createdAt)
            if (used === undefined) return
            if (error instanceof CapacityExceeded)
              insist(used.active >= used.limits.activeJobs, "refused with a free place")
            if (error instanceof ConversionRateExceeded) {
              insist(used.conversions >= used.limits.conversionsPer24Hours, "refused with a free conversion")
              insist(DateTime.isGreaterThan(error.resetAt, conversion.createdAt), "resets in the past")
              // When so many have left the window that one more is under the limit.
              const leaving = used.acceptedAt[used.conversions - used.limits.conversionsPer24Hours]
              const resetAt = leaving && DateTime.add(leaving, { hours: 24 })
              if (resetAt !== undefined) insist(Equal.equals(error.resetAt, resetAt), "resets at another time")
            }
          })
        )
      )
  })

export interface SimulatedWorker {
  readonly weather: Weather
  readonly stop: Effect.Effect<void>
}

/**
 * The services as clients reach them, through stores that fail now and then, and the workers.
 *
 * @param spared Workspaces that clients use, and neither erase nor give another plan.
 */
export const makeWorld = Effect.fnUntraced(function* (chance: Chance, spared: ReadonlySet<string> = new Set()) {
  const ports = yield* Effect.context<
    Layer.Services<typeof layerServices> | MemoryState | RetentionStore | Scope.Scope
  >()
  const state = Context.get(ports, MemoryState)
  const ledger: Ledger = { jobs: new Map(), keys: new Map(), keeps: new Map() }
  const weather = makeWeather(chance, 40)
  const clientPorts = ports.pipe(
    Context.add(
      ConversionStore,
      faultyConversionStore(recording(Context.get(ports, ConversionStore), ledger, state), weather.fault)
    ),
    Context.add(BlobStore, faultyBlobStore(Context.get(ports, BlobStore), weather.fault)),
    Context.add(MediaStore, faultyMediaStore(Context.get(ports, MediaStore), weather.fault))
  )
  // Fresh: a world around this one may have built the same services over other ports.
  const services = yield* Layer.build(Layer.fresh(Layer.provide(layerServices, Layer.succeedContext(clientPorts))))

  const workers: Array<SimulatedWorker> = []
  const addWorker = Effect.gen(function* () {
    const mood = makeWeather(chance, 12)
    const { stop } = yield* startWorker(
      {
        fault: mood.fault,
        engine: engineOf(chance),
        pollEvery: "7 seconds",
        processingLimit,
        atOnce: 1 + chance.below(2),
        isDeaf: chance.isOneIn(4)
      },
      true
    )
    workers.push({ weather: mood, stop })
  })

  const sweepOnce = (fault: Fault) =>
    sweep().pipe(
      Effect.provideService(BlobStore, faultyBlobStore(Context.get(ports, BlobStore), fault)),
      Effect.provideService(RetentionStore, faultyRetentionStore(Context.get(ports, RetentionStore), fault)),
      Effect.ignore
    )

  return {
    chance,
    ledger,
    spared,
    state,
    weather,
    workers,
    addWorker,
    sweepOnce,
    administration: Context.get(services, Administration),
    library: Context.get(services, MediaLibrary),
    conversions: Context.get(services, Conversions)
  }
})

export type World = Effect.Success<ReturnType<typeof makeWorld>>
