import { findFfmpeg, packagesOf } from "@loopbox/adapters-ffmpeg"
import * as Effect from "effect/Effect"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The ffmpeg that a host with nothing configured would take. */
export const ffmpegPath = (): Promise<string> =>
  Effect.runPromise(
    Effect.map(findFfmpeg({ allowFallback: true, resolvePackage: packagesOf(import.meta.url) }), ({ path }) => path)
  )

/** An ffmpeg that takes so much longer, so that a test can reach a job while it runs. */
export const slowFfmpeg = (folder: string, seconds: number): Promise<string> =>
  ffmpegAfter(folder, `/bin/sleep ${seconds}`)

/** An ffmpeg that encodes nothing before it is told to go on. */
export const heldFfmpeg = async (folder: string) => {
  const go = join(folder, "go-on")
  const program = await ffmpegAfter(folder, `while [ ! -e '${go}' ]; do /bin/sleep 0.05; done`)
  return { program, goOn: () => writeFileSync(go, "") }
}

const ffmpegAfter = async (folder: string, wait: string): Promise<string> => {
  const program = join(folder, "slow-ffmpeg")
  const real = await ffmpegPath()
  const script = [
    "#!/bin/sh",
    'case "$*" in *-version*|*-encoders*|*-filters*) ;;',
    `*) ${wait} ;; esac`,
    `exec '${real}' "$@"`,
    ""
  ]
  writeFileSync(program, script.join("\n"))
  chmodSync(program, 0o755)
  return program
}
