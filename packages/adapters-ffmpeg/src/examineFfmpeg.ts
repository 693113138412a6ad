import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EngineBroken } from "@loopbox/core/encoding/Engine"
import * as Effect from "effect/Effect"
import { findFfmpeg } from "./findFfmpeg.ts"
import type { FindFfmpegOptions } from "./findFfmpeg.ts"
import { convertSmallGif } from "./internal/smallGif.ts"

/** Finds the ffmpeg to use and converts a small GIF with it, in a temporary folder of the machine. */
export const examineFfmpeg = Effect.fn("examineFfmpeg")(function* (options: FindFfmpegOptions) {
  const found = yield* findFfmpeg(options)
  const folder = yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () => mkdtemp(join(tmpdir(), "loopbox-trial-")),
      catch: (cause) => new EngineBroken({ detail: `no temporary folder to try the encoder in: ${String(cause)}` })
    }),
    (path) => Effect.tryPromise(() => rm(path, { recursive: true, force: true })).pipe(Effect.ignore)
  )
  yield* convertSmallGif(found, folder)
  return found
}, Effect.scoped)
