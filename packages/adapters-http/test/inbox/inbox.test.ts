import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { noon } from "@loopbox/testing/fixtures/activities"
import { comment, connectAccount, entriesOf, inbox, itemId, listedBy, makeInbox, scopes } from "./inboxSupport.ts"
import { codeOf, pathsOf, server } from "../support.ts"

const { workspace } = scopes

/** Five comments, one a minute: e the newest. */
const makeFive = Effect.gen(function* () {
  const made = yield* makeInbox()
  const account = yield* connectAccount(made.id, "u1")
  for (const [minute, name] of ["a", "b", "c", "d", "e"].entries()) {
    yield* comment(account, [name], { receivedAt: DateTime.add(noon, { minutes: minute }) })
  }
  return { ...made, account }
})

describe("GET /v1/inbox (api.md §3)", () => {
  layer(server)((it) => {
    it.effect("shows items with every member", () =>
      Effect.gen(function* () {
        // What may be done with an item depends on how old it is.
        yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.add(noon, { minutes: 5 })))
        const { account, id, key } = yield* makeFive
        const { body } = yield* inbox("GET", "", `${workspace}&limit=1`, { key })
        const [item] = entriesOf(body)
        assert.deepEqual<unknown>(
          { ...item, id: "", created_at: "", thread_id: String(item?.["thread_id"]).slice(0, 4) },
          {
            id: "",
            workspace_id: id,
            external_user_id: "u1",
            source: "ig_comment",
            social_account_id: account.id,
            account: { id: account.id, network: "instagram", name: "The Page", avatar_url: null },
            external_id: "e",
            parent_external_id: null,
            linked_post_id: null,
            thread_id: "thr_",
            thread_key: "e",
            thread_status: "open",
            assigned_to: null,
            author_id: "ann",
            author_name: "ann",
            author_avatar_url: null,
            body: "Hello",
            attachments: [],
            url: null,
            is_read: false,
            is_own: false,
            is_hidden: false,
            is_liked: false,
            private_replied_at: null,
            // The account's permissions say nothing of what it may do.
            capabilities: ["reply", "hide", "delete", "like", "private_reply"],
            reply_window: null,
            post_id: null,
            received_at: "2026-11-21T12:04:00.000Z",
            created_at: "",
            edited_at: null
          }
        )
        const found = yield* inbox("GET", `/${String(item?.["id"])}`, scopes.user("u1"), { key })
        assert.deepEqual<unknown>(found.body["data"], item)
      })
    )
  })

  layer(server, { excludeTestServices: true })((it) => {
    it.effect("filters by each member, and by several", () =>
      Effect.gen(function* () {
        const { account, key } = yield* makeFive
        yield* comment(account, ["mine"], { isOwn: true, receivedAt: DateTime.add(noon, { minutes: 9 }) })
        yield* inbox("POST", `/${yield* itemId(key, "b")}/read`, workspace, { key })
        const kim = { thread_status: "assigned", assigned_to: "kim" }
        yield* inbox("POST", `/${yield* itemId(key, "c")}/thread-state`, workspace, { key, json: kim })
        const cases: ReadonlyArray<readonly [query: string, names: ReadonlyArray<string>]> = [
          ["", ["mine", "e", "d", "c", "b", "a"]],
          ["source=ig_dm", []],
          ["source=ig_comment&is_own=true", ["mine"]],
          ["is_read=true", ["mine", "b"]],
          ["is_read=false&limit=500", ["e", "d", "c", "a"]],
          ["thread_status=assigned", ["c"]],
          ["assigned_to=kim", ["c"]],
          ["assigned_to=none&is_read=false", ["e", "d", "a"]],
          ["thread_key=d", ["d"]],
          [`social_account_id=${account.id}&is_own=false&limit=2`, ["e", "d"]],
          ["social_account_id=acc_00000000000000000000000000", []],
          ["received_after=2026-11-21T12:03:00Z", ["mine", "e", "d"]],
          ["received_before=2026-11-21T13:02:00.000%2B01:00", ["b", "a"]],
          ["received_after=2026-11-21t12:01:00.5z&received_before=2026-11-21T12:04:00Z", ["d", "c"]],
          // As programs write the moment after the newest item that they know.
          ["received_after=2026-11-21T12:03:00.000001Z", ["mine", "e"]],
          ["received_after=2026-11-21T12:03:00.000000000000Z", ["mine", "e", "d"]],
          ["received_before=2026-11-21T12:01:00.0000000001%2B00:00", ["b", "a"]]
        ]
        for (const [query, names] of cases)
          assert.deepEqual(yield* listedBy(key, `${workspace}&${query}`), names, query)
      })
    )
    it.effect("refuses what it does not know, by name and all at once", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const wrong = [
          ...["0", "501", "1e2", "05", "+5", "-1", "", "1.0", "%20 5"].map((value) => `limit=${value}`),
          ...["True", "1", "", "yes"].flatMap((value) => [`is_read=${value}`, `is_own=${value}`]),
          ...["", "IG_COMMENT", "ig"].map((value) => `source=${value}`),
          ...["", "closed"].map((value) => `thread_status=${value}`),
          "thread_key=",
          "thread_id=",
          "post_id=acc_01k9j8kz9e7t5r3p1m9j7g5e3c",
          "assigned_to=",
          `assigned_to=${"x".repeat(257)}`,
          "social_account_id=",
          "social_account_id=me",
          ...["", "now", "2026-11-21", "2026-11-21T12:00:00", "2026-02-30T00:00:00Z", "2026-11-21T24:00:00Z"].flatMap(
            (value) => [`received_after=${value}`, `received_before=${value}`]
          ),
          "received_after=2026-11-21T12:00:00+01:00",
          "received_after=2026-11-21T12:00:00.Z",
          "received_after=2026-11-21T12:00:001Z",
          "is_read=true&is_read=true",
          "is_raed=false",
          "__proto__=x",
          "constructor=x",
          "token=x",
          "cursor=",
          "cursor=AAAA"
        ]
        for (const query of wrong) {
          const answer = yield* inbox("GET", "", `${workspace}&${query}`, { key })
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", query)
          assert.deepEqual([...pathsOf(answer)], [query.slice(0, query.indexOf("="))], query)
        }
        const all = yield* inbox("GET", "", `${workspace}&limit=x&is_read=1&is_raed=1`, { key })
        assert.sameMembers([...pathsOf(all)], ["limit", "is_read", "is_raed"])
        // Elsewhere what is not known is passed over.
        assert.strictEqual((yield* inbox("GET", "/unread-count", `${workspace}&limit=x`, { key })).status, 200)
      })
    )
    it.effect("walks by cursors that hold their scope and filters, and nothing else", () =>
      Effect.gen(function* () {
        const { key } = yield* makeFive
        const page = (query: string) => inbox("GET", "", query, { key })
        const first = yield* page(`${workspace}&limit=2&is_read=false`)
        const cursor = String(first.body["next_cursor"])
        assert.deepEqual(yield* listedBy(key, `${workspace}&is_read=false&cursor=${cursor}`), ["c", "b", "a"])
        const rest = yield* page(`${workspace}&limit=3&is_read=false&cursor=${cursor}`)
        assert.isNull(rest.body["next_cursor"])
        const altered = cursor.slice(0, -2) + (cursor.endsWith("A") ? "BB" : "AA")
        const refused = [
          `${workspace}&cursor=${cursor}`,
          `${workspace}&is_read=true&cursor=${cursor}`,
          `${workspace}&is_read=false&source=ig_comment&cursor=${cursor}`,
          `${scopes.user("u1")}&is_read=false&cursor=${cursor}`,
          `${workspace}&is_read=false&cursor=${altered}`
        ]
        for (const query of refused) {
          const answer = yield* page(query)
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", query)
          assert.deepEqual([...pathsOf(answer)], ["cursor"])
        }
        const other = yield* makeInbox()
        const foreign = yield* inbox("GET", "", `${workspace}&is_read=false&cursor=${cursor}`, { key: other.key })
        assert.strictEqual(codeOf(foreign), "400 VALIDATION_ERROR")
        const timed = yield* page(`${workspace}&limit=1&received_after=2026-11-21T12:00:00Z`)
        const same = `${workspace}&received_after=2026-11-21T13:00:00%2B01:00&cursor=${String(timed.body["next_cursor"])}`
        assert.deepEqual(yield* listedBy(key, same), ["d", "c", "b", "a"])
      })
    )
  })
})

