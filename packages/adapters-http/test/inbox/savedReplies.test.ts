import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { codeOf, pathsOf, server } from "../support.ts"
import { addManagedUser, entriesOf, inbox, makeInbox, scopes } from "./inboxSupport.ts"

const { user, workspace } = scopes
const path = "/saved-replies"
const hours = { name: "Hours", text: "From 9 to 18.\n" }

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined

describe("saved replies over HTTP (api-2.md §14)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("are saved as given, changed by member, and deleted once", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const created = yield* inbox("POST", path, workspace, { key, json: hours })
        assert.strictEqual(created.status, 201)
        const { data } = created.body
        const id = String(memberOf(data, "id"))
        assert.deepStrictEqual(Object.entries({ ...data }), [
          ["id", id],
          ["name", hours.name],
          ["text", hours.text],
          ["external_user_id", null],
          ["created_at", memberOf(data, "created_at")],
          ["updated_at", memberOf(data, "created_at")]
        ])
        const changed = yield* inbox("PATCH", `${path}/${id}`, workspace, { key, json: { name: "Opening" } })
        assert.deepStrictEqual(
          [changed.status, memberOf(changed.body["data"], "name"), memberOf(changed.body["data"], "text")],
          [200, "Opening", hours.text]
        )
        const listed = entriesOf((yield* inbox("GET", path, workspace, { key })).body)
        assert.deepStrictEqual(
          listed.map((entry) => entry),
          Object.values({ changed: changed.body["data"] ?? changed.body })
        )
        const answers = [
          yield* inbox("DELETE", `${path}/${id}`, workspace, { key }),
          yield* inbox("DELETE", `${path}/${id}`, workspace, { key })
        ]
        assert.deepStrictEqual(
          [answers[0]?.status, answers[1] === undefined ? "" : codeOf(answers[1])],
          [204, "404 NOT_FOUND"]
        )
      })
    )

    it.effect("belong to the scope in which they were made, and go with the managed user", () =>
      Effect.gen(function* () {
        const { id: workspaceId, key } = yield* makeInbox()
        for (const name of ["ann", "bob"]) yield* addManagedUser(workspaceId, name)
        const { body } = yield* inbox("POST", path, user("ann"), { key, json: hours })
        yield* inbox("POST", path, workspace, { key, json: { ...hours, name: "Common" } })
        const own = String(memberOf(body["data"], "id"))
        const named = (scope: string) =>
          Effect.map(inbox("GET", path, scope, { key }), (listed) =>
            entriesOf(listed.body)
              .map((entry) => [memberOf(entry, "name"), memberOf(entry, "external_user_id")].join(" of "))
              .toSorted()
          )
        assert.deepStrictEqual(yield* named(user("ann")), ["Hours of ann"])
        assert.deepStrictEqual(yield* named(user("bob")), [])
        assert.deepStrictEqual(yield* named(workspace), ["Common of ", "Hours of ann"])
        // Before the body is looked at.
        const foreign = yield* inbox("PATCH", `${path}/${own}`, user("bob"), { key, json: { nonsense: 1 } })
        assert.strictEqual(codeOf(foreign), "404 NOT_FOUND")
        yield* (yield* AccountAdministration).eraseManagedUser(workspaceId, "ann")
        assert.deepStrictEqual(yield* named(workspace), ["Common of "])
      })
    )

    it.effect("are refused where a name or a text is blank, too long or unknown, each by its path", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const refusedAt = (json: unknown) => Effect.map(inbox("POST", path, workspace, { key, json }), pathsOf)
        assert.deepStrictEqual(yield* refusedAt({ name: " ", text: "" }), ["name", "text"])
        assert.deepStrictEqual(yield* refusedAt({ name: "n".repeat(101), text: "t".repeat(10_001) }), ["name", "text"])
        assert.deepStrictEqual(yield* refusedAt({ ...hours, label: "x" }), ["label"])
        const most = { name: "\u{1F600}".repeat(100), text: ` ${"\u{1F600}".repeat(10_000)} ` }
        const { body, status } = yield* inbox("POST", path, workspace, { key, json: most })
        assert.deepStrictEqual([status, memberOf(body["data"], "text")], [201, most.text])
        const id = String(memberOf(body["data"], "id"))
        const changed = yield* inbox("PATCH", `${path}/${id}`, workspace, { key, json: { text: " " } })
        assert.deepStrictEqual(pathsOf(changed), ["text"])
      })
    )

    it.effect("are listed page by page; a cursor is good for its scope only", () =>
      Effect.gen(function* () {
        const { id: workspaceId, key } = yield* makeInbox()
        yield* addManagedUser(workspaceId, "ann")
        for (const name of ["a", "b", "c"]) yield* inbox("POST", path, workspace, { key, json: { ...hours, name } })
        const first = yield* inbox("GET", path, `${workspace}&limit=2`, { key })
        const cursor = String(first.body["next_cursor"])
        const rest = yield* inbox("GET", path, `${workspace}&limit=2&cursor=${cursor}`, { key })
        assert.deepStrictEqual(
          [...entriesOf(first.body), ...entriesOf(rest.body)].map((entry) => memberOf(entry, "name")).toSorted(),
          ["a", "b", "c"]
        )
        assert.isNull(rest.body["next_cursor"])
        const elsewhere = yield* inbox("GET", path, `${user("ann")}&cursor=${cursor}`, { key })
        assert.deepStrictEqual(pathsOf(elsewhere), ["cursor"])
        assert.deepStrictEqual(pathsOf(yield* inbox("GET", path, `${workspace}&name=a`, { key })), ["name"])
      })
    )

    it.effect("need the plan's inbox", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox("free")
        const refused = yield* inbox("GET", path, workspace, { key })
        assert.strictEqual(codeOf(refused), "402 PLAN_FEATURE_NOT_AVAILABLE")
      })
    )
  })
})
