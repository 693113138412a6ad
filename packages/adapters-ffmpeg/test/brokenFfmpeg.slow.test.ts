import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { examineFfmpeg, FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { testFfmpeg } from "./support/programs.ts"

const folder = mkdtempSync(join(tmpdir(), "loopbox-broken-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Answers what is asked at the start as the real one does, and encodes by `encode`. */
const program = (real: string, encode: string) =>
  `#!/bin/sh\ncase "$*" in *-version*|*-encoders*|*-filters*) exec ${real} "$@";; esac\n${encode}\n`

const write = (path: string, text: string) => {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

const real = testFfmpeg?.path
if (real === undefined) {
  describe("a broken ffmpeg", () => it.skip("needs one that works beside it", () => undefined))
} else {
  describe("an ffmpeg that answers and cannot encode", () => {
    it.live.each([
      ["exits with 1 at once", "echo no codec today >&2; exit 1"],
      ["exits with 0 and writes nothing", "exit 0"],
      ["says that it wrote pictures and wrote none", "echo frame=150; echo progress=end; exit 0"],
      ["writes a file that is no video", "echo frame=150; for last; do :; done; echo text > $last; exit 0"],
      ["kills itself", "kill -9 $$"]
    ] as const)("fails its trial, and with it its health, until it is mended: it %s", ([name, encode]) =>
      Effect.gen(function* () {
        const path = join(folder, `ffmpeg-${name.replaceAll(" ", "-")}`)
        const scratch = join(folder, "scratch")
        write(path, program(real, encode))
        const check = Effect.gen(function* () {
          const { health, probe } = yield* GifEncoder
          // The program can be found, and nobody has seen it fail.
          assert.strictEqual((yield* health).path, path)
          const error = yield* Effect.flip(probe)
          assert.strictEqual(error._tag, "EngineBroken")
          assert.include(error.detail, path)
          assert.strictEqual(yield* Effect.flip(health), error)
          assert.include(
            (yield* Effect.flip(examineFfmpeg({ ffmpeg: path }))).detail,
            "cannot convert even the smallest GIF"
          )
          write(path, program(real, `exec ${real} "$@"`))
          yield* probe
          assert.strictEqual((yield* health).path, path)
          assert.strictEqual((yield* examineFfmpeg({ ffmpeg: path })).path, path)
          // Nothing of the trials stays.
          assert.deepStrictEqual(
            readdirSync(scratch).flatMap((own) => readdirSync(join(scratch, own))),
            []
          )
        })
        yield* check.pipe(Effect.provide(FfmpegEncoder.layer({ scratch, ffmpeg: path })))
      })
    )

    it.live("is named once in the log, however often it is tried", () =>
      Effect.gen(function* () {
        const path = join(folder, "ffmpeg-named")
        write(path, program(real, "exit 1"))
        const lines: Array<string> = []
        const check = Effect.gen(function* () {
          const { probe } = yield* GifEncoder
          for (let trial = 0; trial < 3; trial++) assert.strictEqual((yield* Effect.flip(probe))._tag, "EngineBroken")
        })
        yield* check.pipe(
          Effect.provide(FfmpegEncoder.layer({ scratch: join(folder, "scratch"), ffmpeg: path })),
          Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))]))
        )
        assert.strictEqual(lines.filter((line) => line.includes(path)).length, 1)
      })
    )

    it.live("that is gone later is broken or missing, and another one is searched for", () =>
      Effect.gen(function* () {
        const bin = mkdtempSync(join(folder, "bin-"))
        write(join(bin, "ffmpeg"), program(real, `exec ${real} "$@"`))
        const check = Effect.gen(function* () {
          const { probe } = yield* GifEncoder
          yield* probe
          rmSync(join(bin, "ffmpeg"))
          assert.strictEqual((yield* Effect.flip(probe))._tag, "EngineBroken")
          assert.strictEqual((yield* Effect.flip(probe))._tag, "EngineMissing")
          write(join(bin, "ffmpeg"), program(real, `exec ${real} "$@"`))
          yield* probe
        })
        yield* check.pipe(Effect.provide(FfmpegEncoder.layer({ scratch: join(folder, "scratch"), searchPath: bin })))
      })
    )
  })
}
