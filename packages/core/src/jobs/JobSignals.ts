import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ConversionJobId } from "../kernel/Ids.ts"
import type { JobKindName } from "./JobKind.ts"

/** `Submitted`: there may be work, of this kind if one is named. `Canceled`: the worker of this job may stop. */
export type JobSignal =
  | { readonly _tag: "Submitted"; readonly kind?: JobKindName }
  | { readonly _tag: "Canceled"; readonly jobId: ConversionJobId }

/**
 * Port: lossy notifications between processes.
 *
 * A signal may be lost: workers also poll, and a heartbeat finds a lost lease.
 */
export class JobSignals extends Context.Service<
  JobSignals,
  {
    /** Called after the commit. A failure to notify is logged, not returned. */
    readonly tell: (signal: JobSignal) => Effect.Effect<void>
    /** The signals from the time of subscription on; reconnects automatically. */
    readonly signals: Stream.Stream<JobSignal>
  }
>()("@loopbox/core/jobs/JobSignals") {}
