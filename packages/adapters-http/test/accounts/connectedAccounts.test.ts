import { assert, describe, layer } from "@effect/vitest"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { AccountIsDisconnected, AccountNotFound } from "@loopbox/core/accounts/AccountErrors"
import type { ConnectedAccounts } from "@loopbox/core/health/ConnectedAccounts"
import type { AccountFilter } from "@loopbox/core/health/AccountHealthStore"
import { RateLimited, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { PageRequest } from "@loopbox/core/kernel/Page"
import { DateTime, Effect, Option } from "effect"
import { accountId, linkToken, Script, sessionWith, workspaceId } from "../connect/scriptedConnecting.ts"
import { addManagedUser, issueKey, makeInbox, scopes, setRole } from "../inbox/inboxSupport.ts"
import { call, codeOf, pathsOf, server } from "../support.ts"
import { accountView } from "./accountFixtures.ts"

const path = `/v1/accounts/${accountId}`
const fields = { network: "instagram", networkCode: Option.some("4"), detail: "detail-of-mine" }
const absent = new AccountNotFound({ workspaceId, accountId })

type CheckFailure = Effect.Error<ReturnType<ConnectedAccounts["Service"]["check"]>>

describe("/v1/accounts (api-2.md §11)", () => {
  layer(server, { excludeTestServices: true })((it) => {
    it.effect("shows an account with its health, in words", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        ;(yield* Script).accounts = { find: () => Effect.succeed(accountView()) }
        const answer = yield* call("GET", path, { key })
        assert.strictEqual(answer.status, 200)
        const { health, ...rest } = { ...answer.body["data"] }
        assert.deepEqual<unknown>(rest, {
          id: accountId,
          network: "instagram",
          name: "Acme",
          username: "acme",
          avatar_url: null,
          external_user_id: "u1",
          status: "connected",
          scopes: ["instagram_business_basic"],
          missing_scopes: ["instagram_business_manage_messages"],
          token_expires_at: "2027-01-20T07:00:00.000Z",
          capabilities: ["inbox"],
          connected_at: "2026-11-21T06:55:00.000Z"
        })
        const { message, remedy, ...problem } = { ...health?.["problems"]?.["0"] }
        assert.deepEqual<unknown>(problem, {
          code: "missing_scopes",
          since: "2026-11-21T07:00:00.000Z",
          retry_at: null
        })
        assert.match(String(message), /instagram_business_manage_messages/)
        assert.isAbove(String(remedy).length, 10)
        assert.strictEqual(String(health?.["status"]), "degraded")
        assert.isNull(health?.["last_webhook_at"])
      })
    )
    it.effect("lists by network and status, page by page", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        yield* addManagedUser(id, "u1")
        const script = yield* Script
        const asked: Array<readonly [InboxScope["_tag"], AccountFilter, PageRequest]> = []
        const next = Option.some({ createdAt: DateTime.makeUnsafe("2026-11-21T06:55:00.000Z"), id: accountId })
        script.accounts = {
          list: (scope, filter, page) => {
            asked.push([scope._tag, filter, page])
            return Effect.succeed({ items: [accountView()], next })
          }
        }
        const query = "network=instagram&status=connected&limit=1"
        const first = yield* call("GET", `/v1/accounts?${query}`, { key })
        assert.strictEqual(first.status, 200)
        const cursor = String(first.body["next_cursor"])
        assert.strictEqual((yield* call("GET", `/v1/accounts?${query}&cursor=${cursor}`, { key })).status, 200)
        yield* call("GET", `/v1/accounts?${scopes.user("u1")}`, { key })
        const filter = { networks: new Set(["instagram"]), statuses: new Set(["connected"]) }
        assert.deepEqual<unknown>(asked, [
          ["WorkspaceScope", filter, { limit: 1, after: Option.none() }],
          ["WorkspaceScope", filter, { limit: 1, after: next }],
          ["ManagedUserScope", { networks: new Set(), statuses: new Set() }, { limit: 50, after: Option.none() }]
        ])
        const others = [
          `cursor=${cursor}`,
          `network=instagram&cursor=${cursor}`,
          `${query}&cursor=${cursor}&${scopes.user("u1")}`
        ]
        for (const other of others)
          assert.deepEqual(pathsOf(yield* call("GET", `/v1/accounts?${other}`, { key })), ["cursor"])
        const wrong = "network=myspace&status=dead&limit=0&state=x"
        const refused = yield* call("GET", `/v1/accounts?${wrong}`, { key })
        assert.strictEqual(codeOf(refused), "400 VALIDATION_ERROR")
        assert.sameMembers([...pathsOf(refused)], ["network", "status", "limit", "state"])
        for (const twice of ["network=x&network=x", "status="])
          assert.strictEqual(codeOf(yield* call("GET", `/v1/accounts?${twice}`, { key })), "400 VALIDATION_ERROR")
      })
    )
    it.effect("asks the network, and says why that was not possible", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const script = yield* Script
        script.accounts = { check: () => Effect.succeed(accountView({ status: "reauth_required" })) }
        const checked = yield* call("POST", `${path}/check`, { key })
        assert.deepEqual([checked.status, String(checked.body["data"]?.["status"])], [200, "reauth_required"])
        const soon = DateTime.add(yield* DateTime.now, { seconds: 90 })
        const failures: ReadonlyArray<readonly [CheckFailure, string]> = [
          [absent, "404 NOT_FOUND"],
          [new AccountIsDisconnected({ accountId }), "409 ACCOUNT_DISCONNECTED"],
          [new RateLimited({ ...fields, retryAt: Option.some(soon) }), "429 PLATFORM_RATE_LIMITED"],
          [new RateLimited({ ...fields, retryAt: Option.none() }), "429 PLATFORM_RATE_LIMITED"],
          [new Unavailable({ ...fields, reason: "upstream" }), "502 PLATFORM_ERROR"]
        ]
        const waits: Array<string | null> = []
        for (const [failure, code] of failures) {
          script.accounts = { check: () => Effect.fail(failure) }
          const answer = yield* call("POST", `${path}/check`, { key })
          assert.strictEqual(codeOf(answer), code)
          assert.notInclude(answer.text, "detail-of-mine")
          waits.push(answer.headers.get("retry-after"))
        }
        assert.isAtLeast(Number(waits[2]), 88)
        assert.strictEqual(waits[3], "60")
      })
    )
    it.effect("begins a session to connect it again, with or without a body", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const script = yield* Script
        const asked: Array<unknown> = []
        script.accounts = { find: () => Effect.succeed(accountView()) }
        script.sessions = {
          create: (_, request) => {
            asked.push([
              request.network,
              Option.getOrNull(request.socialAccountId),
              Option.getOrNull(request.returnUrl)
            ])
            return Effect.succeed({ session: sessionWith("pending"), linkToken })
          }
        }
        const return_url = "https://app.example/done"
        for (const init of [{}, { json: {} }, { json: { return_url } }])
          assert.strictEqual((yield* call("POST", `${path}/reconnect`, { key, ...init })).status, 201)
        assert.deepEqual(asked, [
          ["instagram", accountId, null],
          ["instagram", accountId, null],
          ["instagram", accountId, return_url]
        ])
        const wrong = yield* call("POST", `${path}/reconnect`, { key, json: { return_url: "x", network: "x" } })
        assert.sameMembers([...pathsOf(wrong)], ["return_url", "network"])
        script.accounts = { find: () => Effect.fail(absent) }
        const foreign = yield* call("POST", `${path}/reconnect`, { key, json: { return_url: "x" } })
        assert.strictEqual(codeOf(foreign), "404 NOT_FOUND")
      })
    )
    it.effect("disconnects", () =>
      Effect.gen(function* () {
        const { key } = yield* makeInbox()
        const script = yield* Script
        script.accounts = { disconnect: () => Effect.void }
        assert.strictEqual((yield* call("DELETE", path, { key })).status, 204)
        script.accounts = { disconnect: () => Effect.fail(absent), find: () => Effect.fail(absent) }
        assert.strictEqual(codeOf(yield* call("DELETE", path, { key })), "404 NOT_FOUND")
        assert.strictEqual(codeOf(yield* call("GET", path, { key })), "404 NOT_FOUND")
      })
    )
    it.effect(
      "is open to any key and to dashboards of admins, whatever the plan, with the scope left out or named",
      () =>
        Effect.gen(function* () {
          const { id, key } = yield* makeInbox("free")
          const anonymous = (yield* issueKey(id)).key
          yield* setRole(id, "editor", "admin")
          const editor = (yield* issueKey(id, "editor")).key
          yield* setRole(id, "editor", "editor")
          yield* addManagedUser(id, "u1")
          ;(yield* Script).accounts = { list: () => Effect.succeed({ items: [], next: Option.none() }) }
          const rows: ReadonlyArray<readonly [key: string | undefined, query: string, code: string]> = [
            [anonymous, "", "200 undefined"],
            [editor, "", "200 undefined"],
            [anonymous, "inbox_scope=workspace", "200 undefined"],
            [anonymous, scopes.user("u1"), "200 undefined"],
            [undefined, "inbox_scope=x", "401 UNAUTHORIZED"],
            [key, "q=%ZZ&limit=0", "400 INBOX_SCOPE_INVALID"],
            [key, "inbox_scope=a&inbox_scope=a&limit=0", "400 INBOX_SCOPE_INVALID"],
            [key, "inbox_scope=other&limit=0", "400 INBOX_SCOPE_INVALID"],
            [key, "external_user_id=u1&limit=0", "400 INBOX_SCOPE_INVALID"],
            [key, "inbox_scope=managed_user&limit=0", "400 INBOX_SCOPE_INVALID"],
            [key, `${scopes.user("u2")}&limit=0`, "404 MANAGED_USER_NOT_FOUND"],
            [key, "limit=0", "400 VALIDATION_ERROR"]
          ]
          for (const [given, query, code] of rows) {
            const answer = yield* call("GET", `/v1/accounts?${query}`, given === undefined ? {} : { key: given })
            assert.strictEqual(codeOf(answer), code, query)
          }
        })
    )
  })
})
