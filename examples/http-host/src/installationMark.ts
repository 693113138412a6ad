import * as bucketFiles from "@loopbox/embedded/presets/bucketFiles"
import { makeFolders } from "@loopbox/core/kernel/makeFolders"
import type { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import type { S3Place } from "@loopbox/embedded/presets/s3Address"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import type { PlatformError } from "effect/PlatformError"
import * as Stream from "effect/Stream"
import { randomUUID } from "node:crypto"
import * as path from "node:path"
import { type BlobPlace, bucketOptions, describePlace, type S3Key } from "./blobPlace.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { deepest } from "./startFailure.ts"

/** Its name, in a folder as in a bucket. The id of the database's installation stands in it. */
const name = "INSTALLATION"

/** Longer than any id. */
const most_bytes = 200

/** What a person has named the place by: the setting, or an option of a command. */
const setting = "LOOPBOX_BLOBS"

const cannotFolder = (folder: string, namedBy: string) => (error: PlatformError | StoreUnavailable) =>
  new CommandFailed({ message: `The blob folder ${folder} cannot be used: ${deepest(error)}. ${namedBy} names it.` })

const cannotBucket =
  (namedBy: string) =>
  ({ cause }: StoreUnavailable) =>
    new CommandFailed({
      message: `${cause instanceof Error ? cause.message : "The bucket cannot be used."} ${namedBy} names it.`
    })

/** Why the store of a place could not be opened, with what has named the place. */
export const cannotUse = (place: BlobPlace, namedBy: string) => (error: StoreUnavailable) =>
  place.kind === "folder" ? cannotFolder(place.folder, namedBy)(error) : cannotBucket(namedBy)(error)

/** An empty one is none: it names nobody, and was left by a disk that filled or a machine that stopped while it was written. */
const toMark = (text: string): Option.Option<string> => Option.filter(Option.some(text.trim()), (id) => id !== "")

const readFile = Effect.fnUntraced(function* (folder: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(path.join(folder, name)).pipe(
    Effect.map(toMark),
    Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(Option.none<string>()))
  )
})

/** As a whole or not at all: written beside, brought to the disk, and only then given its name. */
const writeFile = Effect.fnUntraced(function* (folder: string, id: string) {
  const fs = yield* FileSystem.FileSystem
  const draft = path.join(folder, `${name}.${randomUUID()}`)
  yield* Effect.gen(function* () {
    yield* fs.writeFileString(draft, `${id}\n`, { flag: "wx", mode: 0o600 })
    const file = yield* fs.open(draft, { flag: "r+" })
    yield* file.sync
    yield* fs.rename(draft, path.join(folder, name))
  }).pipe(
    Effect.scoped,
    Effect.onError(() => Effect.ignore(fs.remove(draft)))
  )
})

const ofFolder = (folder: string, namedBy: string) => ({
  put: Effect.fnUntraced(
    function* (id: string) {
      yield* makeFolders(folder, { mode: 0o700 })
      // Of several processes that start at once each writes the same.
      if (Option.isNone(yield* readFile(folder))) yield* writeFile(folder, id)
    },
    Effect.mapError(cannotFolder(folder, namedBy))
  ),
  read: Effect.mapError(readFile(folder), cannotFolder(folder, namedBy))
})

const readObject = BlobStore.use((blobs) =>
  blobs.read(name, { offset: 0, length: most_bytes }).pipe(
    Stream.decodeText,
    Stream.mkString,
    Effect.map((text) => Option.some(text.trim())),
    Effect.catchTag("BlobMissing", () => Effect.succeed(Option.none<string>()))
  )
)

const ofBucket = (bucket: S3Place, key: Option.Option<S3Key>, namedBy: string) => {
  const inBucket = <A>(effect: Effect.Effect<A, StoreUnavailable, BlobStore>) =>
    Effect.mapError(Effect.provide(effect, bucketFiles.layer(bucketOptions(bucket, key))), cannotBucket(namedBy))
  return {
    // A bucket has no "only if it is absent" that every server knows; what another installation wrote stays.
    put: (id: string) =>
      inBucket(
        Effect.gen(function* () {
          const blobs = yield* BlobStore
          if (Option.isSome(yield* readObject)) return
          yield* blobs.write(name, Stream.make(new TextEncoder().encode(`${id}\n`)))
        })
      ),
    read: inBucket(readObject)
  }
}

const markOf = (place: BlobPlace, key: Option.Option<S3Key>, namedBy: string) =>
  place.kind === "folder" ? ofFolder(place.folder, namedBy) : ofBucket(place.bucket, key, namedBy)

const nameOf = (place: BlobPlace): string =>
  place.kind === "folder" ? `blob folder ${place.folder}` : `place ${describePlace(place)}`

const kindOf = (place: BlobPlace): string => (place.kind === "folder" ? "file" : "object")

/** Fails where the place has the mark of another installation; it may have none yet. */
export const checkUnclaimed = Effect.fnUntraced(function* (
  place: BlobPlace,
  key: Option.Option<S3Key>,
  id: string,
  namedBy = setting
) {
  const mark = yield* markOf(place, key, namedBy).read
  if (Option.exists(mark, (found) => found !== id)) return yield* checkMark(place, key, id, namedBy)
})

/** Marks a place as that of an installation, unless it has a mark. */
export const putMark = Effect.fnUntraced(function* (
  place: BlobPlace,
  key: Option.Option<S3Key>,
  id: string,
  namedBy = setting
) {
  yield* markOf(place, key, namedBy).put(id)
})

/** Fails unless the place has the installation's mark. */
export const checkMark = Effect.fnUntraced(function* (
  place: BlobPlace,
  key: Option.Option<S3Key>,
  id: string,
  namedBy = setting
) {
  const mark = yield* markOf(place, key, namedBy).read
  if (Option.contains(mark, id)) return
  return yield* new CommandFailed({
    message: Option.match(mark, {
      onNone: () =>
        `The ${nameOf(place)} is not the one that the database was used with: it has no ${kindOf(place)} ${name}. ` +
        (place.kind === "folder" ? `Is its disk mounted, is ${namedBy} right? ` : `Is ${namedBy} right? `) +
        `If it is the right one, write ${id} into that ${kindOf(place)}.`,
      onSome: () =>
        `The ${nameOf(place)} belongs to another database: its ${kindOf(place)} ${name} names another installation. ` +
        `Are DATABASE_URL, LOOPBOX_DATA and ${namedBy} right?`
    })
  })
})
