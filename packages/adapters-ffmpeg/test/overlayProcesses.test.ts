import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FfmpegEncoder } from "@loopbox/adapters-ffmpeg"
import { OverlayEncoder } from "@loopbox/core/overlays/OverlayEncoder"
import type { OverlaySource } from "@loopbox/core/overlays/OverlayEncoder"
import { afterAll, assert, describe, it, vi } from "@effect/vitest"
import { Effect, Fiber, Result, Stream } from "effect"
import { defaults, overlay } from "./support/overlays.ts"

const folder = mkdtempSync(join(tmpdir(), "loopbox-overlay-processes-"))
const scratch = join(folder, "scratch")
const pidFile = join(folder, "pid")
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** For what a process does in the background, on a machine that may be busy. */
const patience = { timeout: 60_000 }

/**
 * A program that looks like ffmpeg. It lists a picture of a second and decodes a sound, unless `steps` says otherwise: a
 * case of the shell for each of the three steps, known by what it writes.
 */
const acting = (...steps: ReadonlyArray<string>) => {
  mkdirSync(scratch, { recursive: true })
  const program = join(mkdtempSync(join(folder, "fake-")), "ffmpeg")
  const cases = [
    `*-version*) echo "ffmpeg version 9";;`,
    "*-encoders*) echo libx264;;",
    "*-filters*) echo tpad;;",
    ...steps,
    String.raw`*p.txt) printf '#tb 0: 1/1000\n0, 0, 0, 1000, 9, 0x0\n' > p.txt;;`,
    "*l.raw) head -c 8000 /dev/zero > l.raw;;"
  ]
  writeFileSync(program, `#!/bin/sh\ncase "$*" in ${cases.join("\n")} esac\n`, { mode: 0o755 })
  return FfmpegEncoder.layer({ scratch, ffmpeg: program, allowFallback: false })
}

const source = (contentType: OverlaySource<never>["contentType"]): OverlaySource<never> => ({
  contentType,
  bytes: Stream.make(new Uint8Array(100))
})

const reasonOf = overlay(source("video/webm"), source("audio/wav")).pipe(
  Effect.flip,
  Effect.map(({ reason }) => reason),
  Effect.scoped
)

describe("OverlayEncoder: when the machine fails", () => {
  it.effect.each([
    ["Undecodable", "*p.txt) exit 1;;"],
    ["Undecodable", "*p.txt) : > p.txt;;"],
    ["Rejected", "*p.txt) echo total_size=1000000000; exec sleep 60;;"],
    ["MachineFailed", "*p.txt) kill -KILL $$;;"],
    ["Undecodable", "*l.raw) exit 1;;"],
    ["Undecodable", "*l.raw) : > l.raw;;"],
    ["MachineFailed", "*l.raw) kill -KILL $$;;"],
    ["MachineFailed", "*l.raw) echo 'l.raw: No space left on device' >&2; exit 1;;"],
    ["Undecodable", "*o.mp4) echo frame=0; exit 1;;"],
    ["Rejected", "*o.mp4) echo frame=3; exit 1;;"],
    ["Rejected", "*o.mp4) echo frame=30; echo nonsense > o.mp4;;"],
    ["MachineFailed", "*o.mp4) echo frame=30;;"],
    ["MachineFailed", "*o.mp4) echo frame=3; echo 'No space left on device' >&2; exit 1;;"],
    ["OutputTooLarge", "*o.mp4) echo total_size=1000000001; exec sleep 60;;"]
  ] as const)("says %s when ffmpeg does: %s", ([reason, step]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reasonOf, reason)
    }).pipe(Effect.provide(acting(step)))
  )
})

describe("OverlayEncoder: processes and files", () => {
  it.effect.each(["p.txt", "l.raw", "o.mp4"])("an interruption kills the ffmpeg that writes %s", (file) =>
    Effect.gen(function* () {
      rmSync(pidFile, { force: true })
      const fiber = yield* overlay(source("video/webm"), source("audio/wav")).pipe(Effect.scoped, Effect.forkChild)
      const pid = yield* Effect.promise(() =>
        vi.waitFor(() => {
          const written = Number(readFileSync(pidFile, "utf8"))
          assert.isAbove(written, 0)
          return written
        }, patience)
      )
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Result.isFailure(Result.try(() => process.kill(pid, 0))))
      const left = readdirSync(scratch).flatMap((own) => readdirSync(join(scratch, own)))
      assert.deepStrictEqual(left, [])
    }).pipe(Effect.provide(acting(`*${file}) echo $$ > ${pidFile}; exec sleep 60;;`)))
  )

  it.effect("the failure of a source's stream is passed on as it is", () =>
    Effect.gen(function* () {
      const gone = { contentType: "video/webm", bytes: Stream.fail("the upload is gone" as const) } as const
      for (const [video, audio] of [
        [gone, source("audio/wav")],
        [source("video/webm"), gone]
      ] as const) {
        const work = { name: "gone", settings: defaults, video, audio, maxOutput_bytes: 1000 }
        const encoder = yield* OverlayEncoder
        assert.strictEqual(
          yield* Effect.flip(encoder.encode({ ...work, onProgress: () => Effect.void })),
          "the upload is gone"
        )
      }
    }).pipe(Effect.scoped, Effect.provide(acting()))
  )
})
