import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { sandboxApps } from "@loopbox/adapters-social"
import { at, listAt, served, textAt } from "./served.ts"
import type { Asked } from "./served.ts"
import { secrets } from "./sandboxed.ts"
import { codeFor, decided, dialogQuery, dialogs, redirectUri, secretOf, verifier } from "./signingIn.ts"

const nora = "1700000000000000101"
const app = sandboxApps.x
const basic = `Basic ${Buffer.from(`${app.id}:${secretOf("x")}`).toString("base64")}`
const bearer = Redacted.value(app.bearer ?? assert.fail("no bearer"))

type Call = Effect.Success<ReturnType<typeof served>>["call"]

const token = (call: Call, form: Readonly<Record<string, string>>, authorization: string | undefined = basic) =>
  call("POST", "/x/2/oauth2/token", { form, token: null, headers: { authorization } })

const exchange = (call: Call, code: string, more: Readonly<Record<string, string>> = {}, authorization = basic) =>
  token(
    call,
    { grant_type: "authorization_code", redirect_uri: redirectUri, code_verifier: verifier, code, ...more },
    authorization
  )

describe("Sandbox: signing in at X", () => {
  it.effect("gives a token with what was asked for, and one that renews it once", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* served()
      const answer = yield* exchange(call, yield* codeFor(call, "x", { person: nora }))
      assert.strictEqual(at(answer.body, "scope"), "tweet.read tweet.write users.read offline.access")
      const me = yield* ask("x", "GET", "/users/me", { token: textAt(answer.body, "access_token") })
      assert.strictEqual(at(me.body, "data", "username"), "norablum")
      const refresh = { grant_type: "refresh_token", refresh_token: textAt(answer.body, "refresh_token") }
      assert.strictEqual((yield* token(call, refresh, "Basic aWQ6c2VjcmV0")).status, 401)
      const renewed = yield* token(call, refresh)
      const revoked = yield* call("POST", "/x/2/oauth2/revoke", {
        form: { token: textAt(renewed.body, "refresh_token") },
        token: null,
        headers: { authorization: basic }
      })
      assert.deepStrictEqual(revoked.body, { revoked: true })
      const dead = yield* ask("x", "GET", "/users/me", { token: textAt(renewed.body, "access_token") })
      assert.strictEqual(dead.status, 401)
    })
  )

  it.effect("wants the verifier, the address and the app of the dialog, within half a minute and once", () =>
    Effect.gen(function* () {
      const { call } = yield* served()
      const errorOf = ({ body, status }: { readonly body: unknown; readonly status: number }) => [
        status,
        at(body, "error")
      ]
      const used = yield* codeFor(call, "x")
      assert.strictEqual((yield* exchange(call, used)).status, 200)
      assert.deepStrictEqual(errorOf(yield* exchange(call, used)), [400, "invalid_request"])
      const wrong = (more: Readonly<Record<string, string>>) =>
        Effect.flatMap(codeFor(call, "x"), (code) => Effect.map(exchange(call, code, more), errorOf))
      assert.deepStrictEqual(yield* wrong({ code_verifier: "w".repeat(43) }), [400, "invalid_request"])
      assert.deepStrictEqual(yield* wrong({ redirect_uri: `${redirectUri}2` }), [400, "invalid_request"])
      const stranger = exchange(call, yield* codeFor(call, "x"), {}, "Basic aWQ6c2VjcmV0")
      assert.deepStrictEqual(errorOf(yield* stranger), [401, "unauthorized_client"])
      const old = yield* codeFor(call, "x")
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(errorOf(yield* exchange(call, old)), [400, "invalid_request"])
    })
  )

  it.effect("shows an error page for a permission it has not, and without PKCE", () =>
    Effect.gen(function* () {
      const { call } = yield* served()
      const open = (more: Readonly<Record<string, string>>) =>
        Effect.map(call("GET", dialogs.x, { query: dialogQuery("x", more), token: null }), ({ status }) => status)
      assert.strictEqual(yield* open({}), 200)
      assert.strictEqual(yield* open({ scope: "tweet.read tweet.sing" }), 400)
      assert.strictEqual(yield* open({ code_challenge: "short" }), 400)
      assert.strictEqual(yield* open({ state: "s".repeat(501) }), 400)
      const denied = yield* decided(call, "x", { decision: "deny" })
      assert.deepStrictEqual(Object.fromEntries(denied.searchParams), { error: "access_denied", state: "a state" })
    })
  )

  it.effect("gives nobody a refresh token who did not ask for one", () =>
    Effect.gen(function* () {
      const { call } = yield* served()
      const code = yield* codeFor(call, "x", {}, { scope: "tweet.read users.read" })
      const { body } = yield* exchange(call, code)
      assert.deepStrictEqual([at(body, "scope"), at(body, "refresh_token")], ["tweet.read users.read", undefined])
    })
  )
})

const crc = (secret: Redacted.Redacted<string>) => (url: URL) =>
  JSON.stringify({
    response_token: `sha256=${createHmac("sha256", Redacted.value(secret))
      .update(url.searchParams.get("crc_token") ?? "")
      .digest("base64")}`
  })

describe("Sandbox: webhooks of X", () => {
  it.effect("are registered by the app, after a challenge, and bring what was subscribed to", () =>
    Effect.gen(function* () {
      const { call, sandbox } = yield* served({ answerGet: crc(secrets.x) })
      yield* exchange(call, yield* codeFor(call, "x", { person: nora }))
      const asApp = (method: string, path: string, more: Asked = {}) =>
        call(method, `/x/2${path}`, { token: bearer, ...more })
      const mention = Effect.map(
        sandbox.mention({ network: "x", accountId: nora, from: "Ada", text: "look" }),
        ({ isTold }) => isTold
      )
      assert.isFalse(yield* mention)
      const registered = yield* asApp("POST", "/webhooks", { json: { url: "https://product.example/v1/webhooks/x" } })
      const webhook_id = textAt(registered.body, "data", "id")
      const subscribe = (user_id: string, to: string) =>
        asApp("POST", "/activity/subscriptions", {
          json: { event_type: "post.mention.create", filter: { user_id }, webhook_id: to }
        })
      assert.strictEqual((yield* subscribe(nora, "1")).status, 400)
      assert.strictEqual((yield* subscribe("1700000000000000103", webhook_id)).status, 403)
      assert.strictEqual((yield* subscribe(nora, webhook_id)).status, 201)
      assert.isTrue(yield* mention)
      assert.strictEqual(listAt((yield* asApp("GET", "/activity/subscriptions")).body, "data").length, 1)
      assert.strictEqual(at((yield* asApp("PUT", `/webhooks/${webhook_id}`)).body, "data", "valid"), true)
      assert.strictEqual((yield* asApp("DELETE", `/webhooks/${webhook_id}`)).status, 200)
      assert.isFalse(yield* mention)
    })
  )

  it.effect("are not registered by people, nor where the challenge is answered wrongly", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* served({ answerGet: crc(Redacted.make("another secret")) })
      const json = { url: "https://product.example/v1/webhooks/x" }
      assert.strictEqual((yield* ask("x", "POST", "/webhooks", { json })).status, 403)
      const refused = yield* call("POST", "/x/2/webhooks", { json, token: bearer })
      assert.deepStrictEqual([refused.status, at(refused.body, "title")], [400, "CrcValidationFailed"])
      const listed = yield* call("GET", "/x/2/webhooks", { token: bearer })
      assert.deepStrictEqual(at(listed.body, "data"), [])
    })
  )
})
