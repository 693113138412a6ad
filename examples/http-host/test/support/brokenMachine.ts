import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { ffmpegPath } from "./ffmpeg.ts"
import type { Variables } from "./hostProcess.ts"

/** Debian's libfaketime, where it is installed or named. */
export const faketime: string | undefined = [
  process.env["LOOPBOX_FAKETIME"],
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
].find((file) => file !== undefined && existsSync(file))

/** What a host is started with so that a file says how far its clock is off, like `-1h`. */
export const fakedClock = (clock: string): Variables => {
  writeFileSync(clock, "+0\n")
  return faketime === undefined
    ? {}
    : {
        LD_PRELOAD: faketime,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        DONT_FAKE_MONOTONIC: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1"
      }
}

/** An ffmpeg that does what the file `mode` beside it says: works, hangs, or says that all is well and lies. */
export const writeFfmpeg = async (folder: string) => {
  const program = join(folder, "ffmpeg")
  const mode = join(folder, "mode")
  const real = await ffmpegPath()
  const script = `#!/bin/sh
case "$*" in *-version*|*-encoders*|*-filters*) exec '${real}' "$@" ;; esac
for last; do :; done
case $(cat '${mode}') in
  hang) exec /bin/sleep 600 ;;
  nothing) exit 0 ;;
  garbage) head -c 20000 /dev/urandom > "$last" ;;
  other) exec '${real}' -y -v error -f lavfi -i color=size=64x64:rate=25:duration=9 -pix_fmt yuv420p "$last" ;;
  *) exec '${real}' "$@" ;;
esac
`
  writeFileSync(program, script)
  writeFileSync(mode, "work")
  chmodSync(program, 0o755)
  return { program, set: (value: string) => writeFileSync(mode, value) }
}

/** Loaded before the host: while the file is there, no name is looked up. */
const noNames = (file: string) => `
const dns = require("node:dns")
const fs = require("node:fs")
const real = dns.lookup
dns.lookup = (name, ...rest) => {
  if (!fs.existsSync(${JSON.stringify(file)})) return real(name, ...rest)
  const error = Object.assign(new Error("getaddrinfo EAI_AGAIN " + name), { code: "EAI_AGAIN", syscall: "getaddrinfo", hostname: name })
  process.nextTick(rest.at(-1), error)
}
`

/** What a host is started with so that names can be taken away from it, and given back. */
export const losableNames = (folder: string) => {
  const program = join(folder, "noNames.cjs")
  const gone = join(folder, "names are gone")
  writeFileSync(program, noNames(gone))
  const variables: Variables = { NODE_OPTIONS: `--require "${program}"` }
  return { variables, lose: () => writeFileSync(gone, ""), giveBack: () => rmSync(gone) }
}
