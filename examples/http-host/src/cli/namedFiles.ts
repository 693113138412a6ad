import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as path from "node:path"
import { CommandFailed } from "../CommandFailed.ts"

/** What a path leads to; none if nothing is there, or it can't be looked at. */
export const kindOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return Option.map(yield* Effect.option(fs.stat(file)), ({ type }) => type)
})

/** A minus means standard input or output to many programs; here it would be a file of that name. */
export const refuseStreams = (...files: ReadonlyArray<string>): Effect.Effect<void, CommandFailed> =>
  files.includes("-")
    ? Effect.fail(
        new CommandFailed({ message: "Standard input and output are not taken. Name files.", isMisuse: true })
      )
    : Effect.void

/** A file that is to be written takes the place of what is there, which must be a file: not a folder, and no device. */
export const checkOutput = Effect.fnUntraced(function* (output: string) {
  const fs = yield* FileSystem.FileSystem
  const isThere = yield* fs.exists(path.dirname(output)).pipe(Effect.orElseSucceed(() => false))
  if (!isThere) return yield* new CommandFailed({ message: `There is no folder ${path.dirname(output)}.` })
  const kind = Option.getOrElse(yield* kindOf(output), () => "File")
  if (kind === "Directory") return yield* new CommandFailed({ message: `${output} is a folder. Name a file in it.` })
  if (kind !== "File") return yield* new CommandFailed({ message: `${output} is no file that could be replaced.` })
})

/** Of a file that is to be read. A pipe is taken. */
export const checkInput = Effect.fnUntraced(function* (input: string) {
  const kind = yield* kindOf(input)
  if (Option.isNone(kind)) return yield* new CommandFailed({ message: `${input} cannot be read: it is not there.` })
  if (kind.value === "Directory")
    return yield* new CommandFailed({ message: `${input} is a folder. Name a file in it.` })
})

/** A file that holds one text, as a key. */
export const readText = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  yield* checkInput(file)
  return yield* fs
    .readFileString(file)
    .pipe(Effect.mapError((error) => new CommandFailed({ message: `${file} cannot be read: ${error.message}` })))
})
