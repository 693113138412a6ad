import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { EncodeFailed } from "@loopbox/core/encoding/EncodeFailed"
import type { EngineBroken, EngineMissing } from "@loopbox/core/encoding/Engine"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import { OverlayEncoder } from "@loopbox/core/overlays/OverlayEncoder"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { findFfmpeg, requireNamed } from "./findFfmpeg.ts"
import type { Ffmpeg, FindFfmpegOptions } from "./findFfmpeg.ts"
import { convertGif } from "./internal/convertGif.ts"
import { convertSmallGif } from "./internal/smallGif.ts"
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
      let told = ""
      // A broken one is searched for again with each trial, and is told of once.
      const tell = ({ path, source, version, warnings }: Ffmpeg) =>
        Effect.suspend(() => {
          const line = `ffmpeg ${version} from ${source}: ${path}`
          const all = [line, ...warnings].join("\n")
          if (all === told) return Effect.void
          told = all
          return Effect.andThen(
            Effect.logInfo(line),
            Effect.forEach(warnings, (warning) => Effect.logWarning(warning))
          )
        })
      const logged = Effect.tap(findFfmpeg(options), tell)
      const [engine, searchAgain] = yield* Effect.cachedInvalidateWithTTL(logged, (exit) =>
        Exit.isSuccess(exit) ? Duration.infinity : Duration.zero
      )
      const ffmpeg = engine.pipe(Effect.mapError(({ detail }) => new EncodeFailed({ reason: "MachineFailed", detail })))
      let failedTrial = Option.none<EngineBroken>()
      const note = (trial: Option.Option<EngineBroken>) => Effect.sync(() => void (failedTrial = trial))
      const probe = Effect.flatMap(engine, (found) => convertSmallGif(found, options.scratch)).pipe(
        Effect.tap(() => note(Option.none())),
        Effect.tapErrorTag("EngineBroken", (broken) => Effect.andThen(note(Option.some(broken)), searchAgain))
      )
      const health = Effect.tap(engine, () =>
        Option.match(failedTrial, { onNone: () => Effect.void, onSome: Effect.fail })
      )
      yield* Effect.addFinalizer(() => leaveScratch(options.scratch))
      yield* supervised("ffmpeg.scratch", sweepScratch(options.scratch), { every: sweepEvery })
      const gifs = GifEncoder.of({
        encode: Effect.fn("FfmpegEncoder.encode")(function* (work) {
          return yield* convertGif(yield* ffmpeg, options.scratch, work)
        }),
        health: Effect.map(health, ({ path, source, version, warnings }) => ({ path, source, version, warnings })),
        probe
      })
      const overlays = OverlayEncoder.of({
        encode: Effect.fn("FfmpegEncoder.layOver")(function* (work) {
          return yield* layOver(yield* ffmpeg, options.scratch, work)
        }),
        probe
      })
      return Context.make(GifEncoder, gifs).pipe(Context.add(OverlayEncoder, overlays))
    })
  )
