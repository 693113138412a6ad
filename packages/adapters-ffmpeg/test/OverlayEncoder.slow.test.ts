import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { afterAll, describe, it, layer } from "@effect/vitest"
import type { EncodedPicture, Loudness, LongerSound, ShorterSound } from "./support/overlayJudges.ts"
import { judgeEncoded, judgeFormat, judgeLonger, judgeLoudness, judgeShorter } from "./support/overlayJudges.ts"
import { h264, mediaFolder, pictures, tone } from "./support/overlays.ts"
import { oldestFfmpeg, testFfmpeg } from "./support/programs.ts"

const scratch = mkdtempSync(join(tmpdir(), "loopbox-overlay-scratch-"))
afterAll(() => {
  for (const folder of [scratch, mediaFolder]) rmSync(folder, { recursive: true, force: true })
})

const modes = ["mix", "replace"] as const
const fits = ["trim_to_video", "loop_to_video"] as const

const heardIn = (fit: (typeof fits)[number], start: number): ShorterSound["steps"] => {
  if (fit === "loop_to_video") return start === 0 ? [0, 1, 0, 1] : [1, 0, 1, 0]
  return start === 0 ? [0, 1, undefined, undefined] : [1, undefined, undefined, undefined]
}

const shorter: ReadonlyArray<ShorterSound> = modes.flatMap((mode) =>
  fits.flatMap((fit) =>
    [true, false].flatMap((silent) =>
      [0, 1000].map((start) => ({ mode, fit, silent, start, steps: heardIn(fit, start) }))
    )
  )
)

const longer: ReadonlyArray<LongerSound> = [
  ["trim_to_video", 0, [0, 1, 2, 3]],
  ["loop_to_video", 0, [0, 1, 2, 3]],
  ["trim_to_video", 2000, [2, 3, 4, 5]],
  ["loop_to_video", 2000, [2, 3, 4, 5]],
  ["trim_to_video", 5000, [5, undefined, undefined, undefined]],
  ["loop_to_video", 5000, [5, 0, 1, 2]]
]

const loudness: ReadonlyArray<Loudness> = [
  [100, 100, 0, 0],
  [50, 100, -6.02, 0],
  [100, 25, 0, -12.04],
  [10, 75, -20, -2.5],
  [0, 100, undefined, 0],
  [100, 0, 0, undefined],
  [0, 0, undefined, undefined]
]

const formats: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["wav", ["-c:a", "pcm_s16le"]],
  ["mp3", ["-c:a", "libmp3lame", "-q:a", "5"]],
  ["aac", ["-c:a", "aac"]],
  ["m4a", ["-c:a", "aac"]],
  ["webm", ["-c:a", "libopus"]],
  ["mp4", [...pictures(3), ...h264, "-c:a", "aac"]],
  ["mov", ["-c:a", "pcm_s16le"]]
]

const hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"]

const encoded: ReadonlyArray<EncodedPicture> = [
  ["HEVC", "hevc.mp4", [...pictures(2), ...hevc], [160, 120]],
  ["ten bits", "ten.mp4", [...pictures(2), "-c:v", "libx264", "-pix_fmt", "yuv420p10le"], [160, 120]],
  ["no halved colours", "full.mp4", [...pictures(2), "-c:v", "libx264", "-pix_fmt", "yuv444p"], [160, 120]],
  ["wide pixels", "wide.mp4", [...pictures(2), "-vf", "setsar=2", ...h264], [320, 120]],
  ["more than 1920", "large.mp4", [...pictures(2, "2560x1440"), ...h264], [1920, 1080]],
  ["more than 1920 upright", "tall.mp4", [...pictures(2, "1200x2400"), ...h264], [960, 1920]],
  ["fragments", "parts.mp4", [...pictures(2), ...h264, "-movflags", "frag_keyframe+empty_moov"], [160, 120]],
  ["60 a second", "fast.webm", [...pictures(2, "160x120", 60), "-c:v", "libvpx", "-deadline", "realtime"], [160, 120]],
  [
    "an old codec with sound",
    "old.mov",
    [...pictures(2), ...tone(700, 2), "-c:v", "mjpeg", "-c:a", "pcm_s16be"],
    [160, 120]
  ]
]

if (testFfmpeg === undefined) {
  describe("OverlayEncoder", () =>
    it.skip("needs an ffmpeg: apt-get install ffmpeg, or LOOPBOX_FFMPEG", () => undefined))
} else {
  // How sounds are cut, repeated and scaled is arithmetic of ours, of which an older program shows enough by some cases; what it
  // reads and writes is its own.
  const some = <A>(cases: ReadonlyArray<A>) => cases.filter((_, n) => n % 3 === 0)
  const all = <A>(cases: ReadonlyArray<A>) => cases
  const programs = [{ program: `ffmpeg ${testFfmpeg.version}`, ffmpeg: testFfmpeg.path, of: all }]
  if (oldestFfmpeg !== undefined) programs.push({ program: "ffmpeg of 2018", ffmpeg: oldestFfmpeg, of: some })
  for (const { ffmpeg, of, program } of programs) {
    layer(FfmpegEncoder.layer({ scratch, ffmpeg, allowFallback: false }), { excludeTestServices: true })(
      `OverlayEncoder in all cases: ${program}`,
      (it) => {
        it.effect.each(of(shorter))("a shorter sound, $mode, $fit, silent video: $silent, from $start ms", judgeShorter)
        it.effect.each(of(longer))("a longer sound, %s, from %i ms", judgeLonger)
        it.effect.each(of(loudness))("loudness of %i and %i percent: each is scaled, and the sum is not", judgeLoudness)
        it.effect.each(formats)("a sound of %s is cut and repeated to the sample", judgeFormat)
        it.effect.each(encoded)("a picture that is not universal is encoded: %s", judgeEncoded)
      }
    )
  }
}
