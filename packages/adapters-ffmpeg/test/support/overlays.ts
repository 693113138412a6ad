import { execFile } from "node:child_process"
import { existsSync, mkdtempSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import type { ContentType } from "@loopbox/core/media/ContentType"
import { OverlayEncoder } from "@loopbox/core/overlays/OverlayEncoder"
import type { OverlaySource } from "@loopbox/core/overlays/OverlayEncoder"
import type { OverlaySettings } from "@loopbox/core/overlays/OverlaySettings"
import { Effect, Stream } from "effect"
import { judgeFfmpeg } from "./convert.ts"

const run = promisify(execFile)

/** Where the media of the tests lie; the test file removes it. */
export const mediaFolder = mkdtempSync(join(tmpdir(), "loopbox-overlay-media-"))

/** A file of the tests, made by ffmpeg at its first use. */
export const media = async (name: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const path = join(mediaFolder, name)
  if (!existsSync(path)) await run(judgeFfmpeg, ["-nostdin", "-v", "error", "-y", ...args, path])
  return path
}

/** A tone of an amplitude, as a source of samples. */
export const tone = (frequency: number, seconds: number, amplitude = 0.25): ReadonlyArray<string> => [
  ...["-f", "lavfi", "-i", `aevalsrc=${amplitude}*sin(2*PI*${frequency}*t):s=44100:d=${seconds}`]
]

/** 500 Hz for a second, then 1000, 1500 and so on: what is heard tells which second of the file it is. */
export const staircase = (seconds: number): ReadonlyArray<string> => [
  ...["-f", "lavfi", "-i", `aevalsrc=0.25*sin(2*PI*500*(1+floor(t))*t):s=44100:d=${seconds}`]
]

/** Turns a video by 90 degrees, as a camera does that was held upright: in the matrix of its track (ISO/IEC 14496-12, 8.3.2). */
export const turned = async (path: string): Promise<OverlaySource<never>> => {
  const file = await readFile(path)
  const matrix = file.indexOf("tkhd") + 44
  const values = [0, 0x1_0000, 0, -0x1_0000, 0, 0, 0, 0, 0x4000_0000]
  values.forEach((value, index) => file.writeInt32BE(value, matrix + 4 * index))
  return { contentType: "video/mp4", bytes: Stream.make(Uint8Array.from(file)) }
}

/** Moving pictures. */
export const pictures = (seconds: number, size = "160x120", rate = 25): ReadonlyArray<string> => [
  ...["-f", "lavfi", "-i", `testsrc=s=${size}:r=${rate}:d=${seconds}`]
]

export const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]

const types: Readonly<Record<string, ContentType>> = {
  ".mp4": "video/mp4",
  ".mov": "video/quicktime",
  ".webm": "video/webm",
  ".mp3": "audio/mpeg",
  ".wav": "audio/wav",
  ".aac": "audio/aac",
  ".m4a": "audio/mp4"
}

export const sourceOf = (path: string): OverlaySource<never> => ({
  contentType: types[extname(path)] ?? "image/gif",
  bytes: Stream.fromEffect(Effect.promise(() => readFile(path)))
})

export const defaults: OverlaySettings = {
  mode: "mix",
  videoVolume: 100,
  audioVolume: 100,
  audioStartMs: 0,
  fit: "trim_to_video"
}

let works = 0

/** Lays a sound over a video as the worker does. The file goes with the scope. */
export const overlay = Effect.fnUntraced(function* (
  video: string | OverlaySource<never>,
  audio: string | OverlaySource<never>,
  settings: Partial<OverlaySettings> = {},
  maxOutput_bytes = 1_000_000_000
) {
  const told: Array<number> = []
  const made = yield* (yield* OverlayEncoder).encode({
    name: `overlay-${works++}`,
    settings: { ...defaults, ...settings },
    video: typeof video === "string" ? sourceOf(video) : video,
    audio: typeof audio === "string" ? sourceOf(audio) : audio,
    onProgress: (fraction) => Effect.sync(() => void told.push(fraction)),
    maxOutput_bytes
  })
  return { ...made, told, path: made.path ?? "" }
})

/** What ffmpeg says of a file: its streams in a line each, and the rest. */
export const described = async (path: string): Promise<string> => {
  // It complains that it has no output, and says what it found before.
  const { stderr } = await run(judgeFfmpeg, ["-hide_banner", "-i", path]).catch((error: { stderr: string }) => error)
  return stderr
}

/** Seconds from the first picture to the end of the last one, and the same of the sound. */
export const lengthsOf = async (path: string): Promise<ReadonlyArray<number>> => {
  const lengths: Array<number> = []
  for (const stream of ["0:v:0", "0:a:0"]) {
    const { stdout } = await run(
      judgeFfmpeg,
      ["-v", "error", "-i", path, "-map", stream, "-c", "copy", "-f", "framecrc", "-"],
      { maxBuffer: 100_000_000 }
    )
    const [, numerator = "0", denominator = "1"] = /^#tb 0: (\d+)\/(\d+)$/m.exec(stdout) ?? []
    const times = stdout.split("\n").flatMap((line) => {
      const [, , shown = "", length = ""] = line.split(",")
      return line.startsWith("0,") ? [{ from: Number(shown), to: Number(shown) + Number(length) }] : []
    })
    const ticks = Math.max(...times.map(({ to }) => to)) - Math.min(...times.map(({ from }) => from))
    lengths.push((ticks * Number(numerator)) / Number(denominator))
  }
  return lengths
}

/** Checksums of the decoded pictures with their times. */
export const picturesIn = async (path: string): Promise<ReadonlyArray<string>> => {
  const { stdout } = await run(judgeFfmpeg, ["-v", "error", "-i", path, "-map", "0:v:0", "-f", "framemd5", "-"], {
    maxBuffer: 100_000_000
  })
  return stdout.split("\n").filter((line) => /^\d/.test(line))
}

const samplesPerSecond = 48_000

/** The left channel of a file's sound. */
export const samplesOf = async (path: string): Promise<Float32Array> => {
  const { stdout } = await run(
    judgeFfmpeg,
    ["-v", "error", "-i", path, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-ar", "48000", "-f", "f32le", "-"],
    { encoding: "buffer", maxBuffer: 500_000_000 }
  )
  return new Float32Array(Uint8Array.from(stdout).buffer)
}

/** Amplitude of a tone between two seconds (Goertzel). */
export const amplitudeOf = (samples: Float32Array, frequency: number, from_s: number, to_s: number): number => {
  const part = samples.subarray(Math.round(from_s * samplesPerSecond), Math.round(to_s * samplesPerSecond))
  let real = 0
  let imaginary = 0
  part.forEach((sample, index) => {
    const angle = (2 * Math.PI * frequency * index) / samplesPerSecond
    real += sample * Math.cos(angle)
    imaginary += sample * Math.sin(angle)
  })
  return (2 * Math.hypot(real, imaginary)) / Math.max(1, part.length)
}

/** Loudness of a tone against an amplitude. */
export const decibels = (amplitude: number, reference: number): number => 20 * Math.log10(amplitude / reference)

/** Which step of the staircase is heard around a time, from 0; undefined if it is quiet. */
export const stepAt = (samples: Float32Array, at_s: number, steps: number): number | undefined => {
  const amplitudes = Array.from({ length: steps }, (_, step) =>
    amplitudeOf(samples, 500 * (step + 1), at_s - 0.1, at_s + 0.1)
  )
  const loudest = Math.max(...amplitudes)
  return loudest < 0.02 ? undefined : amplitudes.indexOf(loudest)
}
