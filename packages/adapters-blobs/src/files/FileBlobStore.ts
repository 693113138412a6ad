import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type { PlatformError } from "effect/PlatformError"
import * as Stream from "effect/Stream"
import { makeFolders } from "@loopbox/core/kernel/makeFolders"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { BlobMissing, BlobStore } from "@loopbox/core/media/BlobStore"
import { folderNames } from "./folderNames.ts"
import { traced } from "@loopbox/core/kernel/traced"

/** A hash that is fed piece by piece; `createHash("sha256")` of `node:crypto` is one. */
export interface IncrementalHash {
  readonly update: (bytes: Uint8Array) => unknown
  readonly digest: (encoding: "hex") => string
}

export interface FileBlobStoreOptions {
  /** Made when missing. Several processes may share it. */
  readonly folder: string
  /** A new SHA-256: core has no streaming hash of its own. */
  readonly createSha256: () => IncrementalHash
  /** Names this process among those that share the folder; its half-written files lie under this name. */
  readonly writer: string
  /** Whether a process of this name has ended, so that its half-written files can go. */
  readonly isWriterGone: (writer: string) => Effect.Effect<boolean>
}

/** Read size: large enough that a file of 50 MB takes few turns, small enough that many downloads fit in memory. */
const chunkSize = 256 * 1024

const unavailable = (operation: string, committed: StoreUnavailable["committed"]) => (cause: PlatformError) =>
  new StoreUnavailable({ operation, committed, cause })

const unlisted = (cause: unknown) => new StoreUnavailable({ operation: "blobs.list", committed: "no", cause })

const isNotFound = (error: PlatformError) => error.reason._tag === "NotFound"

/**
 * Bytes as files of one folder: `<folder>/<workspace id>/<name>`.
 *
 * A file is written under `incoming/`, synced, and renamed into its place, whose folder is then synced: what was
 * answered survives a power failure, and a half-written file is never found under a key.
 */
export const layer = (
  options: FileBlobStoreOptions
): Layer.Layer<BlobStore, StoreUnavailable, FileSystem.FileSystem | Path.Path> => Layer.effect(BlobStore, make(options))

