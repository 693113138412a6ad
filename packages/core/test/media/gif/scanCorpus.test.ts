import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { isGifSizeAllowed } from "../../../src/media/gif/GifLimits.ts"
import { renderPlan } from "@loopbox/core/conversions/gif/renderPlan"
import { scanGif } from "@loopbox/core/media/gif/scanGif"
import { Result, Schema } from "effect"

const corpus = process.env["LOOPBOX_CORPUS"]
const folder = join(corpus ?? "", "corpora", "gif")

const Cases = Schema.Array(
  Schema.Struct({
    file: Schema.String,
    frames: Schema.Number,
    cycle_ms: Schema.Number,
    expected: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
    output_seconds: Schema.optionalKey(Schema.Number)
  })
)

const casesOf = (index: string) =>
  corpus === undefined ? [] : Schema.decodeUnknownSync(Cases)(JSON.parse(readFileSync(join(folder, index), "utf8")))

const codeOf = (bytes: Uint8Array): string =>
  isGifSizeAllowed(bytes.length)
    ? Result.match(scanGif(bytes), { onSuccess: () => "ok", onFailure: (verdict) => verdict.code })
    : "gif_size_exceeded"

const judge = (bytes: Uint8Array, wanted: (typeof Cases.Type)[number]) => {
  assert.include([wanted.expected].flat(), codeOf(bytes))
  const scanned = scanGif(bytes)
  if (Result.isFailure(scanned) || wanted.expected !== "ok") return
  assert.strictEqual(scanned.success.images.length, wanted.frames)
  if (wanted.frames > 1) assert.strictEqual(scanned.success.cycle_cs * 10, wanted.cycle_ms)
  const { pictures } = renderPlan(scanned.success, "#FFFFFF")
  if (wanted.output_seconds !== undefined) assert.isAtMost(Math.abs(pictures / 30 - wanted.output_seconds), 1 / 60)
}

describe("the GIFs of LOOPBOX_CORPUS", () => {
  if (corpus === undefined) {
    it.skip("set LOOPBOX_CORPUS to the folder that holds corpora/gif", () => undefined)
    return
  }
  let made = ""
  beforeAll(() => {
    made = mkdtempSync(join(tmpdir(), "loopbox-gifs-"))
    execFileSync(process.execPath, [join(folder, "generate.mjs"), made])
  })
  afterAll(() => rmSync(made, { recursive: true, force: true }))

  it.each(casesOf("manifest.json"))("$file: $expected", (wanted) =>
    judge(readFileSync(join(folder, wanted.file)), wanted)
  )
  it.each(casesOf("generated.json"))("$file: $expected", (wanted) =>
    judge(readFileSync(join(made, wanted.file)), wanted)
  )
})
