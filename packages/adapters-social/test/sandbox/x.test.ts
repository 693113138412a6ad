import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, ids, listAt, served, textAt } from "./served.ts"

const network = "x"
const me = String(ids[network])

const texts = (body: unknown) => listAt(body, "data").map((one) => at(one, "text"))

describe("Sandbox: X", () => {
  it.effect("lists mentions newest first, after an id, page by page, with what is asked for beside them", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      const path = `/users/${me}/mentions`
      assert.deepStrictEqual((yield* ask(network, "GET", path)).body, { meta: { result_count: 0 } })
      const first = yield* sandbox.mention({ network, from: "Ada", text: "0" })
      for (let i = 1; i <= 11; i++) yield* sandbox.comment({ network, from: "Bo", text: `${i} & more` })
      const query = {
        max_results: "5",
        "tweet.fields": "author_id,conversation_id,referenced_tweets",
        expansions: "author_id,referenced_tweets.id",
        "user.fields": "profile_image_url"
      }
      const page = yield* ask(network, "GET", path, { query })
      assert.deepStrictEqual(texts(page.body).slice(0, 2), ["@our_x 11 &amp; more", "@our_x 10 &amp; more"])
      assert.isUndefined(at(page.body, "data", 0, "created_at"))
      assert.isUndefined(at(page.body, "data", 0, "entities"))
      assert.deepStrictEqual(
        listAt(page.body, "includes", "users").map((one) => at(one, "username")),
        ["bo"]
      )
      assert.strictEqual(at(page.body, "includes", "tweets", 0, "author_id"), me)
      assert.strictEqual(at(page.body, "meta", "newest_id"), at(page.body, "data", 0, "id"))
      const second = yield* ask(network, "GET", path, {
        query: { ...query, pagination_token: textAt(page.body, "meta", "next_token") }
      })
      const third = yield* ask(network, "GET", path, {
        query: { max_results: "5", pagination_token: textAt(second.body, "meta", "next_token") }
      })
      assert.deepStrictEqual(texts(third.body), ["@our_x 1 &amp; more", "@our_x 0"])
      assert.isUndefined(at(third.body, "meta", "next_token"))
      assert.isUndefined(at(third.body, "includes"))
      const since = yield* ask(network, "GET", path, { query: { since_id: textAt(second.body, "meta", "newest_id") } })
      assert.strictEqual(at(since.body, "meta", "result_count"), 5)
      // What is edited has a new id, and comes up again.
      yield* sandbox.edit({ network, id: first.id, text: "@our_x edited" })
      const again = yield* ask(network, "GET", path, { query: { since_id: textAt(page.body, "meta", "newest_id") } })
      assert.deepStrictEqual(texts(again.body), ["@our_x edited"])
      for (const wrong of [
        { max_results: "4" },
        { since_id: "x" },
        { pagination_token: "x" },
        { "tweet.fields": "colour" },
        { expansions: "colour" },
        { start_time: "yesterday" }
      ]) {
        assert.strictEqual((yield* ask(network, "GET", path, { query: wrong })).status, 400, JSON.stringify(wrong))
      }
    })
  )

  it.effect("reaches back to the newest 800", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      for (let i = 1; i <= 805; i++) yield* sandbox.mention({ network, from: "Ada", text: String(i) }, { times: 0 })
      let read = 0
      let query: Record<string, string> = { max_results: "100" }
      for (let pages = 0; pages < 10; pages++) {
        const { body } = yield* ask(network, "GET", `/users/${me}/mentions`, { query })
        read += listAt(body, "data").length
        const next = at(body, "meta", "next_token")
        if (typeof next !== "string") break
        query = { ...query, pagination_token: next }
      }
      assert.strictEqual(read, 800)
    })
  )

  it.effect("finds posts and people, and says of what is gone that it is gone", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      const one = yield* sandbox.comment({ network, from: "Ada", text: "see https://example.com/a" })
      const two = yield* sandbox.comment({ network, from: "Bo", text: "two", parentId: one.id })
      const quote = yield* sandbox.quote({ network, from: "Cy", text: "look" })
      const all =
        "author_id,conversation_id,created_at,entities,display_text_range,in_reply_to_user_id,referenced_tweets"
      const found = yield* ask(network, "GET", `/tweets/${one.id}`, { query: { "tweet.fields": all } })
      assert.match(textAt(found.body, "data", "text"), /^@our_x see https:\/\/t\.co\/\w+$/)
      assert.strictEqual(at(found.body, "data", "entities", "urls", 0, "expanded_url"), "https://example.com/a")
      assert.deepStrictEqual(at(found.body, "data", "entities", "mentions", 0, "start"), 0)
      assert.strictEqual(at(found.body, "data", "display_text_range", 0), 7)
      const quoting = yield* ask(network, "GET", `/tweets/${quote.id}`, {
        query: { "tweet.fields": "referenced_tweets", expansions: "referenced_tweets.id.author_id" }
      })
      assert.strictEqual(at(quoting.body, "data", "referenced_tweets", 0, "type"), "quoted")
      assert.strictEqual(at(quoting.body, "includes", "users", 0, "id"), me)
      yield* sandbox.remove({ network, id: one.id })
      const gone = yield* ask(network, "GET", `/tweets/${one.id}`)
      assert.deepStrictEqual([gone.status, at(gone.body, "data")], [200, undefined])
      assert.match(textAt(gone.body, "errors", 0, "type"), /resource-not-found$/)
      const both = yield* ask(network, "GET", "/tweets", {
        query: { ids: `${one.id},${two.id}`, expansions: "referenced_tweets.id" }
      })
      assert.deepStrictEqual([listAt(both.body, "data").length, listAt(both.body, "errors").length], [1, 2])
      const author = textAt(
        (yield* ask(network, "GET", `/tweets/${two.id}`, { query: { "tweet.fields": "author_id" } })).body,
        "data",
        "author_id"
      )
      assert.strictEqual(at((yield* ask(network, "GET", `/users/${author}`)).body, "data", "username"), "bo")
      assert.isArray(at((yield* ask(network, "GET", "/users/1")).body, "errors"))
      const self = yield* ask(network, "GET", "/users/me")
      assert.deepStrictEqual(self.body, { data: { id: me, name: "Our x", username: "our_x" } })
    })
  )

  it.effect("lets only those be answered who named or quoted the account, and no text twice", () =>
    Effect.gen(function* () {
      const { ask, sandbox, told } = yield* served()
      const post = (text: string, to?: string) =>
        ask(network, "POST", "/tweets", {
          json: { text, ...(to === undefined ? {} : { reply: { in_reply_to_tweet_id: to } }) }
        })
      const plain = yield* sandbox.comment({ network, from: "Ada", text: "nice" })
      const refused = yield* post("thanks", plain.id)
      assert.strictEqual(refused.status, 403)
      assert.include(textAt(refused.body, "detail"), "mentioned or otherwise engaged")
      const named = yield* sandbox.comment({ network, from: "Ada", text: "nice, @our_x" })
      const sent = yield* post("thanks 🚀 & <3", named.id)
      assert.strictEqual(sent.status, 201)
      assert.strictEqual(at(sent.body, "data", "text"), "@ada thanks 🚀 &amp; &lt;3")
      const event = at((yield* told).at(-1), "data")
      assert.deepStrictEqual(
        [at(event, "event_type"), at(event, "payload", "id"), at(event, "payload", "author_id")],
        ["post.create", at(sent.body, "data", "id"), me]
      )
      const again = yield* post("thanks 🚀 & <3", (yield* sandbox.mention({ network, from: "Bo", text: "hi" })).id)
      assert.include(textAt(again.body, "detail"), "duplicate content")
      const quote = yield* sandbox.quote({ network, from: "Cy", text: "look" })
      assert.strictEqual((yield* post("seen", quote.id)).status, 201)
      yield* sandbox.remove({ network, id: quote.id })
      assert.include(textAt((yield* post("seen too", quote.id)).body, "detail"), "deleted or not visible")
      const own = yield* ask(network, "GET", `/users/${me}/tweets`, {
        query: { since_id: named.id, max_results: "100", "tweet.fields": "referenced_tweets" }
      })
      assert.deepStrictEqual(
        listAt(own.body, "data").map((one) => at(one, "referenced_tweets", 0, "id")),
        [quote.id, named.id]
      )
      const found = yield* ask(network, "GET", "/tweets/search/recent", {
        query: { query: `from:our_x in_reply_to_tweet_id:${named.id}` }
      })
      assert.strictEqual(listAt(found.body, "data").length, 1)
      const either = yield* ask(network, "GET", "/tweets/search/recent", {
        query: { query: "(@our_x OR to:our_x) -is:retweet" }
      })
      assert.strictEqual(listAt(either.body, "data").length, 3)
      yield* TestClock.adjust("8 days")
      assert.deepStrictEqual(
        (yield* ask(network, "GET", "/tweets/search/recent", { query: { query: "from:our_x" } })).body,
        {
          meta: { result_count: 0 }
        }
      )
    })
  )

  it.effect("counts a text as X does", () =>
    Effect.gen(function* () {
      const { ask } = yield* served()
      const link = "https://example.com/very/long/path/that/goes/on/and/on"
      for (const [longest, unit] of [
        [280, "a"],
        [140, "語"],
        [140, "👨‍👩‍👧‍👦"],
        [140, "🙋🏽"],
        [280, "e\u0301"]
      ] as const) {
        assert.strictEqual(
          (yield* ask(network, "POST", "/tweets", { json: { text: unit.repeat(longest) } })).status,
          201,
          unit
        )
        assert.strictEqual(
          (yield* ask(network, "POST", "/tweets", { json: { text: `${unit.repeat(longest)}b` } })).status,
          400,
          unit
        )
      }
      assert.strictEqual(
        (yield* ask(network, "POST", "/tweets", { json: { text: `${"b".repeat(256)} ${link}` } })).status,
        201
      )
      assert.strictEqual(
        (yield* ask(network, "POST", "/tweets", { json: { text: `${"c".repeat(257)} ${link}` } })).status,
        400
      )
    })
  )
})
