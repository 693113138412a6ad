import { findFfmpeg, packagesOf } from "@loopbox/adapters-ffmpeg"
import { Effect, Option } from "effect"

const resolvePackage = packagesOf(import.meta.url)

/** The ffmpeg that the tests use, found as a host finds it; undefined when there is none. */
export const testFfmpeg = await Effect.runPromise(
  findFfmpeg({ ffmpeg: process.env["LOOPBOX_FFMPEG"], allowFallback: true, resolvePackage }).pipe(
    Effect.option,
    Effect.map(Option.getOrUndefined)
  )
)

/** The ffmpeg of 2018, the oldest that must do. */
export const oldestFfmpeg = Option.getOrUndefined(resolvePackage("@ffmpeg-installer/ffmpeg"))
