import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type EncodeWork, GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import type { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import { tinyMp4 } from "./tinyMp4.ts"

/** An encoder that reads the GIF, runs `during`, and then returns a valid video. */
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
      probe: Effect.void,
      health: Effect.succeed({ path: "scripted", version: "1", source: "test", warnings: [] })
    })
  )

/** An encoder that never ends. */
export const hangingEngine = engineThat(() => Effect.never)
