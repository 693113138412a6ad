import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { EngineMissing } from "@loopbox/core/encoding/Engine"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import { OverlayEncoder } from "@loopbox/core/overlays/OverlayEncoder"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { findFfmpeg, requireNamed } from "./findFfmpeg.ts"
import type { FindFfmpegOptions } from "./findFfmpeg.ts"
import { convertGif } from "./internal/convertGif.ts"
import { layOver } from "./internal/layOver.ts"
import { leaveScratch, sweepEvery, sweepScratch } from "./internal/scratch.ts"

export interface FfmpegEncoderOptions extends FindFfmpegOptions {
  /** Folder for work in progress, best on the disk that keeps the videos: then they are renamed, not copied. */
  readonly scratch: string
}

/**
 * `GifEncoder` and `OverlayEncoder` over one ffmpeg.
 *
 * Fails to build only when `ffmpeg` (LOOPBOX_FFMPEG) names no program. Without any ffmpeg it builds: works then fail with
 * `MachineFailed`, and `health` says what to install.
 */
export const layer = (options: FfmpegEncoderOptions): Layer.Layer<GifEncoder | OverlayEncoder, EngineMissing> =>
  Layer.effectContext(
    Effect.gen(function* () {
      yield* requireNamed(options)
      const logged = findFfmpeg(options).pipe(
        Effect.tap((found) => Effect.logInfo(`ffmpeg ${found.version} from ${found.source}: ${found.path}`)),
        Effect.tap((found) => Effect.forEach(found.warnings, (warning) => Effect.logWarning(warning)))
      )
      const [engine] = yield* Effect.cachedInvalidateWithTTL(logged, (exit) =>
        Exit.isSuccess(exit) ? Duration.infinity : Duration.zero
      )
      const ffmpeg = engine.pipe(Effect.mapError(({ detail }) => new EncodeFailed({ reason: "MachineFailed", detail })))
      yield* Effect.addFinalizer(() => leaveScratch(options.scratch))
      yield* supervised("ffmpeg.scratch", sweepScratch(options.scratch), { every: sweepEvery })
      const gifs = GifEncoder.of({
        encode: Effect.fn("FfmpegEncoder.encode")(function* (work) {
          return yield* convertGif(yield* ffmpeg, options.scratch, work)
        }),
        health: Effect.map(engine, ({ path, source, version, warnings }) => ({ path, source, version, warnings }))
      })
      const overlays = OverlayEncoder.of({
        encode: Effect.fn("FfmpegEncoder.layOver")(function* (work) {
          return yield* layOver(yield* ffmpeg, options.scratch, work)
        })
      })
      return Context.make(GifEncoder, gifs).pipe(Context.add(OverlayEncoder, overlays))
    })
  )
