import { assert, describe, layer } from "@effect/vitest"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Client, makeClient } from "@loopbox/adapters-http"
import { Effect, Option, Redacted, Stream } from "effect"
import { createServer } from "node:http"
import { accountView } from "../accounts/accountFixtures.ts"
import { Script } from "../connect/scriptedConnecting.ts"
import { comment, connectAccount, makeInbox } from "../inbox/inboxSupport.ts"
import { adminToken, baseUrl, gif, makeWorkspace, server, uploadGif } from "../support.ts"

describe("Client", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("calls every group with types, and fails with the refusal", () =>
      Effect.gen(function* () {
        const { key, workspace } = yield* makeWorkspace()
        const client = yield* Client.make({
          baseUrl: yield* baseUrl,
          apiKey: Redacted.make(key),
          adminToken: Redacted.make(adminToken)
        })
        const gif_media_id = yield* uploadGif(key)
        const { data: job } = yield* client.conversions.create({ headers: {}, payload: { gif_media_id } })
        assert.strictEqual(job.status, "queued")
        const list = yield* client.conversions.list({ query: { limit: 1, status: "queued" } })
        assert.strictEqual(list.data[0]?.id, job.id)
        const error = yield* Effect.flip(client.conversions.find({ params: { id: "none" } }))
        assert.deepInclude({ ...error }, { request_id: "request_id" in error ? error.request_id : "" })
        assert.strictEqual("error" in error ? error.error.code : "", "not_found")
        const found = yield* client.media.find({ params: { id: gif_media_id } })
        assert.strictEqual(found.data.size_bytes, gif.length)
        const content = yield* client.media.content({ params: { id: gif_media_id }, query: {} })
        assert.strictEqual(
          yield* Stream.runFold(
            content,
            () => 0,
            (sum, chunk) => sum + chunk.length
          ),
          gif.length
        )
        const read = yield* client.admin.findWorkspace({ params: { id: workspace.id } })
        assert.strictEqual(read.data.plan, "growth")
        const made = yield* makeInbox()
        yield* comment(yield* connectAccount(made.id, "u1"), ["a", "b"])
        const reader = yield* Client.make({ baseUrl: yield* baseUrl, apiKey: Redacted.make(made.key) })
        const query = { inbox_scope: "managed_user", external_user_id: "u1" }
        const items = yield* reader.inbox.list({ headers: {}, query: { ...query, limit: 1, is_read: false } })
        assert.strictEqual(items.data.length, 1)
        const cursor = items.next_cursor ?? ""
        const rest = yield* reader.inbox.list({ headers: {}, query: { ...query, cursor, is_read: false } })
        assert.strictEqual(rest.data.length, 1)
        const item = yield* reader.inbox.setThreadState({
          headers: {},
          query,
          params: { id: items.data[0]?.id ?? "" },
          payload: { thread_status: "assigned", assigned_to: "kim" }
        })
        assert.strictEqual(item.data.assigned_to, "kim")
        yield* reader.inbox.markRead({ headers: {}, query, params: { id: item.data.id } })
        assert.strictEqual((yield* reader.inbox.countUnread({ headers: {}, query })).data.count, 1)
        const users = yield* client.accounts.listManagedUsers({ params: { id: made.id }, query: {} })
        assert.strictEqual(users.data[0]?.external_user_id, "u1")
        ;(yield* Script).accounts = {
          list: () => Effect.succeed({ items: [accountView()], next: Option.none() })
        }
        const accounts = yield* reader.connectedAccounts.list({ headers: {}, query: { status: "connected" } })
        assert.strictEqual(accounts.data[0]?.health.problems[0]?.code, "missing_scopes")
        assert.strictEqual((yield* client.livez()).status, "ok")
      }).pipe(Effect.provide(NodeHttpClient.layerUndici))
    )
    it.effect("needs an address and a key, and nothing else", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const client = yield* makeClient({ baseUrl: yield* baseUrl, apiKey: key })
        const reservation = { content_type: "image/gif", filename: "cat.gif", size_bytes: gif.length }
        const { data: media } = yield* client.media.upload({ headers: {}, payload: reservation })
        assert.strictEqual(media.status, "pending")
        const refused = yield* Effect.flip(client.media.find({ params: { id: "none" } }))
        assert.strictEqual("error" in refused ? refused.error.code : "", "media_not_found")
      })
    )
    it.effect("repeats reads and writes with a key after 503 and 429, and no other", () =>
      Effect.gen(function* () {
        const calls: Array<string> = []
        const mode: { code: string | undefined } = { code: undefined }
        const busy = yield* Effect.acquireRelease(
          Effect.callback<ReturnType<typeof createServer>>((resume) => {
            const server = createServer((request, response) => {
              calls.push(`${request.method}`)
              request.resume()
              const status = mode.code === undefined ? (calls.length === 1 ? 503 : 429) : 500
              response.writeHead(status, { "content-type": "application/json", "retry-after": "0" })
              const code = status === 503 ? "media_processing_unavailable" : "media_processing_capacity_exceeded"
              response.end(JSON.stringify({ error: { code: mode.code ?? code, message: "" }, request_id: "r" }))
            })
            server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => server.close())
        )
        const address = busy.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const client = yield* Client.make({ baseUrl: `http://127.0.0.1:${port}`, apiKey: Redacted.make("k") })
        const payload = { gif_media_id: "x" }
        yield* Effect.flip(client.conversions.list({ query: {} }))
        assert.deepEqual(calls.splice(0), ["GET", "GET", "GET"])
        yield* Effect.flip(client.conversions.create({ headers: { "idempotency-key": "k" }, payload }))
        assert.deepEqual(calls.splice(0), ["POST", "POST", "POST"])
        yield* Effect.flip(client.conversions.create({ headers: {}, payload }))
        assert.deepEqual(calls.splice(0), ["POST"])
        // Nothing has run, whatever was asked.
        mode.code = "INBOX_SCOPE_LOOKUP_FAILED"
        yield* Effect.flip(client.inbox.markAllRead({ headers: {}, query: {} }))
        assert.deepEqual(calls.splice(0), ["POST", "POST", "POST"])
      }).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layerUndici))
    )
  })
})
