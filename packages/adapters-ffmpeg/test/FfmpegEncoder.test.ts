import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { GifEncoder } from "@loopbox/core/conversions/GifEncoder"
import { encodeWorkOf, gifEncoderContract } from "@loopbox/testing/conformance/GifEncoderContract"
import { animatedGif, noise, sampleGif } from "@loopbox/testing/fakes/gifSamples"
import { afterAll, assert, describe, it, layer, vi } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { convert } from "./support/convert.ts"
import { judgePictures } from "./support/judge.ts"
import { hostileGifs } from "./support/hostileGifs.ts"
import { oldestFfmpeg, testFfmpeg } from "./support/programs.ts"

const scratch = mkdtempSync(join(tmpdir(), "loopbox-scratch-"))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** For what a process does in the background, on a machine that may be busy. */
const patience = { timeout: 60_000 }

const encoder = (ffmpeg = testFfmpeg?.path) => FfmpegEncoder.layer({ scratch, ffmpeg, allowFallback: false })

/** Files of works that are going on or have not been cleaned up. */
const leftovers = (): ReadonlyArray<string> =>
  readdirSync(scratch).flatMap((folder) => readdirSync(join(scratch, folder)))

/** Empty for a process that has ended, also for one that ends while it is looked at. */
const commandLineOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1")
  } catch {
    return ""
  }
}

/** How many ffmpegs work on the encoding of this test. */
const runningHere = (): number =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .map(commandLineOf)
    .filter((line) => line.includes("libx264") && line.includes("0xFFABCDEF")).length

/** Noise keeps x264 busy for some seconds. */
const slowGif = () => {
  const grain = noise(3)
  const image = { delay_cs: 10, codeSize: 2, pixel: () => grain() % 4 }
  const drawn = sampleGif({ width: 640, height: 480, images: [image] })
  return sampleGif({
    width: 1920,
    height: 1920,
    images: Array.from({ length: 60 }, () => ({
      ...image,
      width: 640,
      height: 480,
      data: drawn.subarray(13 + 12 + 8 + 10, -1)
    }))
  })
}

