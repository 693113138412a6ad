import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Rejected, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import { posted } from "@loopbox/testing/fixtures/activities"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { inbox, itemId, scopes } from "./inboxSupport.ts"
import { detailsOf, makeItem, server } from "./replySupport.ts"
import { codeOf } from "../support.ts"

const { workspace } = scopes

describe("GET /v1/inbox/{id}/media-context (api.md §3)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("says where it comes from and how old it is, or why there is none", () =>
      Effect.gen(function* () {
        const world = yield* makeItem()
        const under = (externalId: string, post: string) =>
          Object.assign(posted({ account: world.page, externalId }), { linkedPostId: Option.some(post) })
        yield* ingest(world.account, [under("a", "p1"), under("b", "gone"), under("c", "down")])
        const networks = yield* FakeNetworks
        networks.script = {
          ...networks.script,
          findMediaContext: (_access, _source, id) => {
            const of = { network: "instagram", networkCode: Option.none(), detail: "" } as const
            if (id === "gone") return Effect.fail(new Rejected({ ...of, reason: "gone" }))
            if (id === "down") return Effect.fail(new Unavailable({ ...of, reason: "upstream" }))
            return Effect.succeed({
              id,
              caption: Option.some("A day"),
              mediaUrl: Option.none(),
              timestamp: Option.some(DateTime.makeUnsafe("2026-11-20T18:00:00Z")),
              mediaType: "image",
              permalink: Option.none()
            })
          }
        }
        const read = Effect.fnUntraced(function* (externalId: string) {
          const id = yield* itemId(world.key, externalId)
          return yield* inbox("GET", `/${id}/media-context`, workspace, { key: world.key })
        })
        const miss = yield* read("a")
        assert.deepEqual<unknown>(miss.body["data"], {
          id: "p1",
          caption: "A day",
          media_url: null,
          timestamp: "2026-11-20T18:00:00.000Z",
          media_type: "image",
          permalink: null
        })
        assert.deepEqual([miss.headers.get("x-cache"), miss.headers.get("age")], ["miss", "0"])
        const hit = yield* read("a")
        assert.strictEqual(hit.headers.get("x-cache"), "hit")
        assert.match(hit.headers.get("age") ?? "", /^\d+$/)
        const gone = yield* read("b")
        assert.strictEqual(codeOf(gone), "404 NOT_FOUND")
        assert.deepEqual<unknown>(detailsOf(gone), { reason: "parent_gone" })
        assert.strictEqual(codeOf(yield* read("c")), "502 PLATFORM_ERROR")
        assert.strictEqual(codeOf(yield* read("c1")), "404 NOT_FOUND")
        const unknown = yield* inbox("GET", "/itm_x/media-context", workspace, { key: world.key })
        assert.strictEqual(codeOf(unknown), "404 NOT_FOUND")
      })
    )
  })
})