const make = Effect.fnUntraced(function* ({ createSha256, folder, isWriterGone, writer }: FileBlobStoreOptions) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const incoming = path.join(folder, "incoming")
  const own = path.join(incoming, writer)
  yield* makeFolders(own, { mode: 0o700 }).pipe(Effect.mapError(unavailable("blobs.open", "no")))
  yield* Effect.addFinalizer(() => Effect.ignore(fs.remove(own, { recursive: true, force: true })))
  let written = 0

  const pathOf = (key: string) => path.join(folder, key)
  const sync = (target: string) => Effect.scoped(Effect.flatMap(fs.open(target, { flag: "r" }), (file) => file.sync))

  /** Gives a complete and synced file its place. */
  const publish = Effect.fnUntraced(function* (from: string, key: string) {
    const target = pathOf(key)
    const parent = path.dirname(target)
    const isNew = !(yield* fs.exists(parent))
    if (isNew) {
      yield* fs.makeDirectory(parent, { recursive: true, mode: 0o700 })
      yield* sync(folder)
    }
    yield* fs.rename(from, target)
    yield* sync(parent)
  })

  const receive = <E>(file: FileSystem.File, bytes: Stream.Stream<Uint8Array, E>) =>
    Effect.gen(function* () {
      const hash = createSha256()
      let sizeBytes = 0
      yield* Stream.runForEach(bytes, (chunk) => {
        hash.update(chunk)
        sizeBytes += chunk.length
        return Effect.mapError(file.writeAll(chunk), unavailable("blobs.write", "no"))
      })
      yield* Effect.mapError(file.sync, unavailable("blobs.write", "no"))
      return { sizeBytes, sha256: hash.digest("hex") }
    })

  const write = Effect.fn("FileBlobStore.write")(function* <E>(key: string, bytes: Stream.Stream<Uint8Array, E>) {
    const temporary = path.join(own, `${written++}`)
    const facts = yield* Effect.scoped(
      Effect.gen(function* () {
        const open = fs.open(temporary, { flag: "wx", mode: 0o600 })
        const file = yield* open.pipe(
          // Whoever tidied up our folder must not stop all uploads. The one above it tells that the disk is still there.
          Effect.catchIf(isNotFound, () => Effect.andThen(fs.makeDirectory(own, { mode: 0o700 }), open)),
          Effect.mapError(unavailable("blobs.write", "no"))
        )
        return yield* receive(file, bytes)
      })
    ).pipe(Effect.onError(() => Effect.ignore(fs.remove(temporary, { force: true }))))
    yield* publish(temporary, key).pipe(
      Effect.mapError(unavailable("blobs.write", "unknown")),
      Effect.onError(() => Effect.ignore(fs.remove(temporary, { force: true }))),
      Effect.uninterruptible
    )
    return facts
  })

  const adopt = Effect.fn("FileBlobStore.adopt")(function* (key: string, from: string) {
    const hash = createSha256()
    let sizeBytes = 0
    const read = fs.stream(from, { chunkSize }).pipe(
      Stream.runForEach((chunk) =>
        Effect.sync(() => {
          hash.update(chunk)
          sizeBytes += chunk.length
        })
      )
    )
    // The disk writes while we read: a job waits for the longer of the two, not for both.
    yield* Effect.all([read, sync(from)], { concurrency: 2, discard: true }).pipe(
      Effect.mapError(unavailable("blobs.adopt", "no"))
    )
    yield* publish(from, key).pipe(
      // Another disk cannot be renamed to; there the bytes are copied.
      Effect.catch(() =>
        Effect.andThen(
          write(key, Stream.mapError(fs.stream(from, { chunkSize }), unavailable("blobs.adopt", "unknown"))),
          Effect.ignore(fs.remove(from, { force: true }))
        )
      )
    )
    return { sizeBytes, sha256: hash.digest("hex") }
  })

  const listOlder = (before: DateTime.Utc) =>
    folderNames(folder, unlisted).pipe(
      Stream.filter((name) => name.startsWith("ws_")),
      Stream.flatMap((workspace) =>
        Stream.map(folderNames(path.join(folder, workspace), unlisted), (name) => `${workspace}/${name}`)
      ),
      Stream.filterEffect((key) =>
        Effect.map(fs.stat(pathOf(key)), ({ mtime }) =>
          Option.exists(mtime, (at) => at.getTime() < DateTime.toEpochMillis(before))
        ).pipe(
          Effect.catchIf(isNotFound, () => Effect.succeed(false)),
          Effect.mapError(unlisted)
        )
      )
    )

  const removeAbandoned = Effect.gen(function* () {
    // One that can't be removed keeps none of the others.
    const [, failures] = yield* Effect.partition(yield* fs.readDirectory(incoming), (name) =>
      Effect.gen(function* () {
        if (name === writer || !(yield* isWriterGone(name))) return
        yield* fs.remove(path.join(incoming, name), { recursive: true, force: true })
      })
    )
    if (Arr.isReadonlyArrayNonEmpty(failures)) return yield* Effect.fail(failures[0])
  }).pipe(
    Effect.mapError(unavailable("blobs.removeAbandoned", "unknown")),
    Effect.withSpan("FileBlobStore.removeAbandoned")
  )

  const probe = Effect.gen(function* () {
    const file = path.join(own, "probe")
    yield* fs.writeFileString(file, "probe")
    // Another probe may have removed it: readiness is asked by several at once.
    yield* fs.remove(file, { force: true })
    return folder
  }).pipe(Effect.mapError(unavailable("blobs.probe", "no")))

  return BlobStore.of({
    write,
    adopt: Option.some(adopt),
    read: (key, range) =>
      fs
        .stream(pathOf(key), {
          chunkSize,
          ...(range === undefined ? {} : { offset: range.offset, bytesToRead: range.length })
        })
        .pipe(
          Stream.mapError((error) =>
            isNotFound(error) ? new BlobMissing({ key }) : unavailable("blobs.read", "no")(error)
          )
        ),
    size: (key) =>
      fs.stat(pathOf(key)).pipe(
        Effect.map(({ size }) => Option.some(Number(size))),
        Effect.catchIf(isNotFound, () => Effect.succeed(Option.none<number>())),
        Effect.mapError(unavailable("blobs.size", "no")),
        traced("FileBlobStore.size")
      ),
    remove: Effect.fn("FileBlobStore.remove")((key) =>
      Effect.mapError(fs.remove(pathOf(key), { force: true }), unavailable("blobs.remove", "unknown"))
    ),
    removeAll: Effect.fn("FileBlobStore.removeAll")((workspaceId) =>
      Effect.mapError(
        fs.remove(pathOf(workspaceId), { recursive: true, force: true }),
        unavailable("blobs.removeAll", "unknown")
      )
    ),
    listOlder,
    removeAbandoned,
    probe
  })
})
