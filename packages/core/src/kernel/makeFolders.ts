import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"

/** What making folders takes of a file system. */
export interface FolderCalls<E> {
  readonly isThere: (folder: string) => Effect.Effect<boolean, E>
  /** Makes one folder; the one that it lies in is there. */
  readonly make: (folder: string) => Effect.Effect<void, E>
  /** The folder that this one lies in; of the topmost, itself. */
  readonly above: (folder: string) => string
}

/**
 * Makes a folder and those above it that are missing.
 *
 * Node's own way (`recursive`) never ends where a folder is there, lets none be made in it and says that it is missing, as
 * `/proc` does: so no folder that a person names is made by it.
 */
export const makeFoldersBy = <E>({ above, isThere, make }: FolderCalls<E>, folder: string): Effect.Effect<void, E> =>
  Effect.gen(function* () {
    if (yield* isThere(folder)) return
    const parent = above(folder)
    if (parent !== folder) yield* makeFoldersBy({ above, isThere, make }, parent)
    yield* Effect.catch(make(folder), (error) =>
      // Another process that starts at once may have made it.
      Effect.flatMap(isThere(folder), (isMade) => (isMade ? Effect.void : Effect.fail(error)))
    )
  })

/** `makeFoldersBy` with the file system that is provided. `mode` is for the folders that are made. */
export const makeFolders = (
  folder: string,
  options: { readonly mode: number }
): Effect.Effect<void, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const calls = {
      isThere: (at: string) => fs.exists(at),
      make: (at: string) => fs.makeDirectory(at, options),
      above: (at: string) => path.dirname(at)
    }
    yield* makeFoldersBy(calls, path.resolve(folder))
  })
