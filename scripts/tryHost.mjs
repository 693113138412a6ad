// Starts a host the way a newcomer does and turns the repository's GIF into an MP4:
//   node scripts/tryHost.mjs [--api] FOLDER COMMAND [ARGUMENT…]
// It pastes the commands that the host prints into a shell; with --api it makes the same requests itself. Plain
// JavaScript of Node 18, because .ci/run calls it before anything is installed.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const startLimitMs = 300_000
const convertLimitMs = 120_000
const stopLimitMs = 30_000

const args = process.argv.slice(2)
const isApi = args[0] === "--api"
const [folder = "", command = "", ...rest] = isApi ? args.slice(1) : args
if (command === "") {
  console.error("Usage: node scripts/tryHost.mjs [--api] FOLDER COMMAND [ARGUMENT…]")
  process.exit(2)
}

let output = ""
// A group of its own: whatever the command starts can be stopped with it.
const host = spawn(command, rest, { cwd: folder, detached: true, stdio: ["ignore", "pipe", "pipe"] })
let ended = false
let startFailure = ""
host.once("error", (error) => {
  startFailure = error.message
  ended = true
})
host.once("exit", () => (ended = true))
for (const stream of [host.stdout, host.stderr]) stream.on("data", (chunk) => (output += chunk))

const stopGroup = (signal) => {
  try {
    if (host.pid !== undefined) process.kill(-host.pid, signal)
  } catch {
    // Nothing is left of it.
  }
}
process.once("exit", () => stopGroup("SIGKILL"))
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1))

const fail = (message) => {
  console.error(`tryHost: ${message}\n--- what the host said ---\n${output}`)
  process.exit(1)
}

const until = async (what, limitMs, isTrue) => {
  const end = Date.now() + limitMs
  for (;;) {
    const value = await isTrue()
    if (value) return value
    if (Date.now() > end) return fail(`${what}: not within ${limitMs / 1000} s`)
    await sleep(100)
  }
}

/** What a reader would paste: the lines of the host's output that are commands, continued ones joined. */
const printedCommands = () =>
  output
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim().replace(/^\$ /, ""))
    .filter((line) => /^(curl|node|npx|until|while|export) |^'.+' demo-gif |^[A-Za-z_]+=("?\$\(|\S+$)/.test(line))

const address = () => /https?:\/\/[\w.[\]:-]+:\d+/.exec(output.slice(output.indexOf("listening")))?.[0]

const paste = () => {
  const commands = printedCommands()
  if (commands.length < 3) fail(`it printed ${commands.length} commands instead of three`)
  for (const line of commands) console.log(`$ ${line}`)
  const run = spawnSync("bash", ["-euo", "pipefail", "-c", commands.join("\n")], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: convertLimitMs
  })
  console.log(run.stdout)
  if (run.status !== 0) fail(`the printed commands ended with ${run.signal ?? `exit ${run.status}`}\n${run.stderr}`)
  const videos = readdirSync(folder).filter(
    (name) => name.endsWith(".mp4") && statSync(join(folder, name)).mtimeMs > begun
  )
  if (videos.length !== 1) fail(`the printed commands made ${videos.length} MP4 files instead of one`)
  return readFileSync(join(folder, videos[0]))
}

const convert = async () => {
  const base = address()
  const keyFile = join(folder, process.env["LOOPBOX_DATA"] ?? ".loopbox", "demo-key")
  const key = existsSync(keyFile) ? readFileSync(keyFile, "utf8").trim() : /lbx_(?:test|live)_\w+/.exec(output)?.[0]
  const gif = join(folder, "try-host.gif")
  spawnSync(process.execPath, [fileURLToPath(new URL("makeGif.mjs", import.meta.url)), gif])
  const call = async (method, path, type, body) => {
    const headers = { authorization: `Bearer ${key}`, ...(type === undefined ? {} : { "content-type": type }) }
    const request = new Request(base + path, body === undefined ? { method, headers } : { method, headers, body })
    const answer = await fetch(request)
    if (!answer.ok) fail(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const data = async (answer) => (await answer.json()).data
  const media = await data(await call("POST", "/v1/media", "image/gif", readFileSync(gif)))
  const asked = JSON.stringify({ gif_media_id: media.id })
  const { id } = await data(await call("POST", "/v1/media/gif-conversions", "application/json", asked))
  const job = await until("the conversion", convertLimitMs, async () => {
    const job = await data(await call("GET", `/v1/media/gif-conversions/${id}`))
    return (job.status === "succeeded" || job.status === "failed") && job
  })
  if (job.status === "failed") fail(`the conversion failed: ${JSON.stringify(job.error)}`)
  return Buffer.from(await (await call("GET", `/v1/media/${job.output_media_id}/content`)).arrayBuffer())
}

/** The console's page is there, with what it loads. */
const lookAtConsole = async () => {
  const page = await fetch(`${address()}/console`)
  const asset = /src="(\/console\/assets\/[^"]+)"/.exec(await page.text())?.[1]
  if (asset === undefined) fail(`/console is no page: ${page.status}`)
  const script = await fetch(address() + asset)
  if (!script.ok) fail(`${asset}: ${script.status}`)
}

/** The first boxes of a file that plays while it loads: ftyp, then moov before mdat. */
const judge = (mp4) => {
  const boxes = []
  for (let at = 0; at + 8 <= mp4.length && boxes.length < 16;) {
    boxes.push(mp4.toString("latin1", at + 4, at + 8))
    const size = mp4.readUInt32BE(at)
    if (size < 8) break
    at += size
  }
  const isFastStart = boxes.includes("moov") && boxes.indexOf("moov") < boxes.indexOf("mdat")
  if (boxes[0] !== "ftyp" || !isFastStart) fail(`no MP4 that plays: ${mp4.length} bytes, boxes ${boxes.join(" ")}`)
  console.log(`an MP4 of ${mp4.length} bytes, boxes ${boxes.join(" ")}`)
}

const begun = Date.now() - 1_000
await until("its start", startLimitMs, () => {
  if (ended) fail(startFailure === "" ? `it ended with ${host.signalCode ?? `exit ${host.exitCode}`}` : startFailure)
  return output.includes("listening") && address() !== undefined && (isApi || printedCommands().length >= 3)
})
judge(isApi ? await convert() : paste())
await lookAtConsole()
stopGroup("SIGTERM")
await until("its end after SIGTERM", stopLimitMs, () => ended)
console.log("converted, downloaded and stopped")
