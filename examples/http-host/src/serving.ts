import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { placesIn, readPrivateFile, writePrivateFile } from "./dataFolder.ts"
import type { Environment, Variable } from "./environment.ts"
import type { HostConfig } from "./hostConfig.ts"
import { isProcessGone, processName } from "@loopbox/embedded/presets/processName"
import { settings } from "./settings.ts"

/** Where the host of a data folder answers, so that commands find it. */
const Serving = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.String,
    pid: Schema.Int,
    /** Of the admin API and `/readyz`, where they have a port of their own. */
    ops_url: Schema.optionalKey(Schema.String),
    /** Of the simulated networks. */
    sandbox_url: Schema.optionalKey(Schema.String),
    /** The process's name among all that ever were. */
    process: Schema.optionalKey(Schema.String),
    /** What it was told, but for secrets. */
    given: Schema.optionalKey(
      Schema.Record(
        Schema.String,
        Schema.Struct({ text: Schema.String, source: Schema.Literals(["flag", "environment", ".env"]) })
      )
    )
  })
)

const openNames = Object.values(settings).flatMap(({ isSecret, name }) => (isSecret ? [] : [name]))

/** The variables that may be shown. */
const openly = (given: Environment): Readonly<Record<string, Variable>> =>
  Object.fromEntries([...given].filter(([name]) => openNames.includes(name)))

/** The addresses of one host. */
export interface Addresses {
  readonly url: string
  readonly opsUrl: Option.Option<string>
  readonly sandboxUrl: Option.Option<string>
}

/** Notes the addresses in the data folder as long as the scope lives. */
export const noteServing = Effect.fnUntraced(function* (
  { dataFolder, given }: HostConfig,
  { opsUrl, sandboxUrl, url }: Addresses
) {
  const fs = yield* FileSystem.FileSystem
  const file = placesIn(dataFolder).serving
  const text = Schema.encodeSync(Serving)({
    url,
    pid: process.pid,
    process: yield* processName,
    given: openly(given),
    ...Option.match(opsUrl, { onNone: () => ({}), onSome: (ops_url) => ({ ops_url }) }),
    ...Option.match(sandboxUrl, { onNone: () => ({}), onSome: (sandbox_url) => ({ sandbox_url }) })
  })
  yield* Effect.acquireRelease(writePrivateFile(file, text), () => Effect.ignore(fs.remove(file)))
})

const readNoted = Effect.fnUntraced(function* (dataFolder: string) {
  const text = yield* readPrivateFile(placesIn(dataFolder).serving)
  return Option.flatMap(text, Schema.decodeUnknownOption(Serving))
})

/** The host that serves a data folder, and what it was told; none where it has ended. */
export const findServing = Effect.fnUntraced(function* (dataFolder: string) {
  const noted = yield* readNoted(dataFolder)
  if (Option.isNone(noted)) return Option.none()
  const { given = {}, pid, process: name = "", url } = noted.value
  return (yield* isProcessGone(name)) ? Option.none() : Option.some({ pid, url, given: new Map(Object.entries(given)) })
})

/** The addresses that were noted last; their host may be gone. */
export const readAddresses = Effect.fnUntraced(function* (dataFolder: string) {
  return Option.map(yield* readNoted(dataFolder), ({ ops_url, sandbox_url, url }): Addresses => ({
    url,
    opsUrl: Option.fromUndefinedOr(ops_url),
    sandboxUrl: Option.fromUndefinedOr(sandbox_url)
  }))
})

/** Where operators ask the host that was noted last. */
export const readServing = (dataFolder: string) =>
  Effect.map(readAddresses(dataFolder), (found) =>
    Option.map(found, ({ opsUrl, url }) => Option.getOrElse(opsUrl, () => url))
  )
