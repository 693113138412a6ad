import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, FileSystem, Layer, Option, Path, PlatformError, Stream } from "effect"
import * as FileBlobStore from "../../src/files/FileBlobStore.ts"
import { BlobStore } from "@loopbox/core/media/BlobStore"
import { blobStoreContract } from "@loopbox/testing/conformance/BlobStoreContract"
import { textBytes } from "@loopbox/testing/fixtures/mediaFixtures"

const root = mkdtempSync(join(tmpdir(), "loopbox-blobs-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const layerPlatform = Layer.merge(NodeFileSystem.layer, NodePath.layer)
let made = 0
const nextPath = (name: string) => join(root, `${name}-${made++}`)

const storeIn = (
  folder: string,
  options: Partial<Pick<FileBlobStore.FileBlobStoreOptions, "writer" | "isWriterGone">> = {},
  platform: Layer.Layer<FileSystem.FileSystem | Path.Path> = layerPlatform
) =>
  FileBlobStore.layer({
    folder,
    createSha256: () => createHash("sha256"),
    writer: "host-1-1",
    isWriterGone: () => Effect.succeed(false),
    ...options
  }).pipe(Layer.provide(platform))

blobStoreContract("files", storeIn(nextPath("contract")), {
  write: (bytes) =>
    Effect.sync(() => {
      const path = nextPath("video")
      writeFileSync(path, bytes)
      return path
    }),
  exists: (path) => Effect.sync(() => existsSync(path))
})

const key = `ws_${"0".repeat(26)}/med_1`
const bytes = textBytes("some bytes")
const write = BlobStore.use((blobs) => blobs.write(key, Stream.make(bytes)))
const filesUnder = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe("FileBlobStore", () => {
  it.effect.skipIf(process.platform !== "linux")("fails where the system lets nobody make its folder", () =>
    Effect.gen(function* () {
      for (const folder of ["/proc", "/proc/loopbox"]) {
        const error = yield* Effect.flip(Effect.scoped(Layer.build(storeIn(folder))))
        assert.strictEqual(error.operation, "blobs.open")
      }
    })
  )

  it.effect("keeps a blob as the file of its key, for its owner alone", () =>
    Effect.gen(function* () {
      const folder = nextPath("files")
      yield* Effect.provide(write, storeIn(folder))
      assert.deepStrictEqual(filesUnder(folder), [join(folder, key)])
      assert.deepStrictEqual(new Uint8Array(readFileSync(join(folder, key))), bytes)
      assert.strictEqual(statSync(join(folder, key)).mode & 0o777, 0o600)
    })
  )

  it.effect("finds what an earlier process has written", () =>
    Effect.gen(function* () {
      const folder = nextPath("again")
      yield* Effect.provide(write, storeIn(folder))
      const size = BlobStore.use((blobs) => blobs.size(key))
      assert.deepStrictEqual(
        yield* Effect.provide(size, storeIn(folder, { writer: "host-2-2" })),
        Option.some(bytes.length)
      )
    })
  )

  it.effect("leaves no half-written file of a stream that fails", () =>
    Effect.gen(function* () {
      const folder = nextPath("broken")
      const broken = Stream.concat(Stream.make(bytes), Stream.fail("broken"))
      const files = Effect.gen(function* () {
        const blobs = yield* BlobStore
        yield* Effect.flip(blobs.write(key, broken))
        return filesUnder(folder)
      })
      assert.deepStrictEqual(yield* Effect.provide(files, storeIn(folder)), [])
    })
  )

  it.effect("removes the half-written files of dead writers, and not those of living ones or its own", () =>
    Effect.gen(function* () {
      const folder = nextPath("writers")
      const writeHalf = (writer: string) =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          yield* fs.makeDirectory(join(folder, "incoming", writer), { recursive: true })
          yield* fs.writeFileString(join(folder, "incoming", writer, "7"), "half")
        }).pipe(Effect.provide(layerPlatform))
      const sweep = Effect.gen(function* () {
        yield* Effect.forEach(["dead", "alive", "own"], writeHalf)
        yield* (yield* BlobStore).removeAbandoned
        return filesUnder(folder).sort()
      })
      const left = yield* Effect.provide(
        sweep,
        storeIn(folder, { writer: "own", isWriterGone: (name) => Effect.succeed(name !== "alive") })
      )
      assert.deepStrictEqual(left, [join(folder, "incoming", "alive", "7"), join(folder, "incoming", "own", "7")])
    })
  )

  it.effect("removes what it can of dead writers, and tells of what it can't", () =>
    Effect.gen(function* () {
      const folder = nextPath("stuck")
      const refusing = Layer.effect(
        FileSystem.FileSystem,
        Effect.map(FileSystem.FileSystem, (fs) => ({
          ...fs,
          remove: (path: string, options?: Parameters<typeof fs.remove>[1]) =>
            path.endsWith("a-stuck")
              ? Effect.fail(
                  PlatformError.systemError({
                    _tag: "PermissionDenied",
                    module: "FileSystem",
                    method: "remove",
                    pathOrDescriptor: path
                  })
                )
              : fs.remove(path, options)
        }))
      ).pipe(Layer.provideMerge(layerPlatform))
      const sweep = Effect.gen(function* () {
        for (const writer of ["a-stuck", "b-dead"]) {
          mkdirSync(join(folder, "incoming", writer), { recursive: true })
          writeFileSync(join(folder, "incoming", writer, "7"), "half")
        }
        const blobs = yield* BlobStore
        assert.strictEqual((yield* Effect.flip(blobs.removeAbandoned)).operation, "blobs.removeAbandoned")
        return filesUnder(folder)
      })
      const left = yield* Effect.provide(
        sweep,
        storeIn(folder, { writer: "own", isWriterGone: () => Effect.succeed(true) }, refusing)
      )
      assert.deepStrictEqual(left, [join(folder, "incoming", "a-stuck", "7")])
    })
  )

  it.effect("lists a file by when it was written, and none that is half written", () =>
    Effect.gen(function* () {
      const folder = nextPath("older")
      const at = DateTime.makeUnsafe("2026-03-01T00:00:00.000Z")
      const list = Effect.gen(function* () {
        const blobs = yield* BlobStore
        yield* blobs.write(key, Stream.make(bytes))
        utimesSync(join(folder, key), DateTime.toDateUtc(at), DateTime.toDateUtc(at))
        writeFileSync(join(folder, "incoming", "host-1-1", "9"), "half")
        writeFileSync(join(folder, "INSTALLATION"), "not ours to list")
        const older = (than: DateTime.Utc) => Stream.runCollect(blobs.listOlder(than))
        return [yield* older(at), yield* older(DateTime.add(at, { milliseconds: 1 }))]
      })
      assert.deepStrictEqual(yield* Effect.provide(list, storeIn(folder)), [[], [key]])
    })
  )

  it.effect("says which folder takes no bytes instead of starting without it", () =>
    Effect.gen(function* () {
      const file = nextPath("a-file")
      writeFileSync(file, "")
      const error = yield* Effect.flip(Effect.provide(write, storeIn(join(file, "blobs"))))
      assert.strictEqual(error._tag, "StoreUnavailable")
    })
  )

  it.effect("says that it is away when its folder is", () =>
    Effect.gen(function* () {
      const folder = nextPath("away")
      const probe = Effect.gen(function* () {
        const blobs = yield* BlobStore
        rmSync(folder, { recursive: true })
        return [(yield* Effect.flip(blobs.probe))._tag, (yield* Effect.flip(blobs.write(key, Stream.make(bytes))))._tag]
      })
      assert.deepStrictEqual(yield* Effect.provide(probe, storeIn(folder)), ["StoreUnavailable", "StoreUnavailable"])
    })
  )

  it.effect("goes on when somebody tidied up its half-written files", () =>
    Effect.gen(function* () {
      const folder = nextPath("tidied")
      const write = Effect.gen(function* () {
        const blobs = yield* BlobStore
        for (const name of readdirSync(join(folder, "incoming")))
          rmSync(join(folder, "incoming", name), { recursive: true })
        return yield* blobs.write(key, Stream.make(bytes))
      })
      const { sizeBytes } = yield* Effect.provide(write, storeIn(folder))
      assert.strictEqual(sizeBytes, bytes.length)
    })
  )

  /** A disk that the folder is not on: files cannot be renamed from it. */
  const layerOtherDisk = (from: string) =>
    Layer.merge(
      NodePath.layer,
      Layer.effect(
        FileSystem.FileSystem,
        Effect.map(FileSystem.FileSystem, (fs) =>
          FileSystem.FileSystem.of({
            ...fs,
            rename: (oldPath, newPath) =>
              oldPath === from
                ? Effect.fail(PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "rename" }))
                : fs.rename(oldPath, newPath)
          })
        )
      ).pipe(Layer.provide(NodeFileSystem.layer))
    )

  it.effect("takes a file over from another disk by copying it, and the file is gone all the same", () =>
    Effect.gen(function* () {
      const path = nextPath("elsewhere")
      writeFileSync(path, bytes)
      const folder = nextPath("adopted")
      const adopt = Effect.gen(function* () {
        const blobs = yield* BlobStore
        const facts = yield* Option.getOrThrow(blobs.adopt)(key, path)
        return { facts, copied: new Uint8Array(readFileSync(join(folder, key))) }
      })
      const { copied, facts } = yield* Effect.provide(adopt, storeIn(folder, {}, layerOtherDisk(path)))
      assert.strictEqual(facts.sizeBytes, bytes.length)
      assert.deepStrictEqual(copied, bytes)
      assert.isFalse(existsSync(path))
    })
  )
})
