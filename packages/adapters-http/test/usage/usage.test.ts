import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { comment, connectAccount, makeInbox } from "../inbox/inboxSupport.ts"
import { call, codeOf, gif, makeWorkspace, server, uploadGif } from "../support.ts"

describe("GET /v1/usage (api-2.md §16)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("tells plan, limits and what is used, to a key of nobody on a plan without inbox", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace("free")
        const id = yield* uploadGif(key)
        const made = yield* call("POST", "/v1/media/gif-conversions", { key, json: { gif_media_id: id } })
        assert.strictEqual(made.status, 202)
        const { body, status } = yield* call("GET", "/v1/usage", { key })
        assert.strictEqual(status, 200)
        assert.hasAllKeys({ ...body }, ["data", "request_id"])
        assert.deepEqual<unknown>(body["data"], {
          plan: "free",
          limits: { active_jobs: 1, gif_conversions_per_24h: 10 },
          active_jobs: 1,
          gif_conversions: { used: 1, limit: 10, reset_at: null },
          items_30d: 0,
          posts_30d: 0,
          storage_bytes: gif.length
        })
      })
    )
    it.effect("counts items of the workspace, whatever scope the request names", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        yield* comment(yield* connectAccount(id, "u1"), ["a", "b"])
        const answer = yield* call("GET", "/v1/usage?inbox_scope=managed_user&external_user_id=nobody", { key })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(Number(answer.body["data"]?.["items_30d"]), 2)
      })
    )
    it.effect("is for who has a credential, and takes GET only", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        assert.strictEqual(codeOf(yield* call("GET", "/v1/usage")), "401 UNAUTHORIZED")
        assert.strictEqual(codeOf(yield* call("POST", "/v1/usage", { key })), "405 METHOD_NOT_ALLOWED")
      })
    )
  })
})
