import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { type ConversionSignal, ConversionSignals } from "@loopbox/core/conversions/ConversionSignals"

/**
 * Signals to buffer per subscriber. A slow subscriber loses the oldest, which is harmless because signals are hints.
 */
const kept = 256

export const layer: Layer.Layer<ConversionSignals> = Layer.effect(
  ConversionSignals,
  Effect.gen(function* () {
    const pubsub = yield* PubSub.sliding<ConversionSignal>(kept)
    return ConversionSignals.of({
      tell: (signal) => Effect.asVoid(PubSub.publish(pubsub, signal)),
      signals: Stream.fromPubSub(pubsub)
    })
  })
)
