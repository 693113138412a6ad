import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { afterAll, assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { convert } from "./support/convert.ts"
import { judgePictures } from "./support/judge.ts"
import { oldestFfmpeg, testFfmpeg } from "./support/programs.ts"

const corpus = process.env["LOOPBOX_CORPUS"]
const folder = join(corpus ?? "", "corpora", "gif")

const Cases = Schema.Array(Schema.Struct({ file: Schema.String, expected: Schema.Unknown }))

const scratch = mkdtempSync(join(tmpdir(), "loopbox-corpus-"))
const made = join(scratch, "gifs")
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const goodFiles = (index: string, from: string) =>
  Schema.decodeUnknownSync(Cases)(JSON.parse(readFileSync(join(folder, index), "utf8")))
    .filter(({ expected }) => expected === "ok")
    .map(({ file }) => ({ file, path: join(from, file) }))

if (corpus === undefined || testFfmpeg === undefined) {
  describe("the GIFs of LOOPBOX_CORPUS", () => it.skip("need LOOPBOX_CORPUS and an ffmpeg", () => undefined))
} else {
  execFileSync(process.execPath, [join(folder, "generate.mjs"), made])
  const files = [...goodFiles("manifest.json", folder), ...goodFiles("generated.json", made)]
  for (const program of [testFfmpeg.path, ...(oldestFfmpeg === undefined ? [] : [oldestFfmpeg])]) {
    const encoder = FfmpegEncoder.layer({ scratch, ffmpeg: program, allowFallback: false })
    layer(encoder, { excludeTestServices: true })(`the GIFs of LOOPBOX_CORPUS: ${program}`, (it) => {
      it.effect.each(files)("shows what a browser shows: $file", ({ file, path }) =>
        Effect.gen(function* () {
          const bytes = readFileSync(path)
          for (const background of ["#FFFFFF", "#12C8F0"]) {
            const converted = yield* convert(bytes, background, { name: file })
            const complaints = yield* Effect.promise(() =>
              judgePictures(bytes, converted.path, converted.plan, { count: 30 })
            )
            assert.deepStrictEqual(complaints, [])
          }
        })
      )
    })
  }
}
