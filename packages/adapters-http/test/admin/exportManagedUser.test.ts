import { assert, describe, layer } from "@effect/vitest"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { ExportStore } from "@loopbox/core/exporting/ExportStore"
import type { MediaId } from "@loopbox/core/kernel/Ids"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { PostStore } from "@loopbox/core/posts/PostStore"
import * as MemoryAdapters from "@loopbox/adapters-memory/MemoryAdapters"
import { noon } from "@loopbox/testing/fixtures/activities"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { away } from "@loopbox/testing/fixtures/mediaFixtures"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { makeKeptPost } from "@loopbox/testing/fixtures/postFixtures"
import { makeGif } from "@loopbox/testing/fixtures/storeFixtures"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { Effect, Layer, Option, Result } from "effect"
import { comment, connectAccount, entriesOf, inbox, makeInbox, scopes } from "../inbox/inboxSupport.ts"
import { adminToken, baseUrl, call, codeOf, driving, server, serverWith, type Wire } from "../support.ts"

const pathOf = (id: string, user: string) =>
  `/v1/admin/workspaces/${id}/managed-users/${encodeURIComponent(user)}/export`
const exportOf = (id: string, user: string, method = "GET") => call(method, pathOf(id, user), { key: adminToken })

const linesOf = (text: string): ReadonlyArray<Wire> =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line): Wire => JSON.parse(line))

/** A post with a file, and a reply, of an account. */
const makeWork = Effect.fnUntraced(function* (account: SocialAccount, owner: string, text: string) {
  const { workspaceId } = account
  const { id } = yield* makeGif(workspaceId, noon)
  const mediaIds: ReadonlyArray<MediaId> = [id]
  const kept = yield* makeKeptPost(workspaceId, [account], noon, { owner, text, mediaIds })
  yield* (yield* PostStore).submit({ workspaceId, idempotencyKey: Option.none() }, () => Result.succeed(kept))
  const operation = yield* makeOperation(account, noon, { text })
  const { itemId } = operation
  yield* (yield* OutboundStore).submit(
    { workspaceId, accountId: account.id, itemId, idempotencyKey: Option.none(), privately: Option.none() },
    () => Result.succeed(operation)
  )
  return id
})