describe("POST /v1/inbox/{id}/read and /thread-state (api.md §3)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("marks once, and again without complaint", () =>
      Effect.gen(function* () {
        const { key } = yield* makeFive
        const path = `/${yield* itemId(key, "a")}`
        for (const body of ["", "{not json"]) {
          const answer = yield* inbox("POST", `${path}/read`, workspace, { key, body })
          assert.strictEqual(answer.status, 204)
          assert.strictEqual(answer.text, "")
        }
        const counted = yield* inbox("GET", "/unread-count", workspace, { key })
        assert.deepEqual<unknown>(counted.body["data"], { count: 4 })
      })
    )
    it.effect("finds items by words; a cursor is good for the words it was given for", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id)
        for (const [name, body] of [
          ["a", "A late parcel"],
          ["b", "The Café is open"],
          ["c", "parcels are late"]
        ] as const) {
          yield* comment(account, [name], { body })
        }
        const found = (q: string) => listedBy(key, `${scopes.workspace}&q=${encodeURIComponent(q)}`)
        assert.deepStrictEqual((yield* found("late parc")).toSorted(), ["a", "c"])
        assert.deepStrictEqual(yield* found("cafe"), ["b"])
        assert.deepStrictEqual(yield* found("nothing"), [])
        const first = yield* inbox("GET", "", `${scopes.workspace}&q=late%20parc&limit=1`, { key })
        const cursor = String(first.body["next_cursor"])
        const rest = yield* inbox("GET", "", `${scopes.workspace}&q=late%20parc&cursor=${cursor}`, { key })
        assert.deepStrictEqual([rest.status, entriesOf(rest.body).length], [200, 1])
        for (const query of ["q=late", "q=late%20parc&is_read=true"]) {
          const refused = yield* inbox("GET", "", `${scopes.workspace}&${query}&cursor=${cursor}`, { key })
          assert.deepStrictEqual(pathsOf(refused), ["cursor"])
        }
        for (const q of ["a", "--", "x".repeat(201)]) {
          assert.deepStrictEqual(pathsOf(yield* inbox("GET", "", `${scopes.workspace}&q=${q}`, { key })), ["q"])
        }
      })
    )

    it.effect("moves a thread, keeping and clearing its name", () =>
      Effect.gen(function* () {
        const { key } = yield* makeFive
        const path = `/${yield* itemId(key, "a")}/thread-state`
        const moves: ReadonlyArray<readonly [json: object, status: string, name: string | null]> = [
          [{ thread_status: "assigned", assigned_to: "kim" }, "assigned", "kim"],
          [{ thread_status: "resolved" }, "resolved", "kim"],
          [{ thread_status: "resolved", assigned_to: "lee" }, "resolved", "lee"],
          [{ thread_status: "assigned", assigned_to: null }, "assigned", null],
          [{ thread_status: "assigned", assigned_to: "😀".repeat(256) }, "assigned", "😀".repeat(256)],
          [{ thread_status: "open" }, "open", null]
        ]
        for (const [json, status, name] of moves) {
          const { body } = yield* inbox("POST", path, workspace, { key, json })
          assert.strictEqual(String(body["data"]?.["thread_status"]), status)
          assert.strictEqual<unknown>(body["data"]?.["assigned_to"], name)
        }
        const faults: ReadonlyArray<readonly [json: unknown, paths: ReadonlyArray<string>]> = [
          [{ thread_status: "open", assigned_to: "kim" }, ["assigned_to"]],
          [{ thread_status: "assigned", assigned_to: "none" }, ["assigned_to"]],
          [{ thread_status: "open", assigned_to: "none" }, ["assigned_to"]],
          [{ thread_status: "assigned", assigned_to: "x".repeat(257) }, ["assigned_to"]],
          [{ thread_status: "closed", assigned_to: 1, more: true }, ["thread_status", "assigned_to", "more"]],
          [{}, ["thread_status"]],
          [[], ["body"]]
        ]
        for (const [json, paths] of faults) {
          const answer = yield* inbox("POST", path, workspace, { key, json })
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR")
          assert.sameMembers([...pathsOf(answer)], [...paths])
        }
      })
    )
  })
})
