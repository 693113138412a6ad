import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { ProbeEngine } from "@loopbox/core/encoding/Engine"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import { OverlayEncoder, type OverlayWork } from "@loopbox/core/overlays/OverlayEncoder"

/** What one overlay does. */
export type OverlayScript =
  | { readonly kind: "succeed"; readonly gate?: Effect.Effect<void> }
  | { readonly kind: "fail"; readonly reason: EncodeFailed["reason"] }
  /** Reads both files and then never ends. */
  | { readonly kind: "hang" }

const made = (work: Pick<OverlayWork<never>, "name">) => new TextEncoder().encode(`overlaid ${work.name}`)

/** A scripted encoder of overlays. It reads both files like a real one; its video has a name only. */
export const layer = (
  script: (work: Pick<OverlayWork<never>, "name" | "settings">) => OverlayScript = () => ({ kind: "succeed" }),
  probe: ProbeEngine = Effect.void
): Layer.Layer<OverlayEncoder> =>
  Layer.succeed(
    OverlayEncoder,
    OverlayEncoder.of({
      encode: Effect.fn("FakeOverlayEncoder.encode")(function* (work) {
        const does = script(work)
        yield* Stream.runDrain(work.video.bytes)
        yield* work.onProgress(0.25)
        yield* Stream.runDrain(work.audio.bytes)
        yield* work.onProgress(0.5)
        if (does.kind === "hang") return yield* Effect.never
        if (does.kind === "fail") return yield* new EncodeFailed({ reason: does.reason, detail: "as scripted" })
        if (does.gate !== undefined) yield* does.gate
        const bytes = made(work)
        return {
          size_bytes: bytes.length,
          path: undefined,
          bytes: () => Stream.make(bytes),
          width: 320,
          height: 200,
          duration_ms: 5_000
        }
      }),
      probe
    })
  )
