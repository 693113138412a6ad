import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { afterAll, assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { convert } from "./convert.ts"
import { judgePictures } from "./judge.ts"

const corpus = process.env["LOOPBOX_CORPUS"]
const folder = join(corpus ?? "", "corpora", "gif")

const Cases = Schema.Array(Schema.Struct({ file: Schema.String, expected: Schema.Unknown }))

const goodFiles = (index: string, from: string) =>
  Schema.decodeUnknownSync(Cases)(JSON.parse(readFileSync(join(folder, index), "utf8")))
    .filter(({ expected }) => expected === "ok")
    .map(({ file }) => ({ file, path: join(from, file) }))

/** `.ci/run` has each file over one of them, in turn. */
const isShort = process.env["LOOPBOX_SLOW"] === "short"

/** Every GIF of LOOPBOX_CORPUS over some backgrounds. For each program a file of its own, so that two cores are at it. */
export const convertCorpus = (program: string | undefined, backgrounds: ReadonlyArray<string>) => {
  if (corpus === undefined || program === undefined) {
    describe("the GIFs of LOOPBOX_CORPUS", () => it.skip("need LOOPBOX_CORPUS and an ffmpeg", () => undefined))
    return
  }
  const scratch = mkdtempSync(join(tmpdir(), "loopbox-corpus-"))
  const made = join(scratch, "gifs")
  afterAll(() => rmSync(scratch, { recursive: true, force: true }))
  execFileSync(process.execPath, [join(folder, "generate.mjs"), made])
  const files = [...goodFiles("manifest.json", folder), ...goodFiles("generated.json", made)].map((one, n) => ({
    ...one,
    over: isShort ? backgrounds.filter((_, place) => place === n % backgrounds.length) : backgrounds
  }))
  const encoder = FfmpegEncoder.layer({ scratch, ffmpeg: program, allowFallback: false })
  layer(encoder, { excludeTestServices: true })(`the GIFs of LOOPBOX_CORPUS: ${program}`, (it) => {
    it.effect.each(files)("shows what a browser shows: $file", ({ file, over, path }) =>
      Effect.gen(function* () {
        const bytes = readFileSync(path)
        for (const background of over) {
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
