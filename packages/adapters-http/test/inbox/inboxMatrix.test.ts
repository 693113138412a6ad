import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { comment, connectAccount, entriesOf, inbox, issueKey, itemId, makeInbox, scopes } from "./inboxSupport.ts"
import { type Answer, codeOf, server } from "../support.ts"

const users = ["u1", "u2", "u3"] as const

/** Everything of an answer that may differ between two requests is left out. */
const shapeOf = ({ headers, status, text }: Answer) => ({
  status,
  text: text.replace(/"request_id":"[^"]*"/, ""),
  headers: [...headers].filter(([name]) => name !== "x-request-id" && name !== "date")
})

const endpoints = [
  { method: "GET", path: (id: string) => `/${id}`, ok: 200 },
  { method: "POST", path: (id: string) => `/${id}/read`, ok: 204 },
  { method: "POST", path: (id: string) => `/${id}/thread-state`, ok: 200, json: { thread_status: "open" } }
] as const

describe("every (caller, scope) × (object)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("shows exactly what is in scope; what is not is as good as absent, byte for byte", () =>
      Effect.gen(function* () {
        const worlds = yield* Effect.forEach(["one", "two"], (name) =>
          Effect.gen(function* () {
            const { id, key } = yield* makeInbox()
            const owners = [...users, undefined]
            const items = yield* Effect.forEach(owners, (owner) =>
              Effect.gen(function* () {
                // The pages' names are the same in both workspaces, and so are the comments' ids.
                const account = yield* connectAccount(id, owner, `page-${owner ?? "none"}`)
                yield* comment(account, [`c-${owner ?? "none"}`])
                return { owner, id: yield* itemId(key, `c-${owner ?? "none"}`) }
              })
            )
            const plain = (yield* issueKey(id)).key
            const callers = [
              { key, query: scopes.workspace, sees: items },
              ...[key, plain].flatMap((given) =>
                users.map((user) => ({
                  key: given,
                  query: scopes.user(user),
                  sees: items.filter(({ owner }) => owner === user)
                }))
              )
            ]
            return { name, items, callers }
          })
        )
        const objects = [
          ...worlds.flatMap(({ items }) => items.map(({ id }) => id)),
          "itm_00000000000000000000000000",
          "itm_NOT",
          "x".repeat(3000)
        ]
        let judged = 0
        for (const { callers } of worlds) {
          for (const { key, query, sees } of callers) {
            const seen = new Set(sees.map(({ id }) => id))
            const list = yield* inbox("GET", "", query, { key })
            assert.sameMembers(
              entriesOf(list.body).map((item) => String(item["id"])),
              [...seen]
            )
            for (const { method, ok, path, ...rest } of endpoints) {
              const absent = shapeOf(
                yield* inbox(method, path("itm_00000000000000000000000000"), query, { key, ...rest })
              )
              assert.strictEqual(absent.status, 404)
              for (const object of objects) {
                const answer = yield* inbox(method, path(object), query, { key, ...rest })
                if (seen.has(object)) assert.strictEqual(answer.status, ok)
                else assert.deepEqual(shapeOf(answer), absent)
                judged += 1
              }
            }
          }
        }
        assert.strictEqual(judged, 2 * 7 * 3 * 11)
        // Nothing was marked in the other workspace, or for another user.
        const [first] = worlds
        const stranger = yield* inbox("GET", "/unread-count", scopes.user("nobody"), {
          key: first?.callers[0]?.key ?? ""
        })
        assert.strictEqual(codeOf(stranger), "404 MANAGED_USER_NOT_FOUND")
      })
    )
    it.effect("counts and marks within its scope only", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        for (const user of users) yield* comment(yield* connectAccount(id, user, user), ["a", "b"], {})
        const other = yield* makeInbox()
        yield* comment(yield* connectAccount(other.id, "u1", "u1"), ["a", "b"])
        const count = (given: string, query: string) =>
          Effect.map(inbox("GET", "/unread-count", query, { key: given }), ({ body }) =>
            Number(body["data"]?.["count"])
          )
        assert.strictEqual(yield* count(key, scopes.workspace), 6)
        const marked = yield* inbox("POST", "/mark-all-read", scopes.user("u1"), { key, body: "{ignored" })
        assert.deepEqual<unknown>(marked.body["data"], { marked: 2 })
        assert.strictEqual(yield* count(key, scopes.user("u1")), 0)
        assert.strictEqual(yield* count(key, scopes.user("u2")), 2)
        assert.strictEqual(yield* count(key, scopes.workspace), 4)
        assert.strictEqual(yield* count(other.key, scopes.user("u1")), 2)
      })
    )
  })
})
