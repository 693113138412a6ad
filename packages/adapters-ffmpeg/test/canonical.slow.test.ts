import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { canonicalCanvas } from "@loopbox/core/media/gif/canonicalCanvas"
import { canonicalPieces, makeCanonicalWriter } from "@loopbox/core/conversions/gif/canonicalGif"
import { scanGif } from "@loopbox/core/media/gif/scanGif"
import { sampleGif } from "@loopbox/testing/fakes/gifSamples"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { brokenData, brokenGifs } from "./support/brokenGifs.ts"
import { testFfmpeg } from "./support/programs.ts"
import { randomGif } from "./support/randomGif.ts"
import { playGif } from "./support/referenceGif.ts"
import type { ReferenceFrame } from "./support/referenceGif.ts"

const folder = mkdtempSync(join(tmpdir(), "loopbox-canonical-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const seeds = Number(process.env["LOOPBOX_TEST_SEEDS"] ?? 40)
const background = [0x12, 0xc8, 0xf0] as const

/** What ffmpeg's decoder makes of the canonical GIF: blue, green, red, alpha of every pixel of every frame. */
const decode = async (gif: Uint8Array, name: string): Promise<Uint8Array> => {
  const path = join(folder, name)
  writeFileSync(path, gif)
  const { stdout } = await promisify(execFile)(
    testFfmpeg?.path ?? "ffmpeg",
    [
      "-v",
      "quiet",
      "-trans_color",
      "0xFF12C8F0",
      "-f",
      "gif",
      "-i",
      path,
      "-vsync",
      "0",
      "-f",
      "rawvideo",
      "-pix_fmt",
      "bgra",
      "pipe:1"
    ],
    { encoding: "buffer", maxBuffer: 1e8 }
  )
  return stdout
}

/** Pixels of the file's canvas at which the decoder and a browser differ by more than so many levels. */
const differences = (
  frame: ReferenceFrame,
  decoded: Uint8Array,
  width: number,
  decodedWidth: number,
  levels = 0
): number => {
  let count = 0
  for (let at = 0; at * 4 < frame.rgba.length; at++) {
    const from = (Math.floor(at / width) * decodedWidth + (at % width)) * 4
    const isDrawn = frame.rgba[at * 4 + 3] === 255
    const isSame = [0, 1, 2].every(
      (channel) =>
        Math.abs(
          (decoded[from + 2 - channel] ?? 0) - ((isDrawn ? frame.rgba[at * 4 + channel] : background[channel]) ?? 0)
        ) <= levels
    )
    if (!isSame) count += 1
  }
  return count
}

/** Compares each frame of the decoded canonical GIF with the same of the player. */
const compare = async (upload: Uint8Array, name: string, levels = 0): Promise<void> => {
  const scanned = scanGif(upload)
  if (Result.isFailure(scanned)) return assert.strictEqual(scanned.failure.code, "gif_decode_failed")
  const facts = scanned.success
  const canvas = canonicalCanvas(facts)
  const decoded = await decode(makeCanonicalWriter(canonicalPieces(facts, "#12C8F0")).push(upload), `${name}.gif`)
  const { frames } = playGif(upload)
  const size = canvas.width * canvas.height * 4
  assert.strictEqual(decoded.length, frames.length * size)
  for (const [index, frame] of frames.entries()) {
    const shown = decoded.subarray(index * size, (index + 1) * size)
    assert.strictEqual(differences(frame, shown, facts.width, canvas.width, levels), 0, `frame ${index}`)
  }
}

describe("the canonical GIF under ffmpeg's decoder", () => {
  it.skipIf(testFfmpeg === undefined).each(Array.from({ length: seeds }, (_, seed) => seed))(
    "is what a browser shows of the upload, to the pixel: seed %i",
    (seed) => compare(randomGif(seed), String(seed))
  )

  it.skipIf(testFfmpeg === undefined).each(brokenGifs)("has the pixels before the break: %s", (name, gif) =>
    compare(gif, name)
  )

  it.skipIf(testFfmpeg === undefined)("has all 256 different colours before the break, but for the two closest", () => {
    const pixels = Array.from({ length: 600 }, (_, x) => x & 255)
    const images = [{ delay_cs: 20, data: brokenData({ codeSize: 8, pixels, kept: 0.9 }) }]
    const greys = Array.from({ length: 768 }, (_, at) => Math.floor(at / 3))
    return compare(sampleGif({ width: 300, height: 2, palette: greys, images }), "greys", 1)
  })
})
