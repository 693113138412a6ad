import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { open, rename, rm } from "node:fs/promises"
import type { Target } from "../PgAdapters.ts"
import { exportDatabase, importDatabase } from "./exportImport.ts"

/** The file of an export can't be written or read. */
export class TransferFileError extends Schema.TaggedError<TransferFileError>()("TransferFileError", {
  file: Schema.String,
  message: Schema.String
}) {}

const fileError = (file: string) => (cause: unknown) =>
  new TransferFileError({ file, message: cause instanceof Error ? cause.message : String(cause) })

/** Exports into a file that only its owner can read; it is there when it is whole. */
export const exportToFile = Effect.fnUntraced(function* (target: Target, file: string) {
  const attempt = <A>(run: () => Promise<A>) => Effect.tryPromise({ try: run, catch: fileError(file) })
  const partial = `${file}.partial`
  return yield* Effect.acquireUseRelease(
    attempt(() => open(partial, "w", 0o600)),
    (handle) =>
      Effect.tap(
        exportDatabase(target, (lines) => attempt(() => handle.appendFile(lines))),
        attempt(() => handle.sync())
      ),
    (handle) => Effect.promise(() => handle.close())
  ).pipe(
    Effect.tap(attempt(() => rename(partial, file))),
    Effect.onError(() => Effect.promise(() => rm(partial, { force: true })))
  )
})

/** Imports what `exportToFile` wrote. The file is opened first: without it the database is not touched. */
export const importFromFile = (target: Target, file: string) =>
  Effect.acquireUseRelease(
    Effect.tryPromise({ try: () => open(file), catch: fileError(file) }),
    (handle) => {
      const lines = () => handle.createReadStream({ encoding: "utf8", autoClose: false })
      return importDatabase(
        target,
        Stream.suspend(() => Stream.fromAsyncIterable(lines(), fileError(file))).pipe(Stream.map(String))
      )
    },
    (handle) => Effect.promise(() => handle.close())
  )
