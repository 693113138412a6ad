import { assert, describe, layer } from "@effect/vitest"
import { Loopbox, LoopboxError } from "@loopbox/client"
import { Effect } from "effect"
import { comment, connectAccount, makeInbox } from "../inbox/inboxSupport.ts"
import { adminToken, baseUrl, gif, makeWorkspace } from "../support.ts"
import { clientServer } from "./clientServer.ts"

const inboxClient = Effect.gen(function* () {
  const { id, key } = yield* makeInbox()
  return { workspaceId: id, key, loopbox: new Loopbox({ baseUrl: yield* baseUrl, apiKey: key }) }
})

const failureOf = (run: () => PromiseLike<unknown>) =>
  Effect.promise(async () => {
    try {
      await run()
    } catch (error) {
      return error
    }
    return undefined
  })

const refusalOf = Effect.fnUntraced(function* (run: () => PromiseLike<unknown>) {
  const error = yield* failureOf(run)
  if (!(error instanceof LoopboxError)) return assert.fail(`no LoopboxError: ${String(error)}`)
  return error
})

describe("@loopbox/client against the server", () => {
  layer(clientServer, { excludeTestServices: true })((it) => {
    it.effect("gives one page to whoever awaits a list, and every item to whoever iterates it", () =>
      Effect.gen(function* () {
        const { loopbox, workspaceId } = yield* inboxClient
        const names = Array.from({ length: 7 }, (_, i) => `c${i}`)
        yield* comment(yield* connectAccount(workspaceId, "u1"), names)
        const query = { inbox_scope: "workspace", is_read: false, limit: 3 } as const
        const page = yield* Effect.promise(async () => loopbox.inbox.list(query))
        assert.strictEqual(page.data.length, 3)
        assert.isString(page.nextCursor)
        const all = yield* Effect.promise(async () => {
          const seen: Array<string> = []
          for await (const item of loopbox.inbox.list(query)) seen.push(item.external_id)
          return seen
        })
        assert.sameMembers(all, names)
        const rest = yield* Effect.promise(async () =>
          loopbox.inbox.list({ ...query, cursor: page.nextCursor ?? undefined, limit: 500 })
        )
        assert.deepEqual([rest.data.length, rest.nextCursor], [4, null])
      })
    )
    it.effect("puts ids into the path, members where they belong, and gives data or nothing", () =>
      Effect.gen(function* () {
        const { loopbox, workspaceId } = yield* inboxClient
        yield* comment(yield* connectAccount(workspaceId, "küche & co"), ["a"])
        const scope = { inbox_scope: "managed_user", external_user_id: "küche & co" } as const
        const { data } = yield* Effect.promise(async () => loopbox.inbox.list(scope))
        const id = data[0]?.id ?? ""
        const assigned = yield* Effect.promise(() =>
          loopbox.inbox.setThreadState(id, { ...scope, thread_status: "assigned", assigned_to: "kim" })
        )
        assert.strictEqual(assigned.assigned_to, "kim")
        assert.isUndefined(yield* Effect.promise(() => loopbox.inbox.markRead(id, scope)))
        assert.deepEqual(yield* Effect.promise(() => loopbox.inbox.countUnread(scope)), { count: 0 })
        const raw = yield* Effect.promise(() =>
          loopbox.request("GET", "/v1/inbox/{id}", { params: { path: { id }, query: scope } })
        )
        assert.strictEqual(raw.data.id, id)
        assert.match(raw.requestId ?? "", /^req_/)
        assert.strictEqual(raw.response.status, 200)
      })
    )
    it.effect("fails with what the host says of a refusal", () =>
      Effect.gen(function* () {
        const { loopbox } = yield* inboxClient
        const wrong = yield* refusalOf(() => loopbox.inbox.list({ inbox_scope: "workspace", limit: 501 }))
        assert.deepInclude({ ...wrong }, { status: 400, code: "VALIDATION_ERROR", retryAfter: null })
        assert.strictEqual(wrong.details.issues?.[0]?.path, "limit")
        assert.match(wrong.requestId ?? "", /^req_/)
        const absent = yield* refusalOf(() => loopbox.inbox.find("itm_none", { inbox_scope: "workspace" }))
        assert.deepInclude({ ...absent }, { status: 404, code: "NOT_FOUND" })
        const nobody = new Loopbox({ baseUrl: yield* baseUrl, apiKey: "wrong" })
        const unknown = yield* refusalOf(() => nobody.posts.list())
        assert.deepInclude({ ...unknown }, { status: 401, code: "UNAUTHORIZED" })
        assert.notInclude(JSON.stringify(unknown) + unknown.message + String(unknown.cause), "wrong")
      })
    )
    it.effect("uploads bytes with their type and name, and downloads them as a response", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const loopbox = new Loopbox({ baseUrl: yield* baseUrl, apiKey: key })
        const bytes = new Uint8Array(gif)
        const media = yield* Effect.promise(() =>
          loopbox.media.upload(bytes, { contentType: "image/gif", filename: "Katze & Maus.gif" })
        )
        assert.deepInclude(media, { status: "ready", filename: "Katze & Maus.gif", size_bytes: bytes.length })
        const named = new Blob([bytes], { type: "image/gif" })
        assert.strictEqual((yield* Effect.promise(() => loopbox.media.upload(named))).sha256, media.sha256)
        const form = new FormData()
        form.set("file", named, "form.gif")
        assert.strictEqual((yield* Effect.promise(() => loopbox.media.upload(form))).filename, "form.gif")
        const reserved = yield* Effect.promise(() => loopbox.media.upload({ content_type: "image/gif", size_bytes: 9 }))
        assert.strictEqual(reserved.status, "pending")
        const content = yield* Effect.promise(async () => (await loopbox.media.content(media.id)).arrayBuffer())
        assert.deepEqual(new Uint8Array(content), bytes)
        const removed = yield* Effect.promise(() => loopbox.media.remove(media.id))
        assert.deepEqual<unknown>(removed, { id: media.id, deleted: true })
      })
    )
    it.effect("ends an upload at once when it is aborted, and nothing of it is kept", () =>
      Effect.gen(function* () {
        const { key } = yield* makeWorkspace()
        const loopbox = new Loopbox({ baseUrl: yield* baseUrl, apiKey: key })
        const controller = new AbortController()
        const endless = new ReadableStream<Uint8Array>({
          pull: (stream) => {
            stream.enqueue(new Uint8Array(gif))
            controller.abort(new Error("enough"))
            return new Promise(() => {})
          }
        })
        const error = yield* failureOf(() =>
          loopbox.media.upload(endless, { contentType: "image/gif", signal: controller.signal })
        )
        assert.strictEqual(String(error), "Error: enough")
        assert.deepEqual(yield* Effect.promise(async () => (await loopbox.media.list()).data), [])
        const late = AbortSignal.abort(new Error("before"))
        const refused = yield* failureOf(() => loopbox.media.list({}, { signal: late }))
        assert.strictEqual(String(refused), "Error: before")
      })
    )
    it.effect("administers with the admin token, and takes an id out of a path of two", () =>
      Effect.gen(function* () {
        const admin = new Loopbox({ baseUrl: `${yield* baseUrl}/`, apiKey: adminToken })
        const made = yield* Effect.promise(() => admin.admin.createWorkspace({ name: "Acme", plan: "growth" }))
        yield* Effect.promise(() => admin.admin.setMember(made.id, "kim/lee", { role: "owner" }))
        const member = yield* Effect.promise(() => admin.admin.findMember(made.id, "kim/lee"))
        assert.strictEqual(member.role, "owner")
        const issued = yield* Effect.promise(() =>
          admin.admin.issueKey(made.id, { name: "k", creator_user_id: "kim/lee" })
        )
        const loopbox = new Loopbox({ baseUrl: yield* baseUrl, apiKey: issued.key })
        const unread = yield* Effect.promise(() => loopbox.inbox.countUnread({ inbox_scope: "workspace" }))
        assert.deepEqual(unread, { count: 0 })
      })
    )
    it.effect("asks for another token when one has ended, once, and for all who wait", () =>
      Effect.gen(function* () {
        const made = yield* makeInbox()
        const admin = new Loopbox({ baseUrl: yield* baseUrl, apiKey: adminToken })
        let asked = 0
        const loopbox = new Loopbox({
          baseUrl: yield* baseUrl,
          getToken: async () => {
            asked++
            if (asked === 1) return "ended"
            return (await admin.accounts.issueDashboardToken(made.id, { user_id: "owner" })).token
          }
        })
        const first = yield* Effect.promise(() => loopbox.inbox.countUnread({ inbox_scope: "workspace" }))
        const both = yield* Effect.promise(() =>
          Promise.all([loopbox.inbox.countUnread({ inbox_scope: "workspace" }), loopbox.inbox.countUnread()])
        )
        assert.deepEqual([first, ...both], [{ count: 0 }, { count: 0 }, { count: 0 }])
        assert.strictEqual(asked, 2)
      })
    )
  })
})
