import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Option, PlatformError } from "effect"
import { checkMark, checkUnclaimed, putMark } from "../src/installationMark.ts"

const newFolder = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  return { kind: "folder", folder: yield* fs.makeTempDirectoryScoped() } as const
})

/** The platform's files, where nothing can be written. */
const refusing = (_tag: PlatformError.SystemErrorTag, cause: Error) =>
  Effect.updateService(FileSystem.FileSystem, (fs) => ({
    ...fs,
    writeFileString: (pathOrDescriptor: string) =>
      Effect.fail(
        PlatformError.systemError({ _tag, module: "FileSystem", method: "writeFile", pathOrDescriptor, cause })
      )
  }))

describe("the mark of an installation in a folder", () => {
  it.layer(NodeServices.layer)((it) => {
    it.effect("is left as it is where it was written already", () =>
      Effect.gen(function* () {
        const place = yield* newFolder
        yield* putMark(place, Option.none(), "first")
        yield* putMark(place, Option.none(), "second")
        yield* checkMark(place, Option.none(), "first")
      })
    )

    it.effect.skipIf(process.platform !== "linux")("is refused where the system lets nobody make the folder", () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(
          putMark({ kind: "folder", folder: "/proc/loopbox" }, Option.none(), "first", "--to")
        )
        assert.match(message, /^The blob folder \/proc\/loopbox cannot be used: ENOENT.*\. --to names it\.$/)
      })
    )

    it.effect("is written anew where a full disk left an empty one", () =>
      Effect.gen(function* () {
        const place = yield* newFolder
        const fs = yield* FileSystem.FileSystem
        yield* fs.writeFileString(`${place.folder}/INSTALLATION`, "")
        yield* checkUnclaimed(place, Option.none(), "first")
        yield* putMark(place, Option.none(), "first")
        yield* checkMark(place, Option.none(), "first")
      })
    )

    it.effect("is not there, nor anything else, where the disk filled after its file was opened", () =>
      Effect.gen(function* () {
        const place = yield* newFolder
        const fs = yield* FileSystem.FileSystem
        const full = Effect.updateService(FileSystem.FileSystem, (files) => ({
          ...files,
          writeFileString: (pathOrDescriptor: string) =>
            Effect.andThen(
              files.writeFileString(pathOrDescriptor, ""),
              Effect.fail(
                PlatformError.systemError({
                  _tag: "Unknown",
                  module: "FileSystem",
                  method: "writeFile",
                  pathOrDescriptor,
                  cause: new Error("ENOSPC: no space left on device, write")
                })
              )
            )
        }))
        yield* Effect.flip(full(putMark(place, Option.none(), "first")))
        assert.deepStrictEqual(yield* fs.readDirectory(place.folder), [])
        yield* putMark(place, Option.none(), "first")
        assert.deepStrictEqual(yield* fs.readDirectory(place.folder), ["INSTALLATION"])
      })
    )

    it.effect("names what named it, where that is an option of a command", () =>
      Effect.gen(function* () {
        const place = yield* newFolder
        yield* putMark(place, Option.none(), "other")
        const elsewhere = yield* Effect.flip(checkUnclaimed(place, Option.none(), "first", "--to"))
        assert.match(elsewhere.message, /Are DATABASE_URL, LOOPBOX_DATA and --to right\?$/)
        const file = { ...place, folder: `${place.folder}/INSTALLATION` }
        const error = yield* Effect.flip(checkUnclaimed(file, Option.none(), "first", "--to"))
        assert.match(error.message, /cannot be used: .*\. --to names it\.$/)
      })
    )

    for (const [tag, reason] of [
      ["PermissionDenied", "EACCES: permission denied, open"],
      ["Unknown", "ENOSPC: no space left on device, write"]
    ] as const) {
      it.effect(`tells why it can't be written: ${reason}`, () =>
        Effect.gen(function* () {
          const place = yield* newFolder
          const error = yield* Effect.flip(putMark(place, Option.none(), "first")).pipe(
            refusing(tag, new Error(reason))
          )
          assert.strictEqual(
            error.message,
            `The blob folder ${place.folder} cannot be used: ${reason}. LOOPBOX_BLOBS names it.`
          )
        })
      )
    }
  })
})
