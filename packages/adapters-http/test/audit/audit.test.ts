import { assert, describe, layer } from "@effect/vitest"
import { Api } from "@loopbox/adapters-http"
import { auditActions } from "@loopbox/core/audit/AuditEvent"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { entriesOf, inbox, issueKey, makeInbox, scopes, setRole } from "../inbox/inboxSupport.ts"
import { makeItem } from "../inbox/replySupport.ts"
import { adminToken, call, codeOf, makeWorkspace, pathsOf, server, uploadGif } from "../support.ts"
import { auditedBy, auditedReads } from "./auditedBy.ts"

const list = (key: string, query = "") => call("GET", `/v1/audit-events${query}`, { key })

describe("GET /v1/audit-events (api-2.md §16)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("every operation that changes something is audited, or says why it is not", () =>
      Effect.sync(() => {
        const changing: Array<string> = []
        HttpApi.reflect(Api, {
          onGroup: () => {},
          onEndpoint: ({ endpoint, group }) => {
            if (endpoint.method !== "GET") changing.push(`${group.identifier}.${endpoint.identifier}`)
          }
        })
        assert.sameMembers(changing, Object.keys(auditedBy), "Say in auditedBy.ts what an operation is audited as.")
        const named = new Set([...Object.values(auditedBy), ...Object.values(auditedReads)].flatMap(({ as }) => as))
        assert.sameMembers(Array.from(named), [...auditActions])
      })
    )
    it.effect("tells what the administrator, a key and a member did, newest first", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const put = yield* call("PUT", `/v1/admin/workspaces/${id}/members/ann`, {
          key: adminToken,
          json: { role: "viewer" }
        })
        assert.include([200, 201], put.status)
        const { body, status } = yield* list(key, "?target=ann")
        assert.strictEqual(status, 200)
        const [event, ...more] = entriesOf(body)
        assert.deepStrictEqual(more, [])
        const { at, id: eventId, request_id, ...rest } = { ...event }
        assert.deepEqual<unknown>(rest, {
          actor: { type: "operator", id: null },
          action: "member.set",
          target: { type: "member", id: "ann" },
          details: { role: "viewer" }
        })
        assert.match(String(eventId), /^aud_/)
        assert.strictEqual(String(request_id), put.headers.get("x-request-id"))
        assert.match(String(at), /Z$/)
      })
    )
    it.effect("names the key that hid an item, and no token and no text", () =>
      Effect.gen(function* () {
        const networks = yield* FakeNetworks
        networks.script = { ...networks.script, act: () => Effect.void }
        const { item, key, keyId } = yield* makeItem("fb_comment", { body: "words of a person" })
        const hidden = yield* inbox("POST", `/${item}/hide`, scopes.workspace, { key })
        assert.strictEqual(hidden.status, 200, hidden.text)
        const { body, text } = yield* list(key, "?action=item.hidden")
        const [event] = entriesOf(body)
        assert.deepEqual<unknown>(event?.["actor"], { type: "api_key", id: keyId })
        assert.deepEqual<unknown>(event?.["target"], { type: "item", id: item })
        assert.notInclude(text, "words of a person")
        assert.strictEqual(entriesOf((yield* list(key, "?action=account.connected")).body).length, 1)
        // A scope that a client names everywhere says nothing here.
        assert.strictEqual((yield* list(key, "?inbox_scope=workspace")).status, 200)
      })
    )
    it.effect("is for keys of an admin or owner as he is now", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const unowned = yield* issueKey(id)
        yield* setRole(id, "ed", "editor")
        const editors = yield* issueKey(id, "ed")
        assert.strictEqual((yield* list(key)).status, 200)
        assert.strictEqual(codeOf(yield* list(unowned.key)), "403 API_KEY_CREATOR_REQUIRED")
        assert.strictEqual(codeOf(yield* list(editors.key)), "403 INSUFFICIENT_ROLE")
        yield* setRole(id, "ed", "admin")
        assert.strictEqual((yield* list(editors.key)).status, 200)
        assert.strictEqual(codeOf(yield* call("GET", "/v1/audit-events")), "401 UNAUTHORIZED")
      })
    )
    it.effect("refuses unknown filters and actions, and cursors of other filters", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        assert.sameMembers([...pathsOf(yield* list(key, "?limit=0&what=1"))], ["limit", "what"])
        assert.deepStrictEqual(pathsOf(yield* list(key, "?action=thread.moved")), ["action"])
        assert.sameMembers([...pathsOf(yield* list(key, "?actor=&target="))], ["actor", "target"])
        const first = yield* list(key, "?limit=1")
        const cursor = String(first.body["next_cursor"])
        assert.strictEqual((yield* list(key, `?limit=1&cursor=${cursor}`)).status, 200)
        assert.deepStrictEqual(pathsOf(yield* list(key, `?limit=1&target=x&cursor=${cursor}`)), ["cursor"])
      })
    )
    it.effect("is empty of uploads and conversions", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        yield* uploadGif(key)
        yield* setRole(workspace.id, "ann", "owner")
        const overseer = yield* issueKey(workspace.id, "ann")
        const { body } = yield* list(overseer.key)
        assert.deepStrictEqual(
          entriesOf(body).map((event) => String(event["action"])),
          ["api_key.created", "member.set", "api_key.created"]
        )
      })
    )
  })
})
