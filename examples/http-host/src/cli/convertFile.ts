import type { JobBody } from "@loopbox/adapters-http"
import * as Client from "@loopbox/adapters-http/client/Client"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as path from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { print, printJson } from "./output.ts"
import { asking, findWorkspace } from "./workspaceClient.ts"

interface Wanted {
  readonly input: string
  readonly output: Option.Option<string>
  readonly color: Option.Option<string>
  readonly json: boolean
}

/** Queue time and processing together (§8.5). */
const patience = Duration.minutes(15)
const transfer = "10 minutes"

/** One line that is written over on a terminal; elsewhere a line for each step. What a program reads is not here. */
const makeProgress = () => {
  let last = ""
  const show = (step: string, share = "") =>
    Effect.sync(() => {
      const { stderr } = process
      const line = stderr.isTTY ? `${step}${share}` : step
      if (line !== last) stderr.write(stderr.isTTY ? `\r\u001B[K${line}` : `${line}\n`)
      last = line
    })
  const clear = Effect.sync(() => void (process.stderr.isTTY && process.stderr.write("\r\u001B[K")))
  return { show, clear }
}

const cannot = (what: string) => (error: PlatformError) =>
  new CommandFailed({
    message: error.reason._tag === "NotFound" ? `${what}: it is not there.` : `${what}: ${error.message}.`
  })

const isGif = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const open = yield* fs.open(file, { flag: "r" })
  const head = yield* open.readAlloc(6)
  return /^GIF8[79]a$/.test(new TextDecoder("latin1").decode(Option.getOrElse(head, () => new Uint8Array())))
}, Effect.scoped)

const checkInput = Effect.fnUntraced(function* (input: string, output: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* isGif(input).pipe(Effect.mapError(cannot(`${input} cannot be read`))))) {
    return yield* new CommandFailed({ message: `${input} is not a GIF.` })
  }
  if (path.resolve(input) === path.resolve(output)) {
    return yield* new CommandFailed({ message: `The MP4 would replace its GIF, ${input}. Name another file.` })
  }
  const isThere = yield* fs.exists(path.dirname(output)).pipe(Effect.orElseSucceed(() => false))
  if (!isThere) return yield* new CommandFailed({ message: `There is no folder ${path.dirname(output)}.` })
})

/** Writes beside the file first, so that a download that breaks off leaves the old one. */
const writeWhole = Effect.fnUntraced(function* <E>(file: string, bytes: Stream.Stream<Uint8Array, E>) {
  const fs = yield* FileSystem.FileSystem
  const staging = `${file}.${process.pid}.part`
  yield* Stream.run(bytes, fs.sink(staging)).pipe(
    Effect.andThen(fs.rename(staging, file)),
    Effect.onError(() => Effect.ignore(fs.remove(staging)))
  )
})

const hasEnded = (job: JobBody): boolean => job.status === "succeeded" || job.status === "failed"

const stepOf = (job: JobBody): readonly [string, string] =>
  job.status === "queued" ? ["Queued", ""] : ["Converting", ` ${Math.floor((job.progress ?? 0) * 100)} %`]

/** Asks soon at first, then every two seconds. */
const waitFor = Effect.fnUntraced(function* <E, R>(
  first: JobBody,
  find: Effect.Effect<JobBody, E, R>,
  show: (step: string, share: string) => Effect.Effect<void>
) {
  let job = first
  for (let wait_ms = 200; !hasEnded(job); wait_ms = Math.min(2_000, wait_ms * 1.5)) {
    yield* show(...stepOf(job))
    yield* Effect.sleep(wait_ms)
    job = yield* find
  }
  return job
})

const outputOf = (input: string): string => path.join(path.dirname(input), `${path.parse(input).name}.mp4`)

/** Uploads a GIF, waits for its conversion, and downloads the MP4. */
export const convert = Effect.fnUntraced(function* (
  connection: Connection,
  { color, input, json, output: given }: Wanted
) {
  const fs = yield* FileSystem.FileSystem
  const output = Option.getOrElse(given, () => outputOf(input))
  yield* checkInput(input, output)
  const workspace = yield* findWorkspace(connection)
  const ask = asking(workspace.url)
  const client = yield* Client.make({ baseUrl: workspace.url, apiKey: workspace.key })
  const { clear, show } = makeProgress()

  yield* Effect.gen(function* () {
    yield* show(`Uploading ${input}`)
    const { data: gif } = yield* client.media
      .upload({
        headers: { "x-filename": encodeURIComponent(path.basename(input)) },
        payload: Stream.orDie(fs.stream(input))
      })
      .pipe(asking(workspace.url, transfer))
    // Of this upload there is one conversion, so that a submit without an answer may be repeated.
    const submitted = yield* client.conversions
      .create({
        headers: { "idempotency-key": gif.id },
        payload: {
          gif_media_id: gif.id,
          ...Option.match(color, { onNone: () => ({}), onSome: (background_color) => ({ background_color }) })
        }
      })
      .pipe(ask)
    const { id } = submitted.data
    const find = client.conversions.find({ params: { id } }).pipe(
      ask,
      Effect.map(({ data }) => data)
    )
    const job = yield* waitFor(submitted.data, find, show).pipe(
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () =>
          Effect.fail(new CommandFailed({ message: `${id} has not ended within 15 minutes. It goes on at the host.` }))
      })
    )
    if (job.output_media_id === null) {
      if (json) yield* printJson({ file: null, job })
      const { code, message } = job.error ?? { code: job.status, message: "It failed" }
      return yield* new CommandFailed({ message: `${input}: ${message.replace(/\.$/, "")} (${code}).` })
    }
    yield* show(`Downloading ${output}`)
    const params = { id: job.output_media_id }
    const { data: video } = yield* client.media.find({ params }).pipe(ask)
    const bytes = yield* client.media.content({ params, query: {} }).pipe(ask)
    yield* writeWhole(output, bytes).pipe(
      Effect.catchTag("PlatformError", (error) => cannot(`${output} cannot be written`)(error)),
      asking(workspace.url, transfer)
    )
    yield* clear
    const seconds = video.duration_ms === null ? "" : `, ${(video.duration_ms / 1000).toFixed(1)} s`
    yield* json
      ? printJson({ file: output, job, media: video })
      : print(`${output}: ${video.width} x ${video.height}${seconds}, ${video.size_bytes} bytes`)
  }).pipe(Effect.onError(() => clear))
}, Effect.provide(FetchHttpClient.layer))
