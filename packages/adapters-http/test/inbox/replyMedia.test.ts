import { assert, describe, layer } from "@effect/vitest"
import { samples } from "@loopbox/testing/fixtures/mediaSamples"
import { upload } from "@loopbox/testing/fixtures/mediaFixtures"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { Effect } from "effect"
import { codeOf, pathsOf } from "../support.ts"
import { inbox, scopes } from "./inboxSupport.ts"
import { makeItem, server, type World } from "./replySupport.ts"

const ask = ({ item, key }: World, json: unknown) => inbox("POST", `/${item}/reply`, scopes.workspace, { key, json })

const makeFile = Effect.fnUntraced(function* ({ id }: World, type: "image/png" | "video/webm") {
  const workspace = yield* Effect.fromOption(yield* (yield* Workspaces).find(id)).pipe(Effect.orDie)
  const [bytes = new Uint8Array()] = Object.values(samples[type])
  return yield* upload(workspace, bytes, { declaredType: type })
})

describe("POST /v1/inbox/{id}/reply with a file or a tag (api-2.md §13)", () => {
  layer(server)((it) => {
    it.effect("names what is wrong with its text, files and tag at their places", () =>
      Effect.gen(function* () {
        const message = yield* makeItem("ig_dm")
        const { id } = yield* makeFile(message, "image/png")
        const film = yield* makeFile(message, "video/webm")
        const cases: ReadonlyArray<readonly [unknown, ReadonlyArray<string>]> = [
          [{}, ["text"]],
          [{ media_ids: [] }, ["text"]],
          [{ text: 1, media_ids: [id] }, ["text"]],
          [{ text: "Look", media_ids: [id] }, ["text"]],
          [{ media_ids: [id, id] }, ["media_ids"]],
          [{ text: "x".repeat(5000), media_ids: [id, id] }, ["text", "media_ids", "text"]],
          [{ media_ids: "one" }, ["media_ids"]],
          [{ media_ids: ["med_unknown"] }, ["media_ids"]],
          [{ media_ids: [film.id] }, ["media_ids"]],
          [{ text: "Yes", tag: "robot" }, ["tag"]]
        ]
        for (const [body, paths] of cases) {
          const answer = yield* ask(message, body)
          assert.deepStrictEqual([codeOf(answer), ...pathsOf(answer)], ["400 VALIDATION_ERROR", ...paths], answer.text)
        }
      })
    )

    it.effect("is 409 where the source takes no file, or the account may not tag", () =>
      Effect.gen(function* () {
        const comment = yield* makeItem("ig_comment")
        const { id } = yield* makeFile(comment, "image/png")
        const refused = yield* ask(comment, { media_ids: [id] })
        assert.strictEqual(codeOf(refused), "409 ACTION_NOT_AVAILABLE", refused.text)
        assert.include(refused.text, "not_supported")
        const tagged = yield* ask(yield* makeItem("ig_dm"), { text: "Yes", tag: "human_agent" })
        assert.strictEqual(codeOf(tagged), "409 ACTION_NOT_AVAILABLE", tagged.text)
        assert.include(tagged.text, "missing_scopes")
      })
    )
  })
})
