import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, ids, listAt, served, textAt, walk } from "./served.ts"

const network = "instagram"

/** Beside each message that comes in there is an edit of number 0, before or after it. */
const isMessage = (body: unknown) => at(body, "entry", 0, "messaging", 0, "message") !== undefined

describe("Sandbox: Instagram", () => {
  it.effect("names the account by both its ids, and lists its posts under either", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      const me = yield* ask(network, "GET", "/me", { query: { fields: "id,user_id,username" } })
      assert.strictEqual(at(me.body, "user_id"), ids[network])
      assert.notStrictEqual(at(me.body, "id"), ids[network])
      assert.deepStrictEqual((yield* ask(network, "GET", "/me")).body, { id: at(me.body, "id") })
      for (let i = 1; i <= 30; i++) yield* sandbox.post({ network, text: `post ${i}` })
      for (const id of ["me", textAt(me.body, "id"), String(ids[network])]) {
        const { body } = yield* ask(network, "GET", `/${id}/media`, { query: { fields: "caption", limit: "2" } })
        assert.deepStrictEqual(
          listAt(body, "data").map((one) => at(one, "caption")),
          ["post 30", "post 29"]
        )
      }
      const { all, pages } = yield* walk((after) =>
        ask(network, "GET", "/me/media", { query: { limit: "10", ...after } })
      )
      // The standing post is the oldest.
      assert.deepStrictEqual([pages, new Set(all.map((one) => at(one, "id"))).size], [4, 31])
    })
  )

  it.effect("lists top comments newest first with their answers, 50 at most, and only what is asked for", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      const first = yield* sandbox.comment({ network, from: "Ada", text: "first" })
      yield* sandbox.comment({ network, from: "Bo", text: "answer", parentId: first.id })
      for (let i = 1; i <= 60; i++) yield* sandbox.comment({ network, from: "Cy", text: `more ${i}` })
      const media = textAt((yield* ask(network, "GET", "/me/media")).body, "data", 0, "id")
      const fields = "id,text,from{id},replies{id,text,parent_id,from{username}}"
      const page = yield* ask(network, "GET", `/${media}/comments`, { query: { fields, limit: "200" } })
      assert.strictEqual(listAt(page.body, "data").length, 50)
      assert.deepStrictEqual(at(page.body, "data", 0, "text"), "more 60")
      assert.deepStrictEqual(Object.keys(at(page.body, "data", 0, "from") ?? {}), ["id"])
      assert.isUndefined(at(page.body, "data", 0, "replies"))
      assert.isUndefined(at(page.body, "data", 0, "timestamp"))
      const rest = yield* ask(network, "GET", `/${media}/comments`, {
        query: { fields, after: textAt(page.body, "paging", "cursors", "after") }
      })
      assert.isUndefined(at(rest.body, "paging", "next"))
      const last = listAt(rest.body, "data").at(-1)
      assert.strictEqual(at(last, "id"), first.id)
      assert.deepStrictEqual(at(last, "replies", "data", 0, "from"), {
        id: at(last, "replies", "data", 0, "from", "id"),
        username: "bo"
      })
      assert.strictEqual(at(last, "replies", "data", 0, "parent_id"), first.id)
      const replies = yield* ask(network, "GET", `/${first.id}/replies`, { query: { fields: "text" } })
      assert.deepStrictEqual(
        listAt(replies.body, "data").map((one) => at(one, "text")),
        ["answer"]
      )
      // A cursor outlives what it points to.
      yield* sandbox.remove({ network, id: textAt(page.body, "data", 49, "id") })
      const again = yield* ask(network, "GET", `/${media}/comments`, {
        query: { after: textAt(page.body, "paging", "cursors", "after") }
      })
      assert.deepStrictEqual(at(again.body, "data", 0, "id"), at(rest.body, "data", 0, "id"))
    })
  )

  it.effect("answers a comment under its top comment, and tells of it as the account's own", () =>
    Effect.gen(function* () {
      const { ask, control, sandbox, told } = yield* served()
      const top = yield* sandbox.comment({ network, from: "Ada", text: "top" })
      const answer = yield* sandbox.comment({ network, from: "Bo", text: "answer", parentId: top.id })
      const sent = yield* ask(network, "POST", `/${answer.id}/replies`, { form: { message: "@bo thanks" } })
      assert.strictEqual(sent.status, 200)
      const shown = yield* ask(network, "GET", `/${textAt(sent.body, "id")}`, {
        query: { fields: "text,parent_id,from" }
      })
      assert.deepStrictEqual(at(shown.body, "parent_id"), top.id)
      assert.deepStrictEqual(at(shown.body, "from", "id"), ids[network])
      const value = at((yield* told).at(-1), "entry", 0, "changes", 0, "value")
      assert.strictEqual(at(value, "id"), at(sent.body, "id"))
      assert.isString(at(value, "from", "self_ig_scoped_id"))
      const { body } = yield* control("sent")
      assert.deepStrictEqual(listAt(body).length, 1)
      assert.deepStrictEqual([at(body, 0, "text"), at(body, 0, "in_reply_to", "text")], ["@bo thanks", "top"])
      assert.strictEqual(
        codeOf(yield* ask(network, "POST", `/${top.id}/replies`, { form: { message: "é".repeat(2_201) } })),
        "400 100"
      )
      assert.strictEqual(
        (yield* ask(network, "POST", `/${top.id}/replies`, { form: { message: "é".repeat(2_200) } })).status,
        200
      )
      assert.strictEqual(codeOf(yield* ask(network, "POST", "/178/replies", { form: { message: "hi" } })), "400 100/33")
      yield* sandbox.hide({ network, id: top.id, isHidden: true })
      assert.strictEqual(
        codeOf(yield* ask(network, "POST", `/${top.id}/replies`, { form: { message: "hi" } })),
        "400 100"
      )
    })
  )

  it.effect("lists conversations by their newest message, and details of the 20 newest messages alone", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      const first = yield* sandbox.message({ network, from: "Ada", text: "first" })
      for (let i = 1; i <= 24; i++) yield* sandbox.message({ network, from: "Ada", text: `more ${i}` })
      yield* sandbox.message({ network, from: "Bo", text: "hello" })
      const gone = yield* sandbox.message({ network, from: "Bo", text: "oh no" })
      yield* sandbox.remove({ network, id: gone.id })
      const query = { platform: "instagram", fields: "updated_time,participants" }
      const list = yield* ask(network, "GET", "/me/conversations", { query })
      const [bo, ada] = listAt(list.body, "data")
      assert.deepStrictEqual(
        listAt(bo, "participants", "data").map((one) => at(one, "username")),
        ["bo", "our_instagram"]
      )
      const one = yield* ask(network, "GET", "/me/conversations", {
        query: { ...query, user_id: textAt(ada, "participants", "data", 0, "id") }
      })
      assert.deepStrictEqual(listAt(one.body, "data"), [ada])
      const fields = "messages.limit(50){id,created_time,from,to,message}"
      const talk = yield* ask(network, "GET", `/${textAt(ada, "id")}`, { query: { fields } })
      const messages = listAt(talk.body, "messages", "data")
      assert.strictEqual(messages.length, 25)
      assert.strictEqual(at(messages[0], "message"), "more 24")
      assert.strictEqual(at(messages[19], "message"), "more 5")
      assert.isUndefined(at(messages[20], "message"))
      assert.strictEqual(at(messages[24], "id"), first.id)
      assert.strictEqual((yield* ask(network, "GET", `/${textAt(messages[19], "id")}`)).status, 200)
      // It must not be taken for gone.
      assert.strictEqual(codeOf(yield* ask(network, "GET", `/${first.id}`)), "400 100")
      assert.strictEqual(codeOf(yield* ask(network, "GET", `/${gone.id}`)), "400 100/33")
      const edge = yield* ask(network, "GET", `/${textAt(bo, "id")}/messages`, { query: { fields: "message" } })
      assert.deepStrictEqual(
        listAt(edge.body, "data").map((one) => at(one, "message")),
        ["hello"]
      )
    })
  )

  it.effect("takes a message for 24 hours, of 1,000 bytes, to who wrote; its echo has the same id", () =>
    Effect.gen(function* () {
      const { ask, sandbox, told } = yield* served()
      yield* sandbox.message({ network, from: "Ada", text: "hi" })
      const person = textAt((yield* told).find(isMessage), "entry", 0, "messaging", 0, "sender", "id")
      const send = (text: string, to = person) =>
        ask(network, "POST", "/me/messages", { json: { recipient: { id: to }, message: { text } } })
      assert.strictEqual(codeOf(yield* send("é".repeat(501))), "400 100")
      const sent = yield* send("é".repeat(500))
      const echo = at((yield* told).at(-1), "entry", 0, "messaging", 0)
      assert.deepStrictEqual(
        [at(echo, "message", "mid"), at(echo, "message", "is_echo")],
        [at(sent.body, "message_id"), true]
      )
      assert.deepStrictEqual([at(echo, "sender", "id"), at(echo, "recipient", "id")], [ids[network], person])
      assert.strictEqual(codeOf(yield* send("hi", "5123")), "400 100/2534014")
      yield* TestClock.adjust("24 hours")
      assert.strictEqual((yield* send("still")).status, 200)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(codeOf(yield* send("too late")), "400 10/2534022")
    })
  )

  it.effect("sends an edit of number 0 beside each message that comes in, with or without its people", () =>
    Effect.gen(function* () {
      const { sandbox, told } = yield* served()
      const ids: Array<string> = []
      for (let i = 0; i < 12; i++) ids.push((yield* sandbox.message({ network, from: "Ada", text: "hi" })).id)
      const elements = (yield* told).map((body) => at(body, "entry", 0, "messaging", 0))
      const edits = elements.filter((one) => at(one, "message_edit") !== undefined)
      assert.deepStrictEqual(
        edits.map((one) => at(one, "message_edit")),
        ids.map((mid) => ({ mid, num_edit: 0 }))
      )
      assert.strictEqual(new Set(edits.map((one) => at(one, "sender") === undefined)).size, 2)
      const isFirst = (mid: string) => {
        const places = elements.map((one) => at(one, "message", "mid") ?? at(one, "message_edit", "mid"))
        return at(elements[places.indexOf(mid)], "message") !== undefined
      }
      assert.strictEqual(new Set(ids.map(isFirst)).size, 2)
    })
  )

  it.effect("shows comments on ads and live videos in no list, and not by their ids", () =>
    Effect.gen(function* () {
      const { ask, sandbox, told } = yield* served()
      const ad = yield* sandbox.comment({ network, text: "on an ad", surface: "ad" })
      const live = yield* sandbox.comment({ network, text: "live", surface: "live" })
      const [first, second] = (yield* told).map((body) => at(body, "entry", 0, "changes", 0))
      assert.deepStrictEqual([at(first, "field"), at(second, "field")], ["comments", "live_comments"])
      assert.strictEqual(at(first, "value", "media", "media_product_type"), "AD")
      assert.isDefined(at(first, "value", "media", "original_media_id"))
      const media = yield* ask(network, "GET", "/me/media", { query: { fields: "comments_count" } })
      assert.deepStrictEqual(
        listAt(media.body, "data").map((one) => at(one, "comments_count")),
        [0]
      )
      for (const { id } of [ad, live]) assert.strictEqual(codeOf(yield* ask(network, "GET", `/${id}`)), "400 100/33")
      const answered = yield* ask(network, "POST", `/${ad.id}/replies`, { form: { message: "yes" } })
      assert.strictEqual(codeOf(yield* ask(network, "GET", `/${textAt(answered.body, "id")}`)), "400 100/33")
    })
  )

  it.effect("without access has empty lists, and counts that say otherwise", () =>
    Effect.gen(function* () {
      const { ask, control, sandbox } = yield* served()
      const { id } = yield* sandbox.comment({ network, text: "one" })
      yield* sandbox.message({ network, text: "two" })
      yield* control("settings", { empty_lists: true })
      const media = yield* ask(network, "GET", "/me/media", { query: { fields: "comments_count" } })
      assert.deepStrictEqual(at(media.body, "data", 0, "comments_count"), 1)
      const comments = yield* ask(network, "GET", `/${textAt(media.body, "data", 0, "id")}/comments`)
      const talks = yield* ask(network, "GET", "/me/conversations", { query: { platform: "instagram" } })
      assert.deepStrictEqual([comments.body, talks.body], [{ data: [] }, { data: [] }])
      assert.strictEqual(codeOf(yield* ask(network, "GET", `/${id}`)), "400 100/33")
    })
  )

  it.effect("tells of a person who has written, and refuses fields that nobody has", () =>
    Effect.gen(function* () {
      const { ask, sandbox, told } = yield* served()
      yield* sandbox.comment({ network, from: "Shy", text: "hi" })
      yield* sandbox.message({ network, from: "Ada Lind", text: "hi" })
      const [shy] = yield* told
      const ada = (yield* told).find(isMessage)
      const fields = "name,username,profile_pic"
      const refused = yield* ask(network, "GET", `/${textAt(shy, "entry", 0, "changes", 0, "value", "from", "id")}`, {
        query: { fields }
      })
      assert.strictEqual(codeOf(refused), "400 230")
      const person = yield* ask(network, "GET", `/${textAt(ada, "entry", 0, "messaging", 0, "sender", "id")}`, {
        query: { fields }
      })
      assert.deepStrictEqual([at(person.body, "name"), at(person.body, "username")], ["Ada Lind", "ada_lind"])
      const media = textAt((yield* ask(network, "GET", "/me/media")).body, "data", 0, "id")
      const context = yield* ask(network, "GET", `/${media}`, {
        query: {
          fields: "id,caption,media_type,media_url,thumbnail_url,permalink,timestamp,username,children{media_type}"
        }
      })
      assert.deepStrictEqual(at(context.body, "media_type"), "IMAGE")
      assert.isUndefined(at(context.body, "children"))
      assert.strictEqual(codeOf(yield* ask(network, "GET", `/${media}`, { query: { fields: "colour" } })), "400 100")
      assert.strictEqual(codeOf(yield* ask(network, "GET", `/${media}`, { query: { fields: "id,from{" } })), "400 100")
      const subscribed = yield* ask(network, "POST", "/me/subscribed_apps", {
        query: { subscribed_fields: "comments" }
      })
      assert.deepStrictEqual(subscribed.body, { success: true })
    })
  )

  it.effect("tells an edit of number 0 instead of a message, where one says so", () =>
    Effect.gen(function* () {
      const { ask, control, told } = yield* served()
      const faults = { is_edit_only: true }
      const { body, status } = yield* control("message", { network, from: "Ada", text: "hi", faults })
      assert.deepStrictEqual([status, at(body, "is_told")], [201, true])
      assert.deepStrictEqual(
        (yield* told).map((one) => at(one, "entry", 0, "messaging", 0, "message_edit")),
        [{ mid: textAt(body, "id"), num_edit: 0 }]
      )
      const read = yield* ask(network, "GET", `/${textAt(body, "id")}`, { query: { fields: "message" } })
      assert.strictEqual(at(read.body, "message"), "hi")
    })
  )
})
