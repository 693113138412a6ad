import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, ids, listAt, served, textAt, walk } from "./served.ts"

const network = "facebook"
const page = String(ids[network])

describe("Sandbox: Facebook Pages", () => {
  it.effect("lists posts within times, with a summary of their comments", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      yield* TestClock.adjust("1 hour")
      const post = yield* sandbox.post({ network, text: "later" })
      const one = yield* sandbox.comment({ network, from: "Ada", text: "1", postId: post.id })
      yield* sandbox.comment({ network, from: "Bo", text: "2", postId: post.id, parentId: one.id })
      const fields = "message,permalink_url,comments.filter(stream).summary(true).limit(0)"
      const { body } = yield* ask(network, "GET", `/${page}/published_posts`, { query: { fields, since: "3000" } })
      assert.deepStrictEqual(
        listAt(body, "data").map((one) => at(one, "message")),
        ["later"]
      )
      assert.deepStrictEqual(at(body, "data", 0, "comments", "data"), [])
      assert.strictEqual(at(body, "data", 0, "comments", "summary", "total_count"), 2)
      const older = yield* ask(network, "GET", "/me/published_posts", { query: { until: "3000" } })
      assert.strictEqual(listAt(older.body, "data").length, 1)
      const single = yield* ask(network, "GET", `/${post.id}`, {
        query: { fields: "full_picture,attachments{media_type,media{image{src}},subattachments}" }
      })
      assert.deepStrictEqual(Object.keys(at(single.body, "attachments", "data", 0) ?? {}), ["media_type", "media"])
      assert.strictEqual(codeOf(yield* ask(network, "GET", "/1_2/comments")), "400 100/33")
    })
  )

  it.effect("lists comments of all levels or of the top, in either order, page by page", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      const top = yield* sandbox.comment({ network, from: "Ada", text: "0" })
      const answer = yield* sandbox.comment({ network, from: "Bo", text: "1", parentId: top.id })
      const deep = yield* sandbox.comment({ network, from: "Cy", text: "2", parentId: answer.id })
      for (let i = 3; i < 30; i++) yield* sandbox.comment({ network, from: "Di", text: String(i) })
      yield* sandbox.hide({ network, id: answer.id, isHidden: true })
      const post = textAt((yield* ask(network, "GET", "/me/published_posts")).body, "data", 0, "id")
      const fields = "message,from{id,name,picture},created_time,parent{id},attachment,is_hidden,comment_count"
      const query = { filter: "stream", order: "reverse_chronological", fields, limit: "7" }
      const { all, pages } = yield* walk((after) =>
        ask(network, "GET", `/${post}/comments`, { query: { ...query, ...after } })
      )
      assert.strictEqual(pages, 5)
      assert.deepStrictEqual(
        all.map((one) => Number(at(one, "message"))),
        Array.from({ length: 30 }, (_, i) => 29 - i)
      )
      const [, hidden] = all.toReversed()
      assert.deepStrictEqual(
        [at(hidden, "is_hidden"), at(hidden, "parent", "id"), at(hidden, "comment_count")],
        [true, top.id, 1]
      )
      const tops = yield* ask(network, "GET", `/${post}/comments`, { query: { limit: "3", summary: "true" } })
      assert.deepStrictEqual(
        listAt(tops.body, "data").map((one) => at(one, "message")),
        ["0", "3", "4"]
      )
      assert.strictEqual(at(tops.body, "summary", "total_count"), 28)
      const answers = yield* ask(network, "GET", `/${top.id}/comments`)
      assert.strictEqual(at(answers.body, "data", 0, "id"), answer.id)
      const chain = yield* ask(network, "GET", `/${deep.id}`, { query: { fields: "parent{id,parent{id}}" } })
      assert.deepStrictEqual(chain.body, { id: deep.id, parent: { id: answer.id, parent: { id: top.id } } })
    })
  )

  it.effect("answers a comment, which comes back from the Page", () =>
    Effect.gen(function* () {
      const { ask, sandbox, told } = yield* served()
      const { id } = yield* sandbox.comment({ network, from: "Ada", text: "hi" })
      const sent = yield* ask(network, "POST", `/${id}/comments`, { form: { message: "hello" } })
      const value = at((yield* told).at(-1), "entry", 0, "changes", 0, "value")
      assert.deepStrictEqual(
        [at(value, "comment_id"), at(value, "parent_id"), at(value, "from", "id"), at(value, "verb")],
        [at(sent.body, "id"), id, page, "add"]
      )
      assert.strictEqual(
        codeOf(yield* ask(network, "POST", `/${id}/comments`, { form: { message: "x".repeat(8_001) } })),
        "400 100"
      )
      yield* sandbox.remove({ network, id })
      assert.strictEqual(
        codeOf(yield* ask(network, "POST", `/${id}/comments`, { form: { message: "late" } })),
        "400 100/33"
      )
    })
  )

  it.effect("lists conversations with messages, takes an answer for 24 hours, and echoes its metadata", () =>
    Effect.gen(function* () {
      const { ask, sandbox, told } = yield* served()
      yield* sandbox.message({ network, from: "Ada Lind", text: "Do you ship?" })
      const fields = "updated_time,participants,messages.limit(25){message,from,to,created_time,attachments}"
      const list = yield* ask(network, "GET", `/${page}/conversations`, { query: { platform: "messenger", fields } })
      const talk = listAt(list.body, "data")[0]
      assert.match(textAt(talk, "id"), /^t_/)
      assert.strictEqual(at(talk, "messages", "data", 0, "message"), "Do you ship?")
      const person = textAt(talk, "participants", "data", 0, "id")
      const send = (message: Readonly<Record<string, string>>, to = person) =>
        ask(network, "POST", `/${page}/messages`, {
          json: { recipient: { id: to }, messaging_type: "RESPONSE", message }
        })
      const sent = yield* send({ text: "We do", metadata: "op_1" })
      assert.strictEqual(at(sent.body, "recipient_id"), person)
      const echo = at((yield* told).at(-1), "entry", 0, "messaging", 0, "message")
      assert.deepStrictEqual(
        [at(echo, "mid"), at(echo, "metadata"), at(echo, "is_echo")],
        [at(sent.body, "message_id"), "op_1", true]
      )
      assert.strictEqual(codeOf(yield* send({ text: "x".repeat(2_001) })), "400 100")
      assert.strictEqual(codeOf(yield* send({ text: "x", metadata: "x".repeat(1_001) })), "400 100")
      assert.strictEqual(codeOf(yield* send({ text: "x" }, "6123")), "400 100/2018001")
      const profile = yield* ask(network, "GET", `/${person}`, { query: { fields: "name,profile_pic" } })
      assert.strictEqual(at(profile.body, "name"), "Ada Lind")
      yield* TestClock.adjust("25 hours")
      assert.strictEqual(codeOf(yield* send({ text: "late" })), "400 10/2018278")
      const byPerson = (more: Readonly<Record<string, string>>) =>
        ask(network, "POST", `/${page}/messages`, {
          json: { recipient: { id: person }, message: { text: "I looked it up" }, tag: "HUMAN_AGENT", ...more }
        })
      assert.strictEqual(codeOf(yield* byPerson({ messaging_type: "RESPONSE" })), "400 100")
      assert.strictEqual((yield* byPerson({ messaging_type: "MESSAGE_TAG" })).status, 200)
      yield* TestClock.adjust("144 hours")
      assert.strictEqual(codeOf(yield* byPerson({ messaging_type: "MESSAGE_TAG" })), "400 10/2018278")
      // Whoever writes again opens the window again.
      yield* sandbox.message({ network, from: "Ada Lind", text: "Hello?" })
      assert.strictEqual((yield* send({ text: "not late" })).status, 200)
    })
  )

  it.effect("tells of pages and tokens, and checks the proof", () =>
    Effect.gen(function* () {
      const { ask } = yield* served()
      const pages = yield* ask(network, "GET", "/me/accounts")
      assert.strictEqual(at(pages.body, "data", 0, "access_token"), "token of facebook")
      assert.strictEqual(at((yield* ask(network, "GET", "/me", { query: { fields: "name" } })).body, "id"), page)
      const token = yield* ask(network, "GET", "/debug_token", { query: { input_token: "token of facebook" } })
      assert.deepStrictEqual([at(token.body, "data", "is_valid"), at(token.body, "data", "expires_at")], [true, 0])
      const none = yield* ask(network, "GET", "/debug_token", { query: { input_token: "nobody's" } })
      assert.isFalse(at(none.body, "data", "is_valid"))
      assert.strictEqual(codeOf(yield* ask(network, "GET", "/me", { query: { appsecret_proof: "00" } })), "400 100")
      assert.strictEqual(codeOf(yield* ask(network, "GET", "/me", { token: "nobody's" })), "400 190/467")
      assert.strictEqual(codeOf(yield* ask(network, "GET", "/me", { token: null })), "400 190/467")
      const subscribed = yield* ask(network, "POST", `/${page}/subscribed_apps`, {
        form: { subscribed_fields: "feed" }
      })
      assert.deepStrictEqual(subscribed.body, { success: true })
    })
  )
})
