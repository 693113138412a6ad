import { makeFoldersBy } from "@loopbox/core/kernel/makeFolders"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const above = (folder: string) => folder.slice(0, folder.lastIndexOf("/")) || "/"

/** Some folders, and what was asked of them. `make` says why a folder can't be made. */
const folders = (there: ReadonlyArray<string>, refuse: (folder: string) => string | undefined = () => undefined) => {
  const known = new Set(["/", ...there])
  const asked: Array<string> = []
  return {
    known,
    asked,
    above,
    isThere: (folder: string) => Effect.sync(() => known.has(folder)),
    make: (folder: string) =>
      Effect.suspend(() => {
        asked.push(folder)
        const why = known.has(folder)
          ? "it is there"
          : known.has(above(folder))
            ? refuse(folder)
            : "nothing to put it into"
        if (why !== undefined) return Effect.fail(why)
        known.add(folder)
        return Effect.void
      })
  }
}

describe("makeFolders", () => {
  it.effect("makes what is missing, the outermost first, and nothing that is there", () =>
    Effect.gen(function* () {
      const calls = folders(["/data"])
      yield* makeFoldersBy(calls, "/data/one/two")
      yield* makeFoldersBy(calls, "/data/one/two")
      yield* makeFoldersBy(calls, "/")
      assert.deepStrictEqual(calls.asked, ["/data/one", "/data/one/two"])
    })
  )

  it.effect("ends where a folder is there that lets none be made", () =>
    Effect.gen(function* () {
      const calls = folders(["/proc"], () => "no such file or directory")
      assert.strictEqual(yield* Effect.flip(makeFoldersBy(calls, "/proc/one/two")), "no such file or directory")
      assert.deepStrictEqual(calls.asked, ["/proc/one"])
    })
  )

  it.effect("takes a folder that somebody else has made meanwhile", () =>
    Effect.gen(function* () {
      const calls = folders([], (folder) => {
        calls.known.add(folder)
        return "it is there"
      })
      yield* makeFoldersBy(calls, "/one/two")
      assert.deepStrictEqual(calls.asked, ["/one", "/one/two"])
    })
  )
})
