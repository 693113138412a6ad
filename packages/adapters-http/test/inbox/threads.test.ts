import { assert, describe, layer } from "@effect/vitest"
import { noon } from "@loopbox/testing/fixtures/activities"
import { DateTime, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { codeOf, pathsOf, server } from "../support.ts"
import {
  addManagedUser,
  comment,
  connectAccount,
  entriesOf,
  inbox,
  listedBy,
  makeInbox,
  scopes
} from "./inboxSupport.ts"

const { workspace } = scopes

/** Minutes after noon. */
const at = (minutes: number) => DateTime.add(noon, { minutes })

/** Threads `one` (three items), `two` (two) and `own`, in which nobody else has written; the newest is `two`. */
const makeThreads = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(at(60)))
  const made = yield* makeInbox()
  const account = yield* connectAccount(made.id, "u1")
  for (const [minute, name] of ["a", "b", "c"].entries()) {
    yield* comment(account, [name], { threadKey: "one", receivedAt: at(minute) })
  }
  yield* comment(account, ["o"], { threadKey: "own", isOwn: true, receivedAt: at(5) })
  yield* comment(account, ["d"], { threadKey: "two", receivedAt: at(6) })
  yield* comment(account, ["e"], {
    threadKey: "two",
    receivedAt: at(7),
    author: { id: Option.some("bob"), username: Option.some("bob") }
  })
  const threads = (query = workspace) =>
    Effect.map(inbox("GET", "/threads", query, { key: made.key }), ({ body }) => entriesOf(body))
  const keys = (query: string) =>
    Effect.map(threads(`${workspace}&${query}`), (all) => all.map((thread) => String(thread["thread_key"])))
  const ids = new Map((yield* threads()).map((thread) => [String(thread["thread_key"]), String(thread["id"])]))
  const idOf = (name: string) => ids.get(name) ?? "none"
  return { ...made, account, threads, keys, idOf }
})

