import { overlayArguments, overlayFiles, soundArguments } from "@loopbox/adapters-ffmpeg"
import { planOverlay } from "@loopbox/core/overlays/planOverlay"
import type { OverlaySettings } from "@loopbox/core/overlays/OverlaySettings"
import { Result } from "effect"
import { execFile } from "node:child_process"
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { promisify } from "node:util"
import { ffmpegPath } from "../examples/http-host/test/support/ffmpeg.ts"
import type { Benchmark } from "./Benchmark.ts"
import { geometricMean } from "./statistics.ts"
import { withHost } from "./withHost.ts"

const rounds = 2
const run = promisify(execFile)

/** Seconds, size and codec of a video, and what is laid over it: from a copy of the picture to encoding it again. */
const shapes = [
  [30, "1280x720", "libx264", "mix", 0],
  [60, "720x1280", "libx264", "mix", 5000],
  [45, "640x360", "libx264", "replace", 0],
  [60, "1920x1080", "libx264", "mix", 0],
  [10, "1280x720", "mpeg4", "mix", 0],
  [15, "640x360", "mpeg4", "replace", 2000]
] as const

type Shape = (typeof shapes)[number]

/** A video with a tone of its own. */
const makeVideo = async (ffmpeg: string, folder: string, [seconds, size, codec]: Shape): Promise<string> => {
  const path = join(folder, `${seconds}-${size}-${codec}.mp4`)
  const pictures = ["-f", "lavfi", "-i", `testsrc2=s=${size}:r=30:d=${seconds}`]
  const sound = ["-f", "lavfi", "-i", `sine=f=440:d=${seconds}`]
  const codecs = ["-c:v", codec, "-b:v", "3M", "-pix_fmt", "yuv420p", "-c:a", "aac"]
  await run(ffmpeg, ["-v", "error", "-y", ...pictures, ...sound, ...codecs, path])
  return path
}

const makeSound = async (ffmpeg: string, folder: string): Promise<string> => {
  const path = join(folder, "sound.mp3")
  const noise = ["-f", "lavfi", "-i", "anoisesrc=c=pink:d=90:a=0.2"]
  await run(ffmpeg, ["-v", "error", "-y", ...noise, "-ac", "2", "-c:a", "libmp3lame", path])
  return path
}

const settingsOf = ([, , , mode, audioStartMs]: Shape): OverlaySettings => ({
  mode,
  videoVolume: 60,
  audioVolume: 80,
  audioStartMs,
  fit: "trim_to_video"
})

/** Files and commands of the bare recipe, as one would type them. */
const prepareRecipe = (folder: string, ffmpeg: string, shape: Shape, video: string, sound: string): string => {
  const [seconds, , codec] = shape
  const facts = { picture_ms: seconds * 1000, pictureStart_ms: 0, isUniversal: codec === "libx264", hasSound: true }
  const plan = Result.getOrThrow(planOverlay(facts, settingsOf(shape)))
  copyFileSync(video, join(folder, overlayFiles.video))
  copyFileSync(sound, join(folder, overlayFiles.audio))
  const command = (args: ReadonlyArray<string>) => [ffmpeg, ...args].map((arg) => `'${arg}'`).join(" ")
  return `${command(soundArguments(plan, "audio/mpeg"))} && ${command(overlayArguments(plan, "video/mp4"))}`
}

const bareRecipe = async (command: string, folder: string): Promise<number> => {
  const start = performance.now()
  await run("sh", ["-c", command], { cwd: folder })
  return performance.now() - start
}

/** What an overlay costs beside ffmpeg: lease, both files to the scratch folder, facts of the video, check, storing. */
export const overlay: Benchmark = {
  name: "overlay",
  description: `claim to settled of ${shapes.length * rounds} overlays against the bare recipe in a shell: geometric mean of the ratios`,
  better: "lower",
  wanted: 1.05,
  run: () =>
    withHost(async (calls) => {
      const folder = mkdtempSync(join(tmpdir(), "loopbox-overlay-"))
      try {
        const ffmpeg = await ffmpegPath()
        const sound = await makeSound(ffmpeg, folder)
        const audio_media_id = await calls.upload(Uint8Array.from(readFileSync(sound)), "audio/mpeg")
        const layOver = async (video_media_id: string, shape: Shape): Promise<number> => {
          const { audioStartMs, audioVolume, mode, videoVolume } = settingsOf(shape)
          const { id } = await calls.layOver({
            ...{ video_media_id, audio_media_id, mode, audio_start_ms: audioStartMs },
            ...{ video_volume: videoVolume, audio_volume: audioVolume }
          })
          // Asked rarely: both cores are ffmpeg's, and the shell is not asked at all.
          const job = await calls.settled(id, 120_000, 1_000, "audio-overlays")
          if (job.status !== "succeeded") throw new Error(`the overlay failed: ${job.error?.code}`)
          return Date.parse(job.completed_at ?? "") - Date.parse(job.started_at ?? "")
        }
        const ours: Array<number> = []
        const theirs: Array<number> = []
        for (const shape of shapes) {
          const video = await makeVideo(ffmpeg, folder, shape)
          const media = await calls.upload(Uint8Array.from(readFileSync(video)), "video/mp4")
          const command = prepareRecipe(folder, ffmpeg, shape, video, sound)
          for (let round = 0; round < rounds; round++) {
            // In turn which of them is first, so that a machine that slows down or speeds up favours neither.
            if (round % 2 === 0) theirs.push(await bareRecipe(command, folder))
            ours.push(await layOver(media, shape))
            if (round % 2 === 1) theirs.push(await bareRecipe(command, folder))
          }
        }
        const ratio = geometricMean(ours.map((value, index) => value / (theirs[index] ?? value)))
        return { ours: geometricMean(ours), baseline: geometricMean(theirs), unit: "ms", ratio }
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
}
