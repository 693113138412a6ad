import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { type JobSignal, JobSignals } from "@loopbox/core/jobs/JobSignals"

/**
 * Signals to buffer per subscriber. A slow subscriber loses the oldest, which is harmless because signals are hints.
 */
const kept = 256

export const layer: Layer.Layer<JobSignals> = Layer.effect(
  JobSignals,
  Effect.gen(function* () {
    const pubsub = yield* PubSub.sliding<JobSignal>(kept)
    return JobSignals.of({
      tell: (signal) => Effect.asVoid(PubSub.publish(pubsub, signal)),
      signals: Stream.fromPubSub(pubsub)
    })
  })
)
