import * as Context from "effect/Context"
import type { Claim, JobStore } from "../jobs/JobStore.ts"
import type { OverlayFailureCode, OverlayTask } from "./OverlayJob.ts"

/** An overlay that a worker has. */
export type OverlayClaim = Claim<OverlayTask>

/** Port: stores the jobs of audio overlays. */
export class OverlayStore extends Context.Service<OverlayStore, JobStore<OverlayTask, OverlayFailureCode>>()(
  "@loopbox/core/overlays/OverlayStore"
) {}
