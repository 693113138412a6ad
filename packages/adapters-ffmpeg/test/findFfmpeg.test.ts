import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FfmpegEncoder, findFfmpeg } from "@loopbox/adapters-ffmpeg"
import type { FfmpegPackage } from "@loopbox/adapters-ffmpeg"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"

const folder = mkdtempSync(join(tmpdir(), "loopbox-find-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program that answers as ffmpeg does, in a folder of its own. */
const program = (name: string, lacks: "nothing" | "libx264" | "tpad" = "nothing", mode = 0o755): string => {
  const path = join(folder, name, "ffmpeg")
  const encoders = lacks === "libx264" ? "" : " V....D libx264  H.264"
  const filters = lacks === "tpad" ? "" : " .. tpad  V->V"
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(
    path,
    `#!/bin/sh\ncase "$*" in *-version*) echo "ffmpeg version 7.${name.length}";; *-encoders*) echo "${encoders}";; *) echo "${filters}";; esac\n`
  )
  chmodSync(path, mode)
  return path
}

const carried = program("carried")
const onPath = program("path")
const oldest = program("oldest")
const packages: Partial<Record<FfmpegPackage, string>> = {
  "ffmpeg-static": carried,
  "@ffmpeg-installer/ffmpeg": oldest
}

const resolvePackage = (name: FfmpegPackage) => Option.fromUndefinedOr(packages[name])
const searchPath = join(folder, "path")

describe("findFfmpeg", () => {
  it.effect("takes LOOPBOX_FFMPEG before everything else", () =>
    Effect.gen(function* () {
      const named = program("named")
      const found = yield* findFfmpeg({ ffmpeg: named, allowFallback: true, resolvePackage, searchPath })
      assert.deepInclude(found, { path: named, source: "LOOPBOX_FFMPEG", version: "7.5" })
    })
  )

  it.effect("takes ffmpeg-static before the PATH", () =>
    Effect.gen(function* () {
      const found = yield* findFfmpeg({ allowFallback: true, resolvePackage, searchPath })
      assert.deepInclude(found, { path: carried, source: "ffmpeg-static" })
    })
  )

  it.effect("passes over an ffmpeg-static whose file is missing, or cannot be run", () =>
    Effect.gen(function* () {
      for (const path of [join(folder, "nowhere"), program("unrunnable", "nothing", 0o644)]) {
        const found = yield* findFfmpeg({ allowFallback: true, resolvePackage: () => Option.some(path), searchPath })
        assert.deepInclude(found, { path: onPath, source: "PATH" })
      }
    })
  )

  it.effect("takes @ffmpeg-installer/ffmpeg last, with a warning", () =>
    Effect.gen(function* () {
      const resolve = (name: FfmpegPackage) => (name === "ffmpeg-static" ? Option.none() : resolvePackage(name))
      const found = yield* findFfmpeg({ allowFallback: true, resolvePackage: resolve, searchPath: folder })
      assert.deepInclude(found, { path: oldest, source: "@ffmpeg-installer/ffmpeg" })
      assert.include(found.warnings.join(), "apt-get install ffmpeg")
      const error = yield* Effect.flip(
        findFfmpeg({ allowFallback: false, resolvePackage: resolve, searchPath: folder })
      )
      assert.include(error.detail, "LOOPBOX_FFMPEG")
    })
  )

  it.effect.each(["libx264", "tpad"] as const)("passes over a program without %s, and says so", (lacks) =>
    Effect.gen(function* () {
      const poor = program(`without-${lacks}`, lacks)
      const found = yield* findFfmpeg({ allowFallback: false, resolvePackage: () => Option.some(poor), searchPath })
      assert.strictEqual(found.path, onPath)
      assert.include(found.warnings.join(), lacks)
      const error = yield* Effect.flip(findFfmpeg({ ffmpeg: poor, allowFallback: true, resolvePackage, searchPath }))
      assert.include(error.detail, lacks)
    })
  )

  it.effect("says when setpriv and prlimit are missing", () =>
    Effect.gen(function* () {
      const found = yield* findFfmpeg({ allowFallback: false, searchPath })
      assert.deepStrictEqual(found.launcher, [])
      assert.include(found.warnings.join(), "util-linux")
    })
  )
})

describe("FfmpegEncoder.layer", () => {
  it.effect("does not build when LOOPBOX_FFMPEG names no program", () =>
    Effect.gen(function* () {
      const options = { scratch: folder, ffmpeg: join(folder, "nowhere"), allowFallback: true, resolvePackage }
      const error = yield* Effect.flip(Effect.scoped(Layer.build(FfmpegEncoder.layer(options))))
      assert.include(error.detail, "nowhere")
    })
  )

  it.effect("builds without an ffmpeg, and finds one that comes later", () =>
    Effect.gen(function* () {
      const later = join(folder, "later")
      const encoder = FfmpegEncoder.layer({ scratch: folder, allowFallback: false, searchPath: later })
      yield* Effect.gen(function* () {
        const { health } = yield* GifEncoder
        assert.strictEqual((yield* Effect.flip(health))._tag, "EngineMissing")
        program("later")
        assert.strictEqual((yield* health).source, "PATH")
        rmSync(later, { recursive: true })
        assert.strictEqual((yield* health).source, "PATH")
      }).pipe(Effect.provide(encoder))
    })
  )
})
