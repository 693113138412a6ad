import { concatList, repeatArguments, unitArguments } from "@loopbox/adapters-ffmpeg"
import { canonicalPieces, makeCanonicalWriter } from "@loopbox/core/conversions/gif/canonicalGif"
import { renderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { scanGif } from "@loopbox/core/media/gif/scanGif"
import { noise, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import { Result } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { promisify } from "node:util"
import { ffmpegPath } from "../examples/http-host/test/support/ffmpeg.ts"
import type { Benchmark } from "./Benchmark.ts"
import { geometricMean } from "./statistics.ts"
import { withHost } from "./withHost.ts"

const gifs = 20
const background = "#FFFFFF"
const run = promisify(execFile)

/** Width, height, images and centiseconds of what people send: from a sticker to a screen recording. */
const shapes = [
  [320, 240, 40, 8],
  [480, 270, 60, 6],
  [480, 480, 36, 5],
  [640, 360, 50, 10],
  [800, 450, 40, 8],
  [400, 300, 90, 7],
  [1280, 720, 24, 10],
  [600, 338, 75, 7]
] as const

const grey = Array.from({ length: 64 }, (_, shade) => [shade * 4, 255 - shade * 4, (shade * 37) % 256]).flat()

/** A textured square that wanders over a gradient, with grain: neither flat nor pure noise. */
const makeGif = (index: number): Uint8Array<ArrayBuffer> => {
  const [width, height, images, delay_cs] = shapes[index % shapes.length] ?? shapes[0]
  const grain = noise(index + 1)
  return Uint8Array.from(
    sampleGif({
      width,
      height,
      palette: grey,
      images: Array.from({ length: images }, (_, image) => {
        const x0 = ((image * 7 + index * 31) % images) * (width / images)
        return {
          delay_cs,
          pixel: (x: number, y: number) =>
            Math.abs(x - x0) < height / 6 && Math.abs(y - height / 2) < height / 6
              ? (x ^ y) & 63
              : (((x + y + image) >> 4) + (grain() >> 7)) & 63
        }
      })
    })
  )
}

/** Files and command of the bare recipe (docs: universal_mp4_v1), as one would type them. */
const prepareRecipe = (folder: string, gif: Uint8Array, ffmpeg: string): string => {
  const facts = Result.getOrThrow(scanGif(gif))
  const plan = renderPlan(facts, background)
  writeFileSync(join(folder, "c.gif"), makeCanonicalWriter(canonicalPieces(facts, background)).push(gif))
  const list = concatList(plan)
  if (list !== undefined) writeFileSync(join(folder, "l.txt"), list)
  const command = (args: ReadonlyArray<string>) => [ffmpeg, ...args].map((arg) => `'${arg}'`).join(" ")
  const steps = [unitArguments(plan), ...(plan.unit.isRepeated ? [repeatArguments(plan)] : [])]
  return steps.map(command).join(" && ")
}

const bareRecipe = async (command: string, folder: string): Promise<number> => {
  const start = performance.now()
  await run("sh", ["-c", command], { cwd: folder })
  return performance.now() - start
}

/** What a conversion costs beside ffmpeg: scan, canonical GIF, lease, check, storing. */
export const conversion: Benchmark = {
  name: "conversion",
  description: `claim to settled of ${gifs} GIFs against the bare recipe in a shell: geometric mean of the ratios`,
  better: "lower",
  wanted: 1.05,
  run: () =>
    withHost(async (calls) => {
      const folder = mkdtempSync(join(tmpdir(), "loopbox-recipe-"))
      try {
        const ffmpeg = await ffmpegPath()
        const convert = async (gif: Uint8Array<ArrayBuffer>): Promise<number> => {
          // Asked rarely: both cores are ffmpeg's, and the shell is not asked at all.
          const job = await calls.settled((await calls.submit(await calls.upload(gif))).id, 60_000, 1_000)
          if (job.status !== "succeeded") throw new Error(`the conversion failed: ${job.error?.code}`)
          return Date.parse(job.completed_at ?? "") - Date.parse(job.started_at ?? "")
        }
        await convert(makeGif(0))
        const ours: Array<number> = []
        const theirs: Array<number> = []
        for (let index = 0; index < gifs; index++) {
          const gif = makeGif(index)
          const command = prepareRecipe(folder, gif, ffmpeg)
          // In turn which of them is first, so that a machine that slows down or speeds up favours neither.
          if (index % 2 === 0) theirs.push(await bareRecipe(command, folder))
          ours.push(await convert(gif))
          if (index % 2 === 1) theirs.push(await bareRecipe(command, folder))
        }
        const ratio = geometricMean(ours.map((value, index) => value / (theirs[index] ?? value)))
        return { ours: geometricMean(ours), baseline: geometricMean(theirs), unit: "ms", ratio }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
}
