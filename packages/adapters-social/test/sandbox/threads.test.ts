import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, ids, listAt, served, textAt, walk } from "./served.ts"

const network = "threads"

const texts = (body: unknown) => listAt(body, "data").map((one) => at(one, "text"))

describe("Sandbox: Threads", () => {
  it.effect("lists the account's threads, and what was answered in them at any depth or directly", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      const me = yield* ask(network, "GET", "/me", { query: { fields: "id,username,name" } })
      assert.deepStrictEqual([at(me.body, "id"), at(me.body, "username")], [ids[network], "our_threads"])
      yield* TestClock.adjust("1 hour")
      const post = yield* sandbox.post({ network, text: "later" })
      const since = yield* ask(network, "GET", "/me/threads", { query: { fields: "text", since: "3600" } })
      assert.deepStrictEqual(texts(since.body), ["later"])
      const one = yield* sandbox.comment({ network, from: "Ada", text: "one", postId: post.id })
      const two = yield* sandbox.comment({ network, from: "Bo", text: "two", parentId: one.id })
      yield* sandbox.comment({ network, from: "Cy", text: "three", postId: post.id })
      const fields =
        "text,username,timestamp,root_post,replied_to,is_reply,is_reply_owned_by_me,has_replies,hide_status"
      const conversation = yield* ask(network, "GET", `/${post.id}/conversation`, { query: { fields } })
      assert.deepStrictEqual(texts(conversation.body), ["three", "two", "one"])
      const reply = at(conversation.body, "data", 1)
      // A cursor behind the last page would be asked for in vain.
      assert.deepStrictEqual(Object.keys(at(conversation.body, "paging", "cursors") ?? {}), ["before"])
      assert.deepStrictEqual(at(reply, "root_post"), { id: post.id })
      assert.deepStrictEqual(at(reply, "replied_to"), { id: one.id })
      assert.deepStrictEqual([at(reply, "is_reply"), at(reply, "is_reply_owned_by_me")], [true, false])
      const direct = yield* ask(network, "GET", `/${post.id}/replies`, { query: { fields: "text", reverse: "false" } })
      assert.deepStrictEqual(texts(direct.body), ["one", "three"])
      assert.deepStrictEqual(
        texts((yield* ask(network, "GET", `/${one.id}/replies`, { query: { fields: "text" } })).body),
        ["two"]
      )
      const { all, pages } = yield* walk((after) =>
        ask(network, "GET", `/${post.id}/conversation`, { query: { limit: "2", ...after } })
      )
      assert.deepStrictEqual([pages, all.length], [2, 3])
      yield* sandbox.remove({ network, id: two.id })
      assert.strictEqual(codeOf(yield* ask(network, "GET", `/${two.id}`)), "400 100/33")
      const context = yield* ask(network, "GET", `/${post.id}`, {
        query: { fields: "text,media_type,media_url,permalink,children" }
      })
      assert.deepStrictEqual([at(context.body, "media_type"), at(context.body, "media_url")], ["TEXT_POST", undefined])
    })
  )

  it.effect("publishes a container once, and not before it is ready", () =>
    Effect.gen(function* () {
      const { ask, control, sandbox, told } = yield* served()
      yield* control("settings", { container_delay_ms: 3_000 })
      const comment = yield* sandbox.comment({ network, from: "Ada", text: "hi" })
      const made = yield* ask(network, "POST", "/me/threads", {
        query: { media_type: "TEXT", text: "hello", reply_to_id: comment.id }
      })
      const id = textAt(made.body, "id")
      const status = Effect.map(
        ask(network, "GET", `/${id}`, { query: { fields: "id,status,error_message" } }),
        ({ body }) => body
      )
      const publish = ask(network, "POST", "/me/threads_publish", { query: { creation_id: id } })
      assert.deepStrictEqual(yield* status, { id, status: "IN_PROGRESS" })
      assert.strictEqual(codeOf(yield* publish), "400 24/4279009")
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(yield* status, { id, status: "FINISHED" })
      assert.deepStrictEqual(listAt((yield* control("sent")).body), [])
      const published = yield* publish
      assert.deepStrictEqual(yield* status, { id, status: "PUBLISHED" })
      assert.strictEqual(codeOf(yield* publish), "400 100")
      const replies = yield* ask(network, "GET", "/me/replies", {
        query: { fields: "text,replied_to,is_reply_owned_by_me" }
      })
      assert.deepStrictEqual(listAt(replies.body, "data"), [
        { id: textAt(published.body, "id"), text: "hello", replied_to: { id: comment.id }, is_reply_owned_by_me: true }
      ])
      const webhook = at((yield* told).at(-1), "values", 0)
      assert.deepStrictEqual(
        [at(webhook, "field"), at(webhook, "value", "id"), at(webhook, "value", "username")],
        ["replies", at(published.body, "id"), "our_threads"]
      )
      const limit = yield* ask(network, "GET", "/me/threads_publishing_limit", {
        query: { fields: "reply_quota_usage,reply_config" }
      })
      assert.strictEqual(at(limit.body, "data", 0, "reply_quota_usage"), 1)
    })
  )

  it.effect("counts an emoji by its bytes, and lets a container expire", () =>
    Effect.gen(function* () {
      const { ask } = yield* served()
      const create = (text: string, more: Readonly<Record<string, string>> = {}) =>
        ask(network, "POST", "/me/threads", { form: { media_type: "TEXT", text, ...more } })
      assert.strictEqual(codeOf(yield* create(`${"é".repeat(497)}🚀`)), "400 100")
      const made = yield* create(`${"é".repeat(496)}🚀`)
      assert.strictEqual(made.status, 200)
      assert.strictEqual(codeOf(yield* create("hi", { reply_to_id: "179" })), "400 100/33")
      yield* TestClock.adjust("24 hours")
      const id = textAt(made.body, "id")
      assert.deepStrictEqual((yield* ask(network, "GET", `/${id}`, { query: { fields: "status" } })).body, {
        id,
        status: "EXPIRED"
      })
      assert.strictEqual(
        codeOf(yield* ask(network, "POST", "/me/threads_publish", { query: { creation_id: id } })),
        "400 100"
      )
    })
  )

  it.effect("hides a reply and shows it again, in values that Threads has", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      const { id } = yield* sandbox.comment({ network, from: "Ada", text: "hi" })
      const state = Effect.map(ask(network, "GET", `/${id}`, { query: { fields: "hide_status" } }), ({ body }) =>
        at(body, "hide_status")
      )
      assert.strictEqual(yield* state, "NOT_HUSHED")
      assert.deepStrictEqual((yield* ask(network, "POST", `/${id}/manage_reply`, { form: { hide: "true" } })).body, {
        success: true
      })
      assert.strictEqual(yield* state, "HIDDEN")
      yield* ask(network, "POST", `/${id}/manage_reply`, { form: { hide: "false" } })
      assert.strictEqual(yield* state, "UNHUSHED")
    })
  )
})
