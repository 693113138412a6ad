import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { sandboxApps } from "@loopbox/adapters-social"
import { at, codeOf, listAt, served, textAt } from "./served.ts"
import { codeFor, decided, dialogQuery, dialogs, redirectUri, secretOf } from "./signingIn.ts"

const mara = "122000000000000011"
const bakery = "110000000000011"

type Call = Effect.Success<ReturnType<typeof served>>["call"]

/** The token of the bakery's Page. */
const pageToken = Effect.fnUntraced(function* (call: Call) {
  const app = { client_id: sandboxApps.facebook.id, client_secret: secretOf("facebook") }
  const token = (query: Readonly<Record<string, string>>) =>
    Effect.map(
      call("GET", "/facebook/v25.0/oauth/access_token", { query: { ...app, ...query }, token: null }),
      ({ body }) => textAt(body, "access_token")
    )
  const short = yield* token({ redirect_uri: redirectUri, code: yield* codeFor(call, "facebook", { person: mara }) })
  const long = yield* token({ grant_type: "fb_exchange_token", fb_exchange_token: short })
  const pages = yield* call("GET", "/facebook/v25.0/me/accounts", { token: long })
  return textAt(pages.body, "data", 0, "access_token")
})

const facebook = { network: "facebook", account_id: bakery }

describe("Sandbox: what happens to an account at its network", () => {
  it.effect("its tokens die, each way with Meta's own number", () =>
    Effect.gen(function* () {
      const { ask, call, control } = yield* served()
      for (const [reason, code] of [
        ["password", "400 190/460"],
        ["removed", "400 190/458"],
        ["expired", "400 190/463"]
      ] as const) {
        const token = yield* pageToken(call)
        assert.strictEqual((yield* ask("facebook", "GET", "/me", { token })).status, 200)
        assert.isAbove(Number(at((yield* control("account/die", { ...facebook, reason })).body, "changed")), 1)
        assert.strictEqual(codeOf(yield* ask("facebook", "GET", "/me", { token })), code)
      }
      yield* control("account/die", { network: "x", account_id: "103" })
      assert.strictEqual((yield* ask("x", "GET", "/users/me")).status, 401)
      assert.strictEqual((yield* control("account/die", { network: "x", account_id: "nobody" })).status, 409)
    })
  )

  it.effect("a permission goes, and calls that need it are refused", () =>
    Effect.gen(function* () {
      const { ask, call, control } = yield* served()
      const token = yield* pageToken(call)
      const talks = () => ask("facebook", "GET", `/${bakery}/conversations`, { token })
      assert.strictEqual((yield* talks()).status, 200)
      yield* control("account/withdraw", { ...facebook, permissions: ["pages_messaging"] })
      assert.strictEqual(codeOf(yield* talks()), "403 10")
      assert.strictEqual((yield* ask("facebook", "GET", "/me", { token })).status, 200)
      const { status } = yield* control("account/withdraw", { ...facebook, permissions: ["tweet.read"] })
      assert.strictEqual(status, 409)
    })
  )

  it.effect("the role on a Page goes, while the token is as valid as before", () =>
    Effect.gen(function* () {
      const { ask, call, control } = yield* served()
      const token = yield* pageToken(call)
      yield* control("account/role", { ...facebook, has_role: false })
      assert.strictEqual(codeOf(yield* ask("facebook", "GET", "/me", { token })), "403 10")
      const form = { subscribed_fields: "feed" }
      const subscribe = () => ask("facebook", "POST", `/${bakery}/subscribed_apps`, { token, form })
      assert.strictEqual(codeOf(yield* subscribe()), "403 200")
      const debugged = yield* ask("facebook", "GET", "/debug_token", { query: { input_token: token } })
      assert.strictEqual(at(debugged.body, "data", "is_valid"), true)
      yield* control("account/role", { ...facebook, has_role: true })
      assert.strictEqual((yield* subscribe()).status, 200)
    })
  )

  it.effect("can be looked at, without its tokens", () =>
    Effect.gen(function* () {
      const { call } = yield* served()
      const token = yield* pageToken(call)
      const query = { network: "instagram", account_id: "17841400000000117" }
      const { body, text } = yield* call("GET", "/sandbox/account", { query, token: null })
      assert.deepStrictEqual(
        [at(body, "through_account_id"), at(body, "person_id"), at(body, "has_role"), at(body, "is_subscribed")],
        [bakery, mara, true, false]
      )
      assert.deepStrictEqual([at(body, "tokens", 0, "state"), at(body, "tokens", 0, "expires_at")], ["valid", null])
      assert.notInclude(text, token)
      const nobody = { network: "instagram", account_id: "1" }
      assert.strictEqual((yield* call("GET", "/sandbox/account", { query: nobody, token: null })).status, 409)
    })
  )

  it.effect("webhooks stop while the app is in development, and X's subscriptions are deleted", () =>
    Effect.gen(function* () {
      const { ask, control, sandbox } = yield* served()
      const comment = (network: "instagram" | "x") =>
        Effect.map(sandbox.mention({ network, from: "Ada", text: "look" }), ({ isTold }) => isTold)
      assert.isTrue(yield* comment("instagram"))
      yield* control("apps", { network: "instagram", is_in_development: true })
      assert.isFalse(yield* comment("instagram"))
      assert.strictEqual((yield* control("apps", { network: "x", is_in_development: true })).status, 409)
      yield* control("unsubscribe", { network: "x" })
      const json = { event_type: "post.mention.create", filter: { user_id: "103" } }
      assert.strictEqual((yield* ask("x", "POST", "/activity/subscriptions", { json })).status, 201)
      assert.isTrue(yield* comment("x"))
      assert.deepStrictEqual((yield* control("unsubscribe", { network: "x" })).body, { changed: 1 })
      assert.isFalse(yield* comment("x"))
    })
  )
})