describe("GET /v1/admin/…/managed-users/{id}/export (api-2.md §16)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("has everything of one user as lines, and nothing of another or of another workspace", () =>
      Effect.gen(function* () {
        const [{ id, key }, other] = [yield* makeInbox(), yield* makeInbox()]
        const user = "ü/1 😀"
        const account = yield* connectAccount(id, user, "p1")
        yield* comment(account, ["mine", "mine too"])
        const file = yield* makeWork(account, user, "words of mine")
        const saved = yield* inbox("POST", "/saved-replies", scopes.user(user), { key, json: { name: "n", text: "t" } })
        assert.strictEqual(saved.status, 201, saved.text)
        const listed = yield* inbox("GET", "/threads", scopes.user(user), { key })
        const [thread] = entriesOf(listed.body)
        const note = { text: "a note of mine" }
        yield* inbox("POST", `/threads/${String(thread?.["id"])}/notes`, scopes.user(user), { key, json: note })
        for (const [workspace, owner] of [
          [id, "u2"],
          [other.id, user]
        ] as const) {
          const theirs = yield* connectAccount(workspace, owner, "p2")
          yield* comment(theirs, ["theirs"])
          yield* makeWork(theirs, owner, "words of theirs")
        }
        const hook = { url: "https://hooks.example/mine", external_user_id: user }
        const made = yield* call("POST", "/v1/webhook-endpoints?inbox_scope=workspace", { key, json: hook })
        assert.strictEqual(made.status, 201)
        const { headers, status, text } = yield* exportOf(id, user)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("content-type"), "application/x-ndjson")
        assert.strictEqual(headers.get("cache-control"), "no-store")
        const lines = linesOf(text)
        const types = lines.map((line) => String(line["type"]))
        assert.deepStrictEqual(
          types.filter((type, at) => type !== types[at - 1]),
          [
            "managed_user",
            "account",
            "thread",
            "item",
            "note",
            "saved_reply",
            "operation",
            "post",
            "media",
            "webhook_endpoint",
            "audit_event",
            "end"
          ]
        )
        const of = (type: string) => lines.filter((line) => String(line["type"]) === type)
        assert.sameMembers(
          of("item").map((line) => String(line["data"]?.["external_id"])),
          ["mine", "mine too"]
        )
        assert.deepStrictEqual(
          of("note").map((line) => String(line["data"]?.["text"])),
          [note.text]
        )
        assert.strictEqual(String(of("operation")[0]?.["data"]?.["text"]), "words of mine")
        assert.deepStrictEqual(
          of("media").map((line) => String(line["data"]?.["id"])),
          [file]
        )
        assert.strictEqual(String(of("webhook_endpoint")[0]?.["data"]?.["url"]), hook.url)
        assert.notInclude(text, "whsec_")
        assert.match(String(of("media")[0]?.["data"]?.["download_url"]), /\/content\?expires=\d+&sig=/)
        assert.strictEqual(Number(of("end")[0]?.["lines"]), lines.length - 1)
        for (const secret of ["theirs", "u2", "p2", "token", "sealed"]) assert.notInclude(text, `"${secret}"`)
        const { body } = yield* call("GET", "/v1/audit-events?action=managed_user.exported", { key })
        assert.deepStrictEqual(
          entriesOf(body).map((event) => [String(event["target"]?.["id"]), String(event["actor"]?.["type"])]),
          [[user, "operator"]]
        )
      })
    )
    it.effect("is refused without the admin token and for whoever is not there; HEAD asks and audits nothing", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        yield* connectAccount(id, "u1", "p1")
        assert.strictEqual(codeOf(yield* exportOf(id, "none")), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* exportOf("ws_none", "u1")), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* call("GET", pathOf(id, "u1"), { key })), "401 UNAUTHORIZED")
        assert.strictEqual((yield* exportOf(id, "u1", "HEAD")).status, 200)
        assert.strictEqual((yield* exportOf(id, "none", "HEAD")).status, 404)
        const { body } = yield* call("GET", "/v1/audit-events?action=managed_user.exported", { key })
        assert.deepStrictEqual(entriesOf(body), [])
      })
    )
    it.effect("has what a disconnected account keeps but its hidden items, and ends", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1", "p1")
        yield* comment(account, ["hidden"])
        yield* (yield* SocialAccounts).disconnect(account.workspaceId, account.id, noon)
        const lines = linesOf((yield* exportOf(id, "u1")).text)
        assert.deepStrictEqual(
          lines.map((line) => String(line["type"])).filter((type) => type !== "audit_event"),
          ["managed_user", "account", "end"]
        )
      })
    )
  })

  const failing = Layer.effect(
    ExportStore,
    Effect.map(ExportStore, (store) => ({ ...store, auditEvents: () => Effect.fail(away()) }))
  )
  const breaking = serverWith().pipe(
    Layer.provideMerge(driving.pipe(Layer.provideMerge(failing), Layer.provideMerge(MemoryAdapters.layer))),
    Layer.provideMerge(layerNetworks)
  )
  layer(breaking, { excludeTestServices: true })((it) => {
    it.effect("is cut where a store fails: the connection breaks, and no last line comes", () =>
      Effect.gen(function* () {
        const { id } = yield* makeInbox()
        yield* comment(yield* connectAccount(id, "u1", "p1"), ["a"])
        const url = `${yield* baseUrl}${pathOf(id, "u1")}`
        // So little may be cut before its first byte was sent.
        const { isCut, text } = yield* Effect.promise(async () => {
          let text = ""
          try {
            const response = await fetch(url, { headers: { authorization: `Bearer ${adminToken}` } })
            for await (const part of response.body ?? []) text += new TextDecoder().decode(part)
            return { text, isCut: false }
          } catch {
            return { text, isCut: true }
          }
        })
        assert.isTrue(isCut)
        assert.notInclude(text, '"end"')
      })
    )
  })
})
