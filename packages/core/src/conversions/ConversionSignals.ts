import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ConversionJobId } from "../kernel/Ids.ts"

/** `Submitted`: there may be work. `Canceled`: the worker of this job may stop. */
export type ConversionSignal =
  | { readonly _tag: "Submitted" }
  | { readonly _tag: "Canceled"; readonly jobId: ConversionJobId }

/**
 * Port: lossy notifications between processes.
 *
 * A signal may be lost: workers also poll, and a heartbeat finds a lost lease.
 */
export class ConversionSignals extends Context.Service<
  ConversionSignals,
  {
    /** Called after the commit. A failure to notify is logged, not returned. */
    readonly tell: (signal: ConversionSignal) => Effect.Effect<void>
    /** The signals from the time of subscription on; reconnects automatically. */
    readonly signals: Stream.Stream<ConversionSignal>
  }
>()("@loopbox/core/conversions/ConversionSignals") {}
