import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Option, Redacted } from "effect"
import { findWorkspace } from "../src/cli/workspaceClient.ts"

const key = `lbx_test_${"0".repeat(26)}_${"0".repeat(52)}`

/** What a command makes of a file that is named for its key. */
const findWith = Effect.fnUntraced(function* (text: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.makeTempFileScoped()
  yield* fs.writeFileString(file, text)
  const connection = { url: Option.some("http://127.0.0.1:9"), apiKeyFile: Option.some(file) }
  return { file, found: yield* Effect.result(findWorkspace(connection)) }
})

describe("--api-key-file", () => {
  it.layer(NodeServices.layer)((it) => {
    it.effect("is refused where it holds no key, before anybody is asked", () =>
      Effect.gen(function* () {
        for (const text of ["", "\n", `${key}\n${key}`, "not a key", `"${key}"`]) {
          const { file, found } = yield* findWith(text)
          assert.strictEqual(found._tag, "Failure", text)
          if (found._tag === "Failure") assert.include(found.failure.message, `${file} holds no API key`)
        }
      })
    )
    it.effect("is told of in a sentence where it is not there, or a folder", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped()
        for (const [file, sentence] of [
          [folder, `${folder} is a folder. Name a file in it.`],
          [`${folder}/key`, `${folder}/key cannot be read: it is not there.`]
        ] as const) {
          const connection = { url: Option.some("http://127.0.0.1:9"), apiKeyFile: Option.some(file) }
          const { message } = yield* Effect.flip(findWorkspace(connection))
          assert.strictEqual(message, sentence)
        }
      })
    )
    it.effect("may end with a line break", () =>
      Effect.gen(function* () {
        const { found } = yield* findWith(`${key}\n`)
        assert.strictEqual(found._tag, "Success")
        if (found._tag === "Success") assert.strictEqual(Redacted.value(found.success.key), key)
      })
    )
  })
})
