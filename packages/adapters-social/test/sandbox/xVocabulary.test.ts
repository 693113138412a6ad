import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"
import { normaliseX } from "@loopbox/adapters-social"
import { Connectors, connectorTo } from "@loopbox/core/networks/Connectors"
import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { accessTo, noRequest, replyTo, uncertain } from "../support.ts"
import { accounts, secrets } from "./sandboxed.ts"
import { at, ids, listAt, served, textAt } from "./served.ts"

const me = String(ids["x"])
const path = `/users/${me}/mentions`

const oldNames = {
  "tweet.fields": "author_id,conversation_id,created_at,referenced_tweets,note_tweet",
  expansions: "author_id,referenced_tweets.id"
}
const newNames = {
  "post.fields": "conversation_id,created_at,note_post",
  expansions: "author_id,referenced_posts"
}

const feed = {
  step: "mentions",
  source: "x_reply",
  id: me,
  items: Option.none(),
  updatedAt: Option.none(),
  size: Option.none(),
  firstPage: Option.none()
} as const

const access = {
  ...accessTo(me, "our_x"),
  accessToken: accounts.find(({ network }) => network === "x")?.accessToken ?? secrets.x
}

describe("Sandbox: X's two vocabularies", () => {
  it.effect("are answered in as they are asked in", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      yield* sandbox.comment({ network: "x", from: "Ada", text: "hi @our_x" })
      const old = (yield* ask("x", "GET", path, { query: oldNames })).body
      const now = (yield* ask("x", "GET", path, { query: newNames })).body
      assert.strictEqual(at(old, "data", 0, "referenced_tweets", 0, "type"), "replied_to")
      assert.strictEqual(at(now, "data", 0, "referenced_posts", 0, "type"), "replied_to")
      assert.isArray(at(old, "data", 0, "edit_history_tweet_ids"))
      assert.isArray(at(now, "data", 0, "edit_history_post_ids"))
      assert.isUndefined(at(now, "data", 0, "edit_history_tweet_ids"))
      assert.strictEqual(listAt(old, "includes", "tweets").length, 1)
      assert.strictEqual(listAt(now, "includes", "posts").length, 1)
      assert.strictEqual(at(now, "data", 0, "author_id"), at(old, "data", 0, "author_id"))
      // Fields of the other vocabulary, and expansions among fields, are left out in silence.
      const mixed = (yield* ask("x", "GET", path, {
        query: { "post.fields": "author_id,note_tweet,referenced_posts" }
      })).body
      assert.hasAllKeys(at(mixed, "data", 0), ["id", "text", "edit_history_post_ids"])
      for (const query of [{ "post.fields": "colour" }, { ...oldNames, ...newNames }]) {
        assert.strictEqual((yield* ask("x", "GET", path, { query })).status, 400)
      }
    })
  )

  it.effect("can end, and begin, and then hold for events and created posts too", () =>
    Effect.gen(function* () {
      const { ask, control, sandbox, told } = yield* served()
      yield* control("settings", { x_vocabulary: "post" })
      yield* sandbox.mention({ network: "x", from: "Ada", text: "hi" })
      const refused = yield* ask("x", "GET", path, { query: oldNames })
      assert.deepStrictEqual([refused.status, textAt(refused.body, "type").split("/").at(-1)], [400, "invalid-request"])
      assert.property(at(refused.body, "errors", 0, "parameters"), "tweet.fields")
      assert.strictEqual((yield* ask("x", "GET", path, { query: newNames })).status, 200)
      assert.isArray(at((yield* told)[0], "data", "payload", "edit_history_post_ids"))
      const created = yield* ask("x", "POST", "/tweets", { json: { text: "new" } })
      assert.isArray(at(created.body, "data", "edit_history_post_ids"))
      yield* control("settings", { x_vocabulary: "tweet" })
      assert.strictEqual((yield* ask("x", "GET", path, { query: newNames })).status, 400)
      assert.strictEqual((yield* control("settings", { x_vocabulary: "bird" })).status, 400)
    })
  )

  it.live("give a connector the same inbox, answer and thread", () =>
    Effect.gen(function* () {
      const { control, sandbox, told, url } = yield* served()
      const context = yield* Layer.build(
        SocialConnectors.layer({ baseUrls: { x: `${url}/x` } }).pipe(Layer.provide(FetchHttpClient.layer))
      )
      const x = connectorTo(Context.get(context, Connectors), "x")
      const one = yield* sandbox.mention({ network: "x", from: "Ada", text: "see https://example.com/a" })
      yield* sandbox.comment({ network: "x", from: "Bo", text: "two, @our_x", parentId: one.id })
      yield* sandbox.quote({ network: "x", from: "Cy", text: "look @our_x" })
      yield* sandbox.edit({ network: "x", id: one.id, text: "edited, @our_x" })
      const seen = Effect.gen(function* () {
        const { requestedAt: _moment, ...page } = yield* x.readFeed(access, feed, {
          ...noRequest,
          checkpoint: Option.some("1")
        })
        const items = page.activities.flatMap((one) => (one._tag === "Posted" ? [one] : []))
        const [newest] = items
        assert.isDefined(newest)
        if (newest === undefined) return undefined
        return {
          page,
          answered: newest.replyTargetId,
          context: yield* x.findMediaContext(access, "x_reply", one.id),
          thread: yield* x.findThreadKey(access, {
            source: "x_reply",
            externalId: newest.externalId,
            parentExternalId: ""
          })
        }
      })
      yield* control("settings", { x_vocabulary: "tweet" })
      const old = yield* seen
      yield* control("settings", { x_vocabulary: "post" })
      assert.deepStrictEqual(yield* seen, old)
      const reply = replyTo("x_reply", old?.answered ?? "", "900")
      const sent = yield* x.sendReply(access, reply, Option.none())
      const look = yield* x.findReply(access, {
        ...uncertain(reply),
        attemptedAt: DateTime.subtract(sent.posted.receivedAt, { seconds: 5 })
      })
      assert.deepStrictEqual(look._tag === "Candidates" ? look.posted.map(({ externalId }) => externalId) : [], [
        sent.posted.externalId
      ])
      const events = (yield* told).flatMap((body) =>
        normaliseX({
          body: new TextEncoder().encode(JSON.stringify(body)),
          arrivedAt: DateTime.makeUnsafe(0)
        }).activities.flatMap((one) => (one._tag === "Posted" ? [one.externalId] : []))
      )
      assert.include(events, sent.posted.externalId)
    })
  )
})
