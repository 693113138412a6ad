import "effect/schema/SchemaJITCompiler/enable"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { conversionKind } from "@loopbox/core/conversions/conversionKind"
import { ConversionStore } from "@loopbox/core/conversions/ConversionStore"
import { defaultOptions, workOnJobs } from "@loopbox/core/jobs/jobWorker"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { makeQueued, makeWorkspace } from "@loopbox/testing/fixtures/storeFixtures"
import { layerDigest } from "@loopbox/testing/layers/testLayers"
import * as MemoryBlobStore from "@loopbox/adapters-memory/MemoryBlobStore"
import { DateTime, Deferred, Effect, Layer, Logger, ManagedRuntime, Option, References, Stream } from "effect"
import * as PooledRandom from "@loopbox/core/kernel/pooledRandom"
import * as Statement from "effect/sql/Statement"
import { workerMetrics } from "../../packages/core/src/conversions/workerMetrics.ts"
import type { Contestant } from "./Contestant.ts"
import { recordStatements } from "./recordStatements.ts"

/** Takes every video as stored: what bytes cost is no part of claiming and settling. */
const layerBlobs = Layer.effect(
  BlobStore,
  Effect.map(BlobStore, (memory) =>
    BlobStore.of({
      ...memory,
      adopt: Option.some(() => Effect.succeed({ sizeBytes: 1_000, sha256: "ab".repeat(32) }))
    })
  )
).pipe(Layer.provide(MemoryBlobStore.layer), Layer.provide(layerDigest))

const rendered = {
  video: { path: "video.mp4", bytes: () => Stream.empty },
  filename: Option.none<string>(),
  width: 320,
  height: 200,
  durationMs: 5_000,
  traits: {
    frameRate: Option.some(30),
    frames: Option.none<number>(),
    videoCodec: Option.some("avc1"),
    audioCodec: Option.none<string>()
  }
}

/** As a host has it that sends its traces nowhere. */
const layerHost = Layer.merge(
  Layer.succeed(References.TracerTimingEnabled, false),
  Layer.succeed(Statement.SpanPropagationEnabled, false)
)

const queuedAtOnce = 8

/** Our worker, beside the statements that its store sends for one job. */
export const openOurJobs = async (target: PgAdapters.Target) => {
  const runtime = ManagedRuntime.make(
    PgAdapters.layerTarget(target, { migrate: false }).pipe(
      Layer.provideMerge(Layer.mergeAll(layerBlobs, PooledRandom.layer, Logger.layer([]), layerHost))
    )
  )
  const workspace = await runtime.runPromise(Effect.flatMap(DateTime.now, (now) => makeWorkspace("enterprise", now)))

  const queue = (jobs: number) =>
    Effect.flatMap(DateTime.now, (now) => makeQueued(workspace.id, now)).pipe(
      Effect.replicateEffect(jobs, { concurrency: queuedAtOnce, discard: true })
    )

  const work = Effect.fnUntraced(function* (jobs: number, begun: () => void) {
    const all = yield* Deferred.make<void>()
    let left = jobs
    const render = () =>
      Effect.suspend(() => {
        begun()
        left -= 1
        return left === 0 ? Effect.as(Deferred.succeed(all, undefined), rendered) : Effect.succeed(rendered)
      })
    yield* workOnJobs(
      {
        kind: conversionKind,
        store: yield* ConversionStore,
        metrics: workerMetrics,
        probe: Effect.void,
        loops: { claim: { loop: "conversions.claim" }, wakeUps: { loop: "conversions.wakeUps" } },
        render
      },
      defaultOptions
    )
    yield* Deferred.await(all)
  }, Effect.scoped)

  const contestant: Contestant = {
    name: "our worker",
    queue: (jobs) => runtime.runPromise(queue(jobs)),
    work: (jobs, begun) => runtime.runPromise(work(jobs, begun)),
    stop: () => runtime.dispose()
  }
  return { ...contestant, recording: await runtime.runPromise(recordStatements(workspace.id)) }
}
