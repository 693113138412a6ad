import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { canonicalPieces, makeCanonicalWriter } from "@loopbox/core/conversions/gif/canonicalGif"
import { renderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import type { RenderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { scanGif } from "@loopbox/core/media/gif/scanGif"
import { Effect, Stream } from "effect"
import { testFfmpeg } from "./programs.ts"

const run = promisify(execFile)

/** The program that the tests judge with; not necessarily the one that encodes. */
export const judgeFfmpeg = process.env["LOOPBOX_TEST_JUDGE"] ?? testFfmpeg?.path ?? "ffmpeg"

/** Converts a GIF as the worker does. The file at `path` goes with the scope. */
export const convert = Effect.fnUntraced(function* (
  gif: Uint8Array,
  background: string,
  settings: { readonly name?: string; readonly maxOutput_bytes?: number } = {}
) {
  const facts = yield* Effect.fromResult(scanGif(gif))
  const plan = renderPlan(facts, background)
  const writer = makeCanonicalWriter(canonicalPieces(facts, background))
  const encoder = yield* GifEncoder
  const fractions: Array<number> = []
  const video = yield* encoder.encode({
    name: settings.name ?? "job-1",
    plan,
    gif: Stream.make(writer.push(gif)),
    onProgress: (fraction) => Effect.sync(() => void fractions.push(fraction)),
    maxOutput_bytes: settings.maxOutput_bytes ?? 1_000_000_000
  })
  return { facts, plan, video, fractions, path: video.path ?? "" }
})

/** One picture as it is stored: full-size luma, half-size chroma. */
export interface StoredPicture {
  readonly y: Uint8Array
  readonly u: Uint8Array
  readonly v: Uint8Array
}

/** Some pictures of a video, in ascending order of their numbers. It is decoded whole, and fails at ffmpeg's first complaint. */
export const picturesOf = async (
  path: string,
  plan: RenderPlan,
  numbers: ReadonlyArray<number>
): Promise<ReadonlyArray<StoredPicture>> => {
  const select = numbers.map((number) => `eq(n\\,${number})`).join("+")
  const luma = plan.width * plan.height
  const size = luma * 1.5
  const { stderr, stdout } = await run(
    judgeFfmpeg,
    ["-v", "error", "-i", path, "-vf", `select='${select}'`, "-vsync", "0", "-f", "rawvideo", "pipe:1"],
    { encoding: "buffer", maxBuffer: size * numbers.length + 1024 }
  )
  if (stderr.length > 0) throw new Error(stderr.toString())
  return numbers.map((_, index) => {
    const picture = new Uint8Array(stdout.subarray(index * size, (index + 1) * size))
    return { y: picture.subarray(0, luma), u: picture.subarray(luma, luma * 1.25), v: picture.subarray(luma * 1.25) }
  })
}