if (testFfmpeg === undefined) {
  describe("FfmpegEncoder", () =>
    it.skip("needs an ffmpeg: apt-get install ffmpeg, or LOOPBOX_FFMPEG", () => undefined))
} else {
  gifEncoderContract(`ffmpeg ${testFfmpeg.version}`, encoder())
  if (oldestFfmpeg !== undefined) gifEncoderContract("ffmpeg of 2018", encoder(oldestFfmpeg))

  layer(encoder(), { excludeTestServices: true })("FfmpegEncoder: pictures", (it) => {
    it.effect.each(hostileGifs)("shows what a browser shows: $name", ({ gif, meanTolerance = 5, name }) =>
      Effect.gen(function* () {
        const bytes = gif()
        for (const background of ["#12C8F0"]) {
          const { path, plan } = yield* convert(bytes, background, { name })
          const complaints = yield* Effect.promise(() => judgePictures(bytes, path, plan, { count: 7, meanTolerance }))
          assert.deepStrictEqual(complaints, [])
        }
      })
    )
  })

  layer(encoder(), { excludeTestServices: true })("FfmpegEncoder: processes and files", (it) => {
    it.effect("leaves no file when its scope has closed", () =>
      Effect.gen(function* () {
        const path = yield* Effect.scoped(
          convert(animatedGif([10, 10]), "#FFFFFF", { name: "short-lived" }).pipe(
            Effect.map((made) => made.path),
            Effect.tap((made) => Effect.sync(() => assert.isTrue(existsSync(made))))
          )
        )
        assert.isFalse(existsSync(path))
        assert.notInclude(leftovers(), "short-lived")
      })
    )

    it.effect("kills a running ffmpeg, and removes its folder, when it is interrupted", () =>
      Effect.gen(function* () {
        const work = yield* encodeWorkOf(slowGif(), "killed")
        const plan = { ...work.plan, background: "#ABCDEF" }
        const running = yield* Deferred.make<void>()
        const fiber = yield* (yield* GifEncoder)
          .encode({ ...work, plan, onProgress: () => Deferred.succeed(running, undefined).pipe(Effect.asVoid) })
          .pipe(Effect.scoped, Effect.forkChild)
        yield* Deferred.await(running)
        assert.strictEqual(runningHere(), 1)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(runningHere(), 0)
        assert.notInclude(leftovers(), "killed")
      })
    )

    it.effect("stops an encoding as soon as its file is over the limit", () =>
      Effect.gen(function* () {
        const work = yield* encodeWorkOf(slowGif(), "stopped")
        const error = yield* Effect.flip((yield* GifEncoder).encode({ ...work, maxOutput_bytes: 1000 }))
        assert.strictEqual(error.reason, "OutputTooLarge")
      }).pipe(Effect.scoped)
    )

    it.effect("never lets a name leave its folder", () =>
      Effect.gen(function* () {
        const { path } = yield* convert(animatedGif([10]), "#FFFFFF", { name: "../../etc/passwd" })
        assert.match(path, /\/______etc_passwd\/[a-z]\.mp4$/)
      }).pipe(Effect.scoped)
    )
  })

  describe("FfmpegEncoder: when the machine fails", () => {
    const failing = (script: string) => {
      // An encoder that ends takes its empty scratch folder along.
      mkdirSync(scratch, { recursive: true })
      const folder = mkdtempSync(join(scratch, "fake-"))
      const program = join(folder, "ffmpeg")
      const answers = `case "$*" in *-version*) echo "ffmpeg version 9";; *-encoders*) echo libx264;; *-filters*) echo tpad;; *) ${script};; esac`
      writeFileSync(program, `#!/bin/sh\n${answers}\n`, { mode: 0o755 })
      return encoder(program)
    }
    const reasonOf = Effect.gen(function* () {
      const error = yield* Effect.flip(convert(animatedGif([10]), "#FFFFFF", { name: "failing" }))
      return error._tag === "EncodeFailed" ? error.reason : error._tag
    }).pipe(Effect.scoped)

    it.effect.each([
      ["Undecodable", "echo frame=0; exit 69"],
      ["Undecodable", "echo frame=0; exit 0"],
      ["Rejected", "echo frame=3; exit 1"],
      ["Rejected", "echo frame=150; echo nonsense > u.mp4"],
      ["Rejected", "echo frame=3; kill -SEGV $$"],
      ["MachineFailed", "kill -KILL $$"],
      ["MachineFailed", "echo frame=3; echo 'av_interleaved_write_frame(): No space left on device' >&2; exit 1"],
      ["MachineFailed", "echo frame=150"],
      ["OutputTooLarge", "echo total_size=1000000001; exec sleep 60"]
    ] as const)("says %s when ffmpeg does: %s", ([reason, script]) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* reasonOf, reason)
      }).pipe(Effect.provide(failing(script)))
    )

    it.effect("keeps an empty environment from ffmpeg's side: no secret is passed on", () =>
      Effect.gen(function* () {
        process.env["LOOPBOX_TEST_SECRET"] = "s"
        yield* Effect.addFinalizer(() => Effect.sync(() => delete process.env["LOOPBOX_TEST_SECRET"]))
        assert.strictEqual(yield* reasonOf, "Rejected")
      }).pipe(Effect.provide(failing(`echo frame=1; test -z "$LOOPBOX_TEST_SECRET" && exit 1; echo frame=0; exit 69`)))
    )
  })

  describe("FfmpegEncoder: folders of dead processes", () => {
    const folderOf = (name: string, seen_minutes = 0) => {
      const folder = join(scratch, name)
      mkdirSync(join(folder, "job"), { recursive: true })
      const seen = Date.now() / 1000 - seen_minutes * 60
      utimesSync(folder, seen, seen)
      return folder
    }
    const host = hostname().replace(/[^A-Za-z0-9_.]/g, "_")
    const gone = execFileSync("sh", ["-c", "echo $$"]).toString().trim()
    /** Starts an encoder, and waits until its first sweep has removed these. */
    const sweepUntilGone = (...folders: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        yield* GifEncoder
        yield* Effect.promise(() => vi.waitFor(() => assert.notInclude(folders.map(existsSync), true), patience))
      }).pipe(Effect.provide(encoder()))

    it.effect("of this host are removed when the encoder starts, and those of the living stay", () =>
      Effect.gen(function* () {
        const dead = folderOf(`${host}-${gone}-1`)
        const reused = folderOf(`${host}-${process.pid}-1`)
        const ownStart = readFileSync("/proc/self/stat", "latin1").split(") ")[1]?.split(" ")[19]
        const living = folderOf(`${host}-${process.pid}-${ownStart}`)
        yield* sweepUntilGone(dead, reused)
        assert.isTrue(existsSync(living))
      })
    )

    it.effect("of another host are removed once nobody has touched them for a quarter of an hour", () =>
      Effect.gen(function* () {
        const dead = folderOf(`another-${gone}-1`, 16)
        // It may get older while an encoder starts on a busy machine.
        const silent = folderOf(`another-${gone}-2`, 7)
        yield* sweepUntilGone(dead)
        assert.isTrue(existsSync(silent))
      })
    )

    it.effect("of a container that has this host's name are judged like another host's", () =>
      Effect.gen(function* () {
        // Containers in the network of their machine all have its name, and each has a process 1.
        const sibling = folderOf(`${host}.1-1-1`)
        const dead = folderOf(`${host}.1-1-2`, 16)
        yield* sweepUntilGone(dead)
        assert.isTrue(existsSync(sibling))
      })
    )

    it.effect("are touched by their process as long as it runs, also when it has no work", () => {
      const quiet = join(scratch, "quiet")
      const touched = () => readdirSync(quiet).map((folder) => statSync(join(quiet, folder)).mtimeMs)
      return Effect.gen(function* () {
        yield* GifEncoder
        yield* Effect.promise(() => vi.waitFor(() => assert.lengthOf(touched(), 1), patience))
        for (const folder of readdirSync(quiet)) utimesSync(join(quiet, folder), 1, 1)
        // The first sweep works on real files and may still go on: only after it the process sleeps for ten seconds of
        // this clock. So the clock is moved until the touch has come.
        yield* TestClock.adjust("10 seconds").pipe(
          Effect.andThen(Effect.promise(() => setTimeout(20))),
          Effect.repeat({ until: () => (touched()[0] ?? 0) > 1000 })
        )
      }).pipe(Effect.provide(FfmpegEncoder.layer({ scratch: quiet, ffmpeg: testFfmpeg?.path, allowFallback: false })))
    })
  })
}
