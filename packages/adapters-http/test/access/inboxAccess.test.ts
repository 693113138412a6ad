import { assert, describe, layer } from "@effect/vitest"
import { Access } from "@loopbox/core/access/Access"
import { Administration } from "@loopbox/core/access/Administration"
import { InboxAccess } from "@loopbox/core/access/InboxAccess"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { Effect, Layer } from "effect"
import {
  addManagedUser,
  comment,
  connectAccount,
  inbox,
  issueKey,
  itemId,
  makeInbox,
  scopes,
  setRole
} from "../inbox/inboxSupport.ts"
import { call, codeOf, server, serverWith, services } from "../support.ts"

const live = { excludeTestServices: true } as const

const reasonOf = (answer: { readonly body: { readonly [member: string]: unknown } }) =>
  JSON.parse(JSON.stringify(answer.body)).error.details?.reason

describe("rows 1–3, then object, then body (api.md §2)", () => {
  layer(
    server,
    live
  )((it) => {
    it.effect("answers the first thing that is wrong, whatever else is", () =>
      Effect.gen(function* () {
        const { id, key } = yield* makeInbox()
        const account = yield* connectAccount(id, "u1")
        yield* comment(account, ["a"])
        const item = yield* itemId(key, "a")
        const anonymous = (yield* issueKey(id)).key
        yield* setRole(id, "editor", "admin")
        const editor = (yield* issueKey(id, "editor")).key
        yield* setRole(id, "editor", "editor")
        const poor = yield* makeInbox("api")
        yield* addManagedUser(poor.id, "u1")

        // Each row is wrong in everything that comes after it.
        const bad = "limit=x&nonsense=1&is_read=maybe"
        const rows: ReadonlyArray<readonly [key: string | undefined, query: string, code: string, reason?: string]> = [
          [undefined, `q=%ZZ&${bad}`, "401 UNAUTHORIZED"],
          ["lbx_live_wrong", `q=%ZZ&${bad}`, "401 UNAUTHORIZED"],
          [key, `inbox_scope=a&inbox_scope=b&q=%ZZ&${bad}`, "400 INBOX_SCOPE_INVALID", "malformed_query"],
          [key, `q=%FF&${bad}`, "400 INBOX_SCOPE_INVALID", "malformed_query"],
          [key, `external_user_id=u1&external_user_id=u1&${bad}`, "400 INBOX_SCOPE_REQUIRED"],
          [key, `inbox_scope=x&inbox_scope=x&${bad}`, "400 INBOX_SCOPE_INVALID", "duplicate_parameter"],
          [key, `${scopes.user("u1")}&external_user_id=u1&${bad}`, "400 INBOX_SCOPE_INVALID", "duplicate_parameter"],
          [anonymous, `inbox_scope=Workspace&external_user_id=u&${bad}`, "400 INBOX_SCOPE_INVALID", "unknown_scope"],
          [anonymous, `inbox_scope=&${bad}`, "400 INBOX_SCOPE_INVALID", "unknown_scope"],
          [
            anonymous,
            `inbox_scope=workspace&external_user_id=&${bad}`,
            "400 INBOX_SCOPE_INVALID",
            "external_user_id_not_allowed"
          ],
          [anonymous, `inbox_scope=workspace&${bad}`, "403 API_KEY_CREATOR_REQUIRED"],
          [editor, `inbox_scope=workspace&${bad}`, "403 INSUFFICIENT_ROLE"],
          [poor.key, `inbox_scope=managed_user&${bad}`, "400 INBOX_SCOPE_INVALID", "external_user_id_required"],
          [
            poor.key,
            `inbox_scope=managed_user&external_user_id=%20+%09&${bad}`,
            "400 INBOX_SCOPE_INVALID",
            "external_user_id_required"
          ],
          [poor.key, `${scopes.user("é".repeat(257))}&${bad}`, "400 INBOX_SCOPE_INVALID", "external_user_id_invalid"],
          [poor.key, `${scopes.user("U1")}&${bad}`, "404 MANAGED_USER_NOT_FOUND"],
          [poor.key, `${scopes.user("u1")}&${bad}`, "402 PLAN_FEATURE_NOT_AVAILABLE"],
          [poor.key, `inbox_scope=workspace&source=x_reply&${bad}`, "402 PLAN_FEATURE_NOT_AVAILABLE"],
          [key, `inbox_scope=workspace&source=nonsense&${bad}`, "400 VALIDATION_ERROR"]
        ]
        for (const [given, query, code, reason] of rows) {
          const answer = yield* inbox("GET", "", query, given === undefined ? {} : { key: given })
          assert.strictEqual(codeOf(answer), code, query)
          assert.strictEqual(reasonOf(answer), reason, query)
          if (code.startsWith("401")) assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
        }

        const broken = { body: "{bad", headers: { "content-type": "text/plain" } }
        const state = (given: string, query: string, which = item, rest: object = broken) =>
          Effect.map(inbox("POST", `/${which}/thread-state`, query, { key: given, ...rest }), codeOf)
        assert.strictEqual(yield* state("lbx_x", "q=%ZZ", "itm_none"), "401 UNAUTHORIZED")
        assert.strictEqual(yield* state(key, "inbox_scope=x", "itm_none"), "400 INBOX_SCOPE_INVALID")
        assert.strictEqual(yield* state(poor.key, "inbox_scope=x"), "400 INBOX_SCOPE_INVALID")
        assert.strictEqual(yield* state(poor.key, scopes.workspace), "402 PLAN_FEATURE_NOT_AVAILABLE")
        assert.strictEqual(yield* state(key, scopes.workspace, "itm_none"), "404 NOT_FOUND")
        yield* addManagedUser(id, "u2")
        assert.strictEqual(yield* state(key, scopes.user("u2")), "404 NOT_FOUND")
        assert.strictEqual(yield* state(key, scopes.workspace), "415 UNSUPPORTED_MEDIA_TYPE")
        assert.strictEqual(yield* state(key, scopes.workspace, item, { json: {} }), "400 VALIDATION_ERROR")
        const large = { body: new Uint8Array(1024 * 1024 + 1), headers: { "content-type": "application/json" } }
        assert.strictEqual(yield* state(key, scopes.workspace, "itm_none", large), "404 NOT_FOUND")
        assert.strictEqual(yield* state(key, scopes.workspace, item, large), "413 PAYLOAD_TOO_LARGE")
      })
    )
    it.effect("judges roles, members, keys and plans anew for every request", () =>
      Effect.gen(function* () {
        const administration = yield* Administration
        const { id, key, keyId } = yield* makeInbox()
        const status = Effect.map(inbox("GET", "/unread-count", scopes.workspace, { key }), ({ status }) => status)
        assert.strictEqual(yield* status, 200)
        yield* setRole(id, "owner", "viewer")
        assert.strictEqual(yield* status, 403)
        yield* setRole(id, "owner", "admin")
        yield* administration.updateWorkspace(id, { plan: "free" })
        assert.strictEqual(yield* status, 402)
        yield* administration.updateWorkspace(id, { plan: "basic" })
        assert.strictEqual(yield* status, 200)
        yield* administration.removeMember(id, "owner")
        assert.strictEqual(yield* status, 401)
        yield* setRole(id, "owner", "owner")
        assert.strictEqual(yield* status, 200)
        yield* administration.revokeKey(id, keyId)
        assert.strictEqual(yield* status, 401)
      })
    )
    it.effect("routes before it authenticates", () =>
      Effect.gen(function* () {
        assert.strictEqual(codeOf(yield* call("GET", "/v1/inbox/mark-all-read")), "405 METHOD_NOT_ALLOWED")
        assert.strictEqual(codeOf(yield* call("PUT", "/v1/inbox/x")), "405 METHOD_NOT_ALLOWED")
        assert.strictEqual(codeOf(yield* call("GET", "/v1/inbox/x/y")), "404 NOT_FOUND")
      })
    )
  })

  const down = Layer.fresh(InboxAccess.layer).pipe(
    Layer.provideMerge(
      Layer.succeed(
        Access,
        Access.of({
          authenticate: () => Effect.fail(new StoreUnavailable({ operation: "test", committed: "no", cause: "down" }))
        })
      )
    ),
    Layer.provide(services)
  )
  layer(serverWith().pipe(Layer.provide(down), Layer.provideMerge(services)), live)("a store that is down", (it) => {
    it.effect("is INBOX_SCOPE_LOOKUP_FAILED, and says when to try again", () =>
      Effect.gen(function* () {
        for (const path of ["", "/unread-count", "/x", "/ws"]) {
          const answer = yield* inbox("GET", path, "inbox_scope=nonsense", { key: "lbx_x" })
          assert.strictEqual(codeOf(answer), "500 INBOX_SCOPE_LOOKUP_FAILED")
          assert.strictEqual(answer.headers.get("retry-after"), "1")
          assert.notInclude(answer.text, "down")
        }
      })
    )
  })
  layer(serverWith({ rateLimit: { perSecond: 0.01, burst: 2 } }).pipe(Layer.provideMerge(services)), live)(
    "a key's rate",
    (it) => {
      it.effect("is judged behind the key and before its scope", () =>
        Effect.gen(function* () {
          const { key } = yield* makeInbox()
          const first = yield* inbox("GET", "", "q=%ZZ", { key })
          assert.strictEqual(codeOf(first), "400 INBOX_SCOPE_INVALID")
          assert.strictEqual(first.headers.get("ratelimit-remaining"), "1")
          yield* inbox("GET", "/ws", scopes.workspace, { key })
          const third = yield* inbox("GET", "", "q=%ZZ", { key })
          assert.strictEqual(codeOf(third), "429 RATE_LIMITED")
          assert.match(third.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
        })
      )
    }
  )
})
