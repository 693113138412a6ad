import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ConversionJobId } from "../kernel/Ids.ts"

/** `Submitted`: there may be work. `Canceled`: whoever works on this job may stop. */
export type ConversionSignal =
  | { readonly _tag: "Submitted" }
  | { readonly _tag: "Canceled"; readonly jobId: ConversionJobId }

/**
 * Port: words between processes that save waiting.
 *
 * Nothing depends on their arrival: workers also poll, and a lost lease is found at the next heartbeat.
 */
export class ConversionSignals extends Context.Service<
  ConversionSignals,
  {
    /** Called after the commit; a failure to tell is logged, not raised. */
    readonly tell: (signal: ConversionSignal) => Effect.Effect<void>
    /** What is told from the moment of subscription on; reconnects by itself. */
    readonly signals: Stream.Stream<ConversionSignal>
  }
>()("@loopbox/core/conversions/ConversionSignals") {}
