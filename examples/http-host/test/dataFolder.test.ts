import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { makeDataFolder } from "../src/dataFolder.ts"

describe("the data folder", () => {
  it.layer(NodeServices.layer)((it) => {
    it.effect("is made with all that is missing above it, by several at once", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = `${yield* fs.makeTempDirectoryScoped()}/one/two/three`
        yield* Effect.all([makeDataFolder(folder), makeDataFolder(folder), makeDataFolder(folder)], {
          concurrency: "unbounded"
        })
        assert.strictEqual((yield* fs.stat(folder)).type, "Directory")
        assert.strictEqual((yield* fs.stat(folder)).mode & 0o066, 0)
      })
    )

    it.effect.skipIf(process.platform !== "linux")("is refused where the system lets nobody make one", () =>
      Effect.gen(function* () {
        for (const folder of ["/proc/loopbox", "/proc/loopbox/data"]) {
          const { message } = yield* Effect.flip(makeDataFolder(folder))
          assert.include(message, `The data folder ${folder} cannot be made`)
          assert.include(message, "LOOPBOX_DATA names the data folder.")
        }
      })
    )
  })
})
