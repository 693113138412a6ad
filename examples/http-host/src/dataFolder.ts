import { makeFolders } from "@loopbox/core/kernel/makeFolders"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as path from "node:path"
import { CommandFailed } from "./CommandFailed.ts"

/**
 * Of the data folder itself: its owner's alone. For root others may pass through it, not look in, because PostgreSQL
 * never runs as root and its cluster lies inside.
 */
const folderMode = (): number => (process.getuid?.() === 0 ? 0o711 : 0o700)

const cannot = (what: string) => (error: PlatformError) =>
  new CommandFailed({ message: `${what}: ${error.message}. LOOPBOX_DATA names the data folder.` })

/** Makes the data folder, for nobody else to look into. An existing one keeps its mode. */
export const makeDataFolder = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  if (yield* fs.exists(folder).pipe(Effect.orElseSucceed(() => false))) return
  yield* makeFolders(folder, { mode: folderMode() }).pipe(
    Effect.mapError(cannot(`The data folder ${folder} cannot be made`))
  )
})

/** A file of the data folder that only its owner may read; none when it is not there. */
export const readPrivateFile = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(file).pipe(
    Effect.map((text) => Option.some(text.trim())),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(Option.none<string>())),
    Effect.mapError(cannot(`${file} cannot be read`))
  )
})

/** Writes a file for its owner's eyes only, whole or not at all, surviving a power failure. */
export const writePrivateFile = Effect.fnUntraced(
  function* (file: string, text: string) {
    const fs = yield* FileSystem.FileSystem
    const staging = `${file}.${process.pid}`
    yield* Effect.scoped(
      Effect.gen(function* () {
        const open = yield* fs.open(staging, { flag: "w", mode: 0o600 })
        yield* open.writeAll(new TextEncoder().encode(`${text}\n`))
        yield* open.sync
      })
    )
    yield* fs.rename(staging, file)
  },
  (effect, file) => Effect.mapError(effect, cannot(`${file} cannot be written`))
)

/** What the file holds; when it is not there, what `make` gives is put into it. */
export const readOrMake = Effect.fnUntraced(function* (file: string, make: Effect.Effect<string>) {
  const found = yield* readPrivateFile(file)
  if (Option.isSome(found) && found.value !== "") return found.value
  const made = yield* make
  yield* writePrivateFile(file, made)
  return made
})

/** Where things lie in a data folder. */
export const placesIn = (folder: string) => ({
  database: path.join(folder, "postgres"),
  scratch: path.join(folder, "scratch"),
  adminToken: path.join(folder, "admin-token"),
  secretKeys: path.join(folder, "secret-keys"),
  dashboardKey: path.join(folder, "dashboard-key"),
  demoKey: path.join(folder, "demo-key"),
  tourShown: path.join(folder, "tour-shown"),
  serving: path.join(folder, "serve.json")
})
