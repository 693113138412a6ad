import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { placesIn, readPrivateFile, writePrivateFile } from "./dataFolder.ts"

/** Where the host of a data folder answers, so that commands find it. */
const Serving = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.String,
    pid: Schema.Int,
    /** Of the simulated networks. */
    sandbox_url: Schema.optionalKey(Schema.String)
  })
)

/** The addresses of one host. */
export interface Addresses {
  readonly url: string
  readonly sandboxUrl: Option.Option<string>
}

/** Notes the addresses in the data folder as long as the scope lives. */
export const noteServing = Effect.fnUntraced(function* (dataFolder: string, { sandboxUrl, url }: Addresses) {
  const fs = yield* FileSystem.FileSystem
  const file = placesIn(dataFolder).serving
  const text = Schema.encodeSync(Serving)({
    url,
    pid: process.pid,
    ...Option.match(sandboxUrl, { onNone: () => ({}), onSome: (sandbox_url) => ({ sandbox_url }) })
  })
  yield* Effect.acquireRelease(writePrivateFile(file, text), () => Effect.ignore(fs.remove(file)))
})

/** The addresses that were noted last; their host may be gone. */
export const readAddresses = Effect.fnUntraced(function* (dataFolder: string) {
  const text = yield* readPrivateFile(placesIn(dataFolder).serving)
  return text.pipe(
    Option.flatMap(Schema.decodeUnknownOption(Serving)),
    Option.map(({ sandbox_url, url }): Addresses => ({ url, sandboxUrl: Option.fromUndefinedOr(sandbox_url) }))
  )
})

/** The address that was noted last. */
export const readServing = (dataFolder: string) =>
  Effect.map(readAddresses(dataFolder), (found) => Option.map(found, ({ url }) => url))
