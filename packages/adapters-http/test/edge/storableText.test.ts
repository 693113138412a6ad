import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { comment, connectAccount, inbox, itemId, makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { call, codeOf, server } from "../support.ts"

const rule = "must be text without U+0000 and lone surrogates"

describe("a text that can't be kept", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("is refused for its character, and not for its length", () =>
      Effect.gen(function* () {
        const { id: workspaceId, key } = yield* makeInbox()
        const account = yield* connectAccount(workspaceId)
        yield* comment(account, ["c"])
        const id = yield* itemId(key, "c")
        const thread = (yield* inbox("GET", "/threads", scopes.workspace, { key })).body["data"]
        const threadId = String(thread?.["0"]?.["id"])
        const text = "a\0b"
        const cases = [
          ["POST", `/${id}/reply`, { text }, ["text"]],
          ["POST", `/${id}/thread-state`, { thread_status: "assigned", assigned_to: text }, ["assigned_to"]],
          ["POST", `/threads/${threadId}/state`, { thread_status: "assigned", assigned_to: text }, ["assigned_to"]],
          ["POST", `/threads/${threadId}/notes`, { text, author: "\ud800" }, ["text", "author"]],
          ["PUT", `/threads/${threadId}/labels`, { labels: ["b", text] }, ["labels[1]"]],
          ["POST", "/saved-replies", { name: text, text: "\udc00" }, ["name", "text"]]
        ] as const
        for (const [method, at, json, paths] of cases) {
          const answer = yield* inbox(method, at, scopes.workspace, { key, json })
          assert.strictEqual(codeOf(answer), "400 VALIDATION_ERROR", at)
          assert.deepEqual<unknown>(
            answer.body["error"]?.["details"]?.["issues"],
            paths.map((path) => ({ path, message: rule })),
            at
          )
        }
        const filtered = yield* inbox("GET", "", `${scopes.workspace}&thread_key=a%00b`, { key })
        assert.deepEqual<unknown>(filtered.body["error"]?.["details"]?.["issues"], [
          { path: "thread_key", message: rule }
        ])
        const json = { url: "https://app.example/hook", description: text }
        const endpoint = yield* call("POST", `/v1/webhook-endpoints?${scopes.workspace}`, { key, json })
        assert.deepEqual<unknown>(endpoint.body["error"]?.["details"]?.["issues"], [
          { path: "description", message: rule }
        ])
      })
    )
  })
})
