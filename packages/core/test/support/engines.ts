import { Effect, Layer, Stream } from "effect"
import { type EncodeFailed, type EncodeWork, GifEncoder } from "../../src/conversions/GifEncoder.ts"
import { tinyMp4 } from "../../src/testing/tinyMp4.ts"

/** An encoder that reads the GIF, does this, and then gives a good video. */
export const engineThat = (during: (work: EncodeWork<unknown>) => Effect.Effect<void, EncodeFailed>) =>
  Layer.succeed(
    GifEncoder,
    GifEncoder.of({
      encode: Effect.fnUntraced(function* (work) {
        yield* Stream.runDrain(work.gif)
        yield* during(work)
        const bytes = tinyMp4(work.plan)
        return { size_bytes: bytes.length, path: undefined, bytes: () => Stream.make(bytes) }
      }),
      health: Effect.succeed({ path: "scripted", version: "1", source: "test", warnings: [] })
    })
  )

/** An encoder that never ends. */
export const hangingEngine = engineThat(() => Effect.never)
