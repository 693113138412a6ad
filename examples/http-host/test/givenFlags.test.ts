import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { GivenFlags } from "../src/environment.ts"
import { loadHostConfig } from "../src/hostConfig.ts"

const refusal = (flags: GivenFlags) => Effect.flip(loadHostConfig(flags))

describe("flags that stand for a variable", () => {
  it.layer(NodeServices.layer)((it) => {
    it.effect("are called by their own names where they are wrong, and the command line is to blame", () =>
      Effect.gen(function* () {
        const { isMisuse, message } = yield* refusal({ LOOPBOX_URL: { flag: "--url", text: "nonsense" } })
        assert.strictEqual(message, '--url must be an http or https URL without a query. It is "nonsense".')
        assert.isTrue(isMisuse)
        const database = yield* refusal({ DATABASE_URL: { flag: "--to", text: "nonsense:a-password" } })
        assert.match(database.message, /^--to must be /)
        assert.notInclude(database.message, "a-password")
      })
    )
    it.effect("are refused where they are empty, for what is configured would be taken in their place", () =>
      Effect.gen(function* () {
        const { isMisuse, message } = yield* refusal({ DATABASE_URL: { flag: "--to", text: " " } })
        assert.strictEqual(message, "--to is empty.")
        assert.isTrue(isMisuse)
      })
    )
    it.effect("win over the environment, and say nothing where they are not given", () =>
      Effect.gen(function* () {
        const config = yield* loadHostConfig({
          LOOPBOX_URL: { flag: "--url", text: "https://inbox.example" },
          LOOPBOX_HOST: { flag: "--host", text: undefined }
        })
        assert.deepEqual(config.url, Option.some("https://inbox.example"))
        assert.isFalse(config.given.has("LOOPBOX_HOST"))
      })
    )
  })
})