describe("Sandbox: dialogs that were decided beforehand", () => {
  it.effect("approve without a permission or a Page, deny, and let people choose again", () =>
    Effect.gen(function* () {
      const { call, control } = yield* served()
      const open = Effect.map(
        call("GET", dialogs.facebook, { query: dialogQuery("facebook"), token: null }),
        ({ headers, status }) => ({ status, back: new URL(headers.get("location") ?? "https://nowhere.example") })
      )
      yield* control("consent", {
        network: "facebook",
        decision: "approve",
        person: mara,
        without_accounts: [bakery],
        without_permissions: ["pages_messaging"],
        times: 1
      })
      const approved = yield* open
      assert.isTrue(approved.back.searchParams.has("code"))
      assert.strictEqual((yield* open).status, 200)
      yield* control("consent", { network: "facebook", decision: "deny" })
      assert.strictEqual((yield* open).back.searchParams.get("error"), "access_denied")
      assert.strictEqual(listAt((yield* control("consent")).body).length, 1)
      yield* control("consent", { network: "facebook", decision: "ask" })
      assert.strictEqual((yield* open).status, 200)
      const nobody = { network: "facebook", decision: "approve", person: "1" }
      assert.strictEqual((yield* control("consent", nobody)).status, 409)
    })
  )

  it.effect("never answer", () =>
    Effect.gen(function* () {
      const { call, control } = yield* served()
      yield* control("consent", { network: "threads", decision: "hang", times: 1 })
      const stop = new AbortController()
      const asked = { query: dialogQuery("threads"), token: null, signal: stop.signal }
      const opened = yield* Effect.forkChild(Effect.exit(call("GET", dialogs.threads, asked)))
      const seen = Effect.map(control("requests"), ({ body }) => listAt(body).length)
      while ((yield* seen) === 0) yield* Effect.yieldNow
      stop.abort()
      assert.strictEqual((yield* Fiber.join(opened))._tag, "Failure")
    })
  )
})

describe("Sandbox: Meta's callbacks", () => {
  it.effect("are signed by the app's secret, and their answers judged as Meta does", () =>
    Effect.gen(function* () {
      const received: Array<readonly [string, string]> = []
      const { call, control, ask } = yield* served({
        answerCallback: (path, form) => {
          received.push([path, form.get("signed_request") ?? ""])
          return path.endsWith("deauthorize")
            ? new Response(null, { status: 200 })
            : Response.json({ url: "https://product.example/connect/deletion/A1", confirmation_code: "A1" })
        },
        answerGet: () => "deleted"
      })
      const token = yield* pageToken(call)
      const removed = yield* control("account/callback", { ...facebook, kind: "deauthorize" })
      assert.deepStrictEqual(removed.body, {
        person_id: mara,
        status: 200,
        confirmation_code: null,
        status_page: null,
        problems: []
      })
      assert.strictEqual(codeOf(yield* ask("facebook", "GET", "/me", { token })), "400 190/458")
      const [path, signed] = received[0] ?? ["", ""]
      assert.strictEqual(path, "/v1/webhooks/meta/deauthorize")
      const [signature, payload = ""] = signed.split(".")
      const expected = createHmac("sha256", secretOf("facebook")).update(payload).digest("base64url")
      assert.strictEqual(signature, expected)
      assert.strictEqual(at(JSON.parse(Buffer.from(payload, "base64url").toString()), "user_id"), mara)
      const deleted = yield* control("account/callback", { ...facebook, kind: "data_deletion" })
      assert.deepStrictEqual(
        [at(deleted.body, "confirmation_code"), at(deleted.body, "status_page"), at(deleted.body, "problems")],
        ["A1", 200, []]
      )
      assert.strictEqual(
        (yield* control("account/callback", { network: "x", account_id: "103", kind: "deauthorize" })).status,
        409
      )
    })
  )

  it.effect("tell what Meta would complain of", () =>
    Effect.gen(function* () {
      const { control } = yield* served({
        answerCallback: () => new Response("{url: 'x', confirmation_code: 'y'}", { status: 200 })
      })
      const asked = { network: "threads", account_id: "102", kind: "data_deletion" }
      const { body } = yield* control("account/callback", asked)
      assert.strictEqual(listAt(body, "problems").length, 3)
    })
  )

  it.effect("come back to an app that was never allowed anything as a denial", () =>
    Effect.gen(function* () {
      const { call, control } = yield* served()
      yield* control("apps", { network: "threads", is_in_development: true })
      const back = yield* decided(call, "threads")
      assert.strictEqual(back.searchParams.get("error_reason"), "user_denied")
    })
  )
})
