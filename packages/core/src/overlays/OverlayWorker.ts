import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import type { JobSignals } from "../jobs/JobSignals.ts"
import { defaultOptions, type JobWorkerOptions, workOnJobs } from "../jobs/jobWorker.ts"
import { BlobStore } from "../media/BlobStore.ts"
import { OverlayEncoder } from "./OverlayEncoder.ts"
import { overlayKind } from "./overlayKind.ts"
import { OverlayStore } from "./OverlayStore.ts"
import { renderOverlay } from "./renderOverlay.ts"
import { workerMetrics } from "./workerMetrics.ts"

/** Claims and settles audio overlays until its scope closes, beside the worker of conversions. */
export const layer = (
  given: Partial<JobWorkerOptions> = {}
): Layer.Layer<never, never, OverlayStore | JobSignals | BlobStore | OverlayEncoder | SecureRandom> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const options = { ...defaultOptions, ...given }
      const ports = {
        blobs: yield* BlobStore,
        encoder: yield* OverlayEncoder,
        maxOutputBytes: options.maxOutputBytes
      }
      const store = yield* OverlayStore
      yield* workOnJobs(
        {
          kind: overlayKind,
          store,
          metrics: workerMetrics,
          probe: ports.encoder.probe,
          loops: { claim: { loop: "overlays.claim" }, wakeUps: { loop: "overlays.wakeUps" } },
          render: (claim, onProgress) => renderOverlay(ports, claim, onProgress)
        },
        options
      )
    })
  )
