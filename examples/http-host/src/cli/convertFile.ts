import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as path from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import type { Connection } from "./connection.ts"
import { cannot, type ConversionWork } from "./conversionWork.ts"
import { checkOutput, kindOf, refuseStreams } from "./namedFiles.ts"
import { print, printJson } from "./output.ts"
import { progressLine } from "./progressLine.ts"
import { hasHost } from "./workspaceClient.ts"

interface Wanted {
  readonly input: string
  readonly output: Option.Option<string>
  readonly color: Option.Option<string>
  readonly json: boolean
}

const barWidth = 24

/** A share from 0 to 1 as a bar. */
export const barOf = (share: number): string => {
  const done = Math.floor(share * barWidth)
  return `[${"#".repeat(done)}${"-".repeat(barWidth - done)}] ${Math.floor(share * 100)} %`
}

/** The bar stands where it is written over only; elsewhere there is a line for each step. */
const makeProgress = () => {
  const line = progressLine()
  let last = ""
  const show = (step: string, share?: number) =>
    Effect.sync(() => {
      const text = line.isOne && share !== undefined ? `${step} ${barOf(share)}` : step
      if (text !== last) line.write(text)
      last = text
    })
  return { show, clear: line.clear }
}

const isGif = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const open = yield* fs.open(file, { flag: "r" })
  const head = yield* open.readAlloc(6)
  return /^GIF8[79]a$/.test(new TextDecoder("latin1").decode(Option.getOrElse(head, () => new Uint8Array())))
}, Effect.scoped)

const checkFiles = Effect.fnUntraced(function* (input: string, output: string) {
  yield* refuseStreams(input, output)
  // It is read twice, which a pipe is not.
  if (Option.exists(yield* kindOf(input), (kind) => kind !== "File")) {
    return yield* new CommandFailed({ message: `${input} is no file.` })
  }
  if (!(yield* isGif(input).pipe(Effect.mapError(cannot(`${input} cannot be read`))))) {
    return yield* new CommandFailed({ message: `${input} is not a GIF.` })
  }
  if (path.resolve(input) === path.resolve(output)) {
    return yield* new CommandFailed({ message: `The MP4 would replace its GIF, ${input}. Name another file.` })
  }
  yield* checkOutput(output)
})

const outputOf = (input: string): string => path.join(path.dirname(input), `${path.parse(input).name}.mp4`)

/** Each is loaded only where it is needed. */
const runWork = Effect.fnUntraced(function* (connection: Connection, work: ConversionWork) {
  if (yield* hasHost(connection)) {
    const { convertThere } = yield* Effect.promise(() => import("./convertThere.ts"))
    return yield* convertThere(connection, work)
  }
  const { convertHere } = yield* Effect.promise(() => import("./convertHere.ts"))
  yield* work.show("No host is running: converting here")
  return yield* convertHere(work)
})

/** Converts a GIF to an MP4: at the host that is named or that serves the data folder, else in this process. */
export const convert = Effect.fnUntraced(function* (connection: Connection, { input, json, ...wanted }: Wanted) {
  const output = Option.getOrElse(wanted.output, () => outputOf(input))
  yield* checkFiles(input, output)
  const { clear, show } = makeProgress()
  const work: ConversionWork = { input, output, color: wanted.color, json, show }
  const { job, media } = yield* Effect.ensuring(runWork(connection, work), clear)
  const seconds = media.duration_ms === null ? "" : `, ${(media.duration_ms / 1000).toFixed(1)} s`
  yield* json
    ? printJson({ file: output, job, media })
    : print(`${output}: ${media.width} x ${media.height}${seconds}, ${media.size_bytes} bytes`)
})