describe("/v1/inbox/threads (api-2.md §14)", () => {
  layer(server)((it) => {
    it.effect("shows a thread with every member, in a list and alone", () =>
      Effect.gen(function* () {
        const { account, idOf, key, threads } = yield* makeThreads
        const [two] = yield* threads(`${scopes.user("u1")}&limit=1`)
        const { created_at, id, last_item, ...thread } = { ...two }
        assert.match(String(id), /^thr_/)
        assert.match(String(created_at), /^\d{4}-/)
        assert.deepInclude<unknown>(last_item, { external_id: "e", thread_id: id, body: "Hello" })
        assert.deepEqual<unknown>(thread, {
          thread_key: "two",
          source: "ig_comment",
          social_account_id: account.id,
          account: { id: account.id, network: "instagram", name: "The Page", avatar_url: null },
          external_user_id: "u1",
          thread_status: "open",
          assigned_to: null,
          snoozed_until: null,
          labels: [],
          unread_count: 2,
          item_count: 2,
          last_item_at: "2026-11-21T12:07:00.000Z",
          last_inbound_at: "2026-11-21T12:07:00.000Z",
          reply_window: null,
          participants: [
            { author_id: "bob", author_name: "bob", author_avatar_url: null },
            { author_id: "ann", author_name: "ann", author_avatar_url: null }
          ],
          post_id: null,
          linked_post_id: null
        })
        const found = yield* inbox("GET", `/threads/${idOf("two")}`, workspace, { key })
        assert.deepEqual<unknown>(found.body["data"], two)
        const own = yield* inbox("GET", `/threads/${idOf("own")}`, workspace, { key })
        assert.deepInclude<unknown>(own.body["data"], {
          item_count: 1,
          unread_count: 0,
          last_inbound_at: null,
          participants: []
        })
      })
    )
    it.effect("is moved and snoozed, found by what it is, and comes back when somebody writes", () =>
      Effect.gen(function* () {
        const { account, idOf, key, keys } = yield* makeThreads
        const move = (name: string, json: object) =>
          Effect.map(
            inbox("POST", `/threads/${idOf(name)}/state`, workspace, { key, json }),
            ({ body }) => body["data"]
          )
        assert.deepInclude<unknown>(yield* move("one", { thread_status: "assigned", assigned_to: "kim" }), {
          thread_status: "assigned",
          assigned_to: "kim"
        })
        assert.deepInclude<unknown>(yield* move("own", { thread_status: "resolved", assigned_to: "kim" }), {
          thread_status: "resolved",
          assigned_to: "kim"
        })
        const until = "2026-11-21T14:00:00.000Z"
        assert.deepInclude<unknown>(yield* move("one", { thread_status: "assigned", snoozed_until: until }), {
          assigned_to: "kim",
          snoozed_until: until
        })
        assert.deepEqual(yield* keys("thread_status=open"), ["two"])
        assert.deepEqual(yield* keys("thread_status=assigned"), [])
        assert.deepEqual(yield* keys("thread_status=snoozed"), ["one"])
        assert.deepEqual(yield* keys("assigned_to=kim"), ["own", "one"])
        assert.deepEqual(yield* keys("assigned_to=none"), ["two"])
        assert.deepEqual(yield* keys("is_unread=false"), ["own"])
        assert.deepEqual(yield* keys(`source=ig_comment&social_account_id=${account.id}&is_unread=true`), [
          "two",
          "one"
        ])
        assert.deepEqual(yield* keys("source=ig_dm"), [])
        assert.deepEqual(yield* keys("q=hel&assigned_to=none"), ["two"])
        assert.deepEqual(yield* keys("q=absent"), [])

        // Nobody is named by an empty name, and what it left out stays.
        assert.deepInclude<unknown>(yield* move("one", { thread_status: "assigned", assigned_to: "" }), {
          assigned_to: null,
          snoozed_until: until
        })
        yield* comment(account, ["f"], { threadKey: "one", receivedAt: at(61) })
        assert.deepEqual(yield* keys("thread_status=assigned"), ["one"])
        const again = yield* move("one", { thread_status: "open", snoozed_until: null })
        assert.deepInclude<unknown>(again, { thread_status: "open", snoozed_until: null, item_count: 4 })
      })
    )
    it.effect("says of each wrong member what is wrong, both ends of a snooze too", () =>
      Effect.gen(function* () {
        const { idOf, key } = yield* makeThreads
        const faults: ReadonlyArray<readonly [json: unknown, paths: ReadonlyArray<string>]> = [
          [{ thread_status: "open", assigned_to: "kim" }, ["assigned_to"]],
          [{ thread_status: "resolved", assigned_to: "none", label: "x" }, ["assigned_to", "label"]],
          [
            { thread_status: "snoozed", snoozed_until: "soon", label: "x" },
            ["thread_status", "snoozed_until", "label"]
          ],
          [{ thread_status: "open", snoozed_until: "2026-11-21T13:00:59.999Z" }, ["snoozed_until"]],
          [{ thread_status: "open", snoozed_until: "2027-02-19T13:00:00.001Z" }, ["snoozed_until"]],
          [{ thread_status: "resolved", snoozed_until: "2026-11-22T13:00:00Z" }, ["snoozed_until"]],
          [
            { thread_status: "open", assigned_to: "kim", snoozed_until: "2026-11-21T13:00:59.999Z", label: "x" },
            ["assigned_to", "snoozed_until", "label"]
          ],
          [{}, ["thread_status"]]
        ]
        const path = `/threads/${idOf("one")}/state`
        for (const [json, paths] of faults) {
          const answer = yield* inbox("POST", path, workspace, { key, json })
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", JSON.stringify(json))
          assert.sameMembers([...pathsOf(answer)], [...paths], JSON.stringify(json))
        }
        for (const snoozed_until of ["2026-11-21T13:01:00Z", "2027-02-19T13:00:00Z"]) {
          const answer = yield* inbox("POST", path, workspace, { key, json: { thread_status: "open", snoozed_until } })
          assert.strictEqual(answer.status, 200, snoozed_until)
        }
        const query = "limit=101&thread_status=closed&is_unread=yes&label&cursor=x&q=x"
        const list = yield* inbox("GET", "/threads", `${workspace}&${query}`, { key })
        assert.strictEqual(codeOf(list), "400 VALIDATION_ERROR")
        assert.includeMembers([...pathsOf(list)], ["limit", "thread_status", "is_unread", "cursor", "q"])
      })
    )
  })

  layer(server)((it) => {
    it.effect("gives its items in both orders by pages, and marks them read together", () =>
      Effect.gen(function* () {
        const { idOf, key } = yield* makeThreads
        const path = `/threads/${idOf("one")}`
        const walk = Effect.fnUntraced(function* (order: string) {
          const names: Array<string> = []
          let cursor = ""
          do {
            const { body } = yield* inbox("GET", `${path}/items`, `${workspace}&limit=2${order}${cursor}`, { key })
            names.push(...entriesOf(body).map((item) => String(item["external_id"])))
            const next: unknown = body["next_cursor"]
            cursor = typeof next === "string" ? `&cursor=${next}` : ""
          } while (cursor !== "")
          return names
        })
        assert.deepEqual(yield* walk(""), ["c", "b", "a"])
        assert.deepEqual(yield* walk("&order=oldest"), ["a", "b", "c"])
        // Newest first is what is meant where no order is named, by a cursor, too.
        const newest = yield* inbox("GET", `${path}/items`, `${workspace}&limit=2&order=newest`, { key })
        const unnamed = `${workspace}&limit=2&cursor=${String(newest.body["next_cursor"])}`
        const [oldest] = entriesOf((yield* inbox("GET", `${path}/items`, unnamed, { key })).body)
        assert.strictEqual<unknown>(oldest?.["external_id"], "a")

        const read = () => inbox("POST", `${path}/read`, workspace, { key })
        assert.deepEqual<unknown>((yield* read()).body["data"], { marked: 3 })
        assert.deepEqual<unknown>((yield* read()).body["data"], { marked: 0 })
        assert.deepInclude<unknown>((yield* inbox("GET", path, workspace, { key })).body["data"], { unread_count: 0 })
        assert.sameMembers([...(yield* listedBy(key, `${workspace}&is_read=false&is_own=false`))], ["e", "d"])
      })
    )
    it.effect("are walked once each by cursors that belong to their list alone", () =>
      Effect.gen(function* () {
        const { idOf, key } = yield* makeThreads
        const page = (query: string) => inbox("GET", "/threads", `${workspace}&${query}`, { key })
        const first = yield* page("limit=2")
        const cursor = String(first.body["next_cursor"])
        const second = yield* page(`limit=100&cursor=${cursor}`)
        const keysOf = (answer: typeof first) => entriesOf(answer.body).map((thread) => String(thread["thread_key"]))
        assert.deepEqual([keysOf(first), keysOf(second)], [["two", "own"], ["one"]])
        assert.isNull(second.body["next_cursor"])
        for (const [path, query] of [
          ["/threads", `${workspace}&is_unread=true&cursor=${cursor}`],
          ["/threads", `${workspace}&q=hello&cursor=${cursor}`],
          ["/threads", `${scopes.user("u1")}&cursor=${cursor}`],
          [`/threads/${idOf("one")}/items`, `${workspace}&cursor=${cursor}`],
          ["", `${workspace}&cursor=${cursor}`]
        ] as const) {
          const answer = yield* inbox("GET", path, query, { key })
          assert.deepEqual([codeOf(answer), ...pathsOf(answer)], ["400 VALIDATION_ERROR", "cursor"], path)
        }
      })
    )
    it.effect("are given labels, found by them however they are spelled, and counted by them", () =>
      Effect.gen(function* () {
        const { idOf, key, keys } = yield* makeThreads
        const put = (name: string, json: unknown) =>
          inbox("PUT", `/threads/${idOf(name)}/labels`, workspace, { key, json })
        const first = yield* put("one", { labels: ["VIP", "Größe", "vip"] })
        assert.deepInclude<unknown>(first.body["data"], { thread_key: "one", labels: ["VIP", "Größe"] })
        yield* put("two", { labels: ["größe"] })
        assert.deepEqual(yield* keys(`label=${encodeURIComponent("GRÖSSE")}`), ["two", "one"])
        assert.deepEqual(yield* keys("label=vip&thread_status=open"), ["one"])
        assert.deepEqual(yield* keys("label=absent"), [])
        const listed = yield* inbox("GET", "/labels", workspace, { key })
        assert.isNull(listed.body["next_cursor"])
        const labels = Effect.map(inbox("GET", "/labels", workspace, { key }), ({ body }) => body["data"])
        assert.deepEqual<unknown>(yield* labels, [
          { label: "Größe", open_threads: 2 },
          { label: "VIP", open_threads: 1 }
        ])
        assert.deepInclude<unknown>((yield* put("one", { labels: [] })).body["data"], { labels: [] })
        assert.deepEqual<unknown>(yield* labels, [{ label: "größe", open_threads: 1 }])

        const long = "x".repeat(51)
        for (const [json, paths] of [
          [{ labels: ["ok", "", "  ", long] }, ["labels[1]", "labels[2]", "labels[3]"]],
          [{ labels: Array.from({ length: 21 }, String) }, ["labels"]],
          [{ labels: [...Array.from({ length: 20 }, String), ""], colour: 1 }, ["colour", "labels[20]", "labels"]],
          [{ labels: "VIP", colour: 1 }, ["colour", "labels"]],
          [{}, ["labels"]]
        ] as const) {
          const answer = yield* put("one", json)
          assert.deepEqual([codeOf(answer), ...pathsOf(answer)], ["400 VALIDATION_ERROR", ...paths])
        }
        const many = yield* put("one", { labels: Array.from({ length: 21 }, String) })
        assert.strictEqual<unknown>(
          many.body["error"]?.["message"],
          "The request is not valid: labels must have at most 20 entries."
        )
        for (const [path, query, fault] of [
          ["/threads", `${workspace}&label=`, "label"],
          ["/threads", `${workspace}&label=${long}`, "label"],
          ["/labels", `${workspace}&limit=5`, "limit"]
        ] as const) {
          const answer = yield* inbox("GET", path, query, { key })
          assert.deepEqual([codeOf(answer), ...pathsOf(answer)], ["400 VALIDATION_ERROR", fault])
        }
      })
    )
    it.effect("have notes, oldest first, which no network sees", () =>
      Effect.gen(function* () {
        const { idOf, key } = yield* makeThreads
        const notes = `/threads/${idOf("one")}/notes`
        const add = (json: unknown, options: object = { key }) => inbox("POST", notes, workspace, { ...options, json })
        const text = " Ask first.\n"
        const first = yield* add({ text, author: "kim" })
        assert.strictEqual(first.status, 201, first.text)
        const { created_at, id: noteId, ...note } = Object(first.body["data"])
        assert.match(noteId, /^note_/)
        assert.match(created_at, /Z$/)
        assert.deepEqual(note, { thread_id: idOf("one"), text, author: "kim" })
        yield* TestClock.adjust("1 minute")
        assert.deepInclude<unknown>((yield* add({ text: "no name", author: null })).body["data"], { author: null })
        const page = yield* inbox("GET", notes, `${workspace}&limit=1`, { key })
        assert.deepEqual(entriesOf(page.body), [Object(first.body["data"])])
        const rest = yield* inbox("GET", notes, `${workspace}&cursor=${String(page.body["next_cursor"])}`, { key })
        assert.deepEqual(
          entriesOf(rest.body).map((one) => String(one["text"])),
          ["no name"]
        )
        const other = `/threads/${idOf("two")}/notes`
        const foreign = yield* inbox("GET", other, `${workspace}&cursor=${String(page.body["next_cursor"])}`, { key })
        assert.deepEqual([codeOf(foreign), ...pathsOf(foreign)], ["400 VALIDATION_ERROR", "cursor"])

        for (const [json, paths] of [
          [{ text: " ", author: "" }, ["text", "author"]],
          [{ text: "x".repeat(10_001), author: "x".repeat(101) }, ["text", "author"]],
          [{ author: 5 }, ["author", "text"]]
        ] as const) {
          const answer = yield* add(json)
          assert.deepEqual(
            [codeOf(answer), ...pathsOf(answer).toSorted()],
            ["400 VALIDATION_ERROR", ...paths.toSorted()]
          )
        }
        const remove = (path: string) => inbox("DELETE", path, workspace, { key })
        assert.deepEqual(codeOf(yield* remove(`${other}/${noteId}`)), "404 NOT_FOUND")
        assert.strictEqual((yield* remove(`${notes}/${noteId}`)).status, 204)
        assert.deepEqual(codeOf(yield* remove(`${notes}/${noteId}`)), "404 NOT_FOUND")
      })
    )
    it.effect("filter the items of the inbox, and are absent outside of their scope", () =>
      Effect.gen(function* () {
        const { account, id, idOf, key } = yield* makeThreads
        const one = idOf("one")
        assert.deepEqual(yield* listedBy(key, `${workspace}&thread_id=${one}`), ["c", "b", "a"])
        assert.deepEqual(yield* listedBy(key, `${workspace}&thread_id=${one}&thread_key=two`), [])
        assert.deepEqual(
          yield* listedBy(
            key,
            `${workspace}&thread_id=${one}&social_account_id=${account.id}&received_after=2026-11-21T12:01:00Z`
          ),
          ["c", "b"]
        )
        assert.deepEqual(yield* listedBy(key, `${workspace}&thread_id=thr_00000000000000000000000000`), [])
        const malformed = yield* inbox("GET", "", `${workspace}&thread_id=itm_1`, { key })
        assert.deepEqual([codeOf(malformed), ...pathsOf(malformed)], ["400 VALIDATION_ERROR", "thread_id"])

        yield* addManagedUser(id, "u2")
        const other = yield* makeInbox()
        const json = { thread_status: "nonsense" }
        for (const [method, path, options] of [
          ["GET", "", {}],
          ["GET", "/items", {}],
          ["POST", "/read", {}],
          // Before what is asked of it is looked at.
          ["POST", "/state", { json }],
          ["PUT", "/labels", { json }],
          ["GET", "/notes", {}],
          ["POST", "/notes", { json }],
          ["DELETE", "/notes/note_1", {}]
        ] as const) {
          const paths = [`/threads/${one}${path}`, `/threads/nothing${path}`]
          const answers = [
            yield* inbox(method, paths[0] ?? "", scopes.user("u2"), { key, ...options }),
            yield* inbox(method, paths[0] ?? "", workspace, { key: other.key, ...options }),
            yield* inbox(method, paths[1] ?? "", workspace, { key, ...options })
          ]
          assert.deepEqual(
            answers.map(codeOf),
            ["404 NOT_FOUND", "404 NOT_FOUND", "404 NOT_FOUND"],
            `${method} ${path}`
          )
        }
        for (const path of ["/items", "/notes"]) {
          const wrong = "limit=0&cursor=x&colour=red"
          const stranger = yield* inbox("GET", `/threads/${one}${path}`, `${scopes.user("u2")}&${wrong}`, { key })
          assert.strictEqual(codeOf(stranger), "404 NOT_FOUND", path)
          const nothing = yield* inbox("GET", `/threads/nothing${path}`, `${workspace}&${wrong}`, { key })
          assert.strictEqual(codeOf(nothing), "404 NOT_FOUND", path)
          const own = yield* inbox("GET", `/threads/${one}${path}`, `${workspace}&${wrong}`, { key })
          assert.strictEqual(codeOf(own), "400 VALIDATION_ERROR", path)
        }
      })
    )
  })
})
