import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { JobSignals } from "../jobs/JobSignals.ts"
import { defaultOptions, type JobWorkerOptions, workOnJobs } from "../jobs/jobWorker.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { conversionKind } from "./conversionKind.ts"
import { ConversionStore } from "./ConversionStore.ts"
import { GifEncoder } from "./GifEncoder.ts"
import { render } from "./render.ts"
import { workerMetrics } from "./workerMetrics.ts"

/** Claims and settles conversion jobs until its scope closes (design §7). */
export const layer = (
  given: Partial<JobWorkerOptions> = {}
): Layer.Layer<never, never, ConversionStore | JobSignals | BlobStore | GifEncoder | SecureRandom> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const options = { ...defaultOptions, ...given }
      const ports = {
        blobs: yield* BlobStore,
        encoder: yield* GifEncoder,
        maxOutputBytes: options.maxOutputBytes
      }
      const store = yield* ConversionStore
      yield* workOnJobs(
        {
          kind: conversionKind,
          store,
          metrics: workerMetrics,
          probe: ports.encoder.probe,
          loops: { claim: { loop: "conversions.claim" }, wakeUps: { loop: "conversions.wakeUps" } },
          render: (claim, onProgress) => render(ports, claim, onProgress)
        },
        options
      )
    })
  )
