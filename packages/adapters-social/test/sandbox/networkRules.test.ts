import { networks } from "../../src/names.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { at, codeOf, listAt, served, textAt } from "./served.ts"
import { accounts } from "./sandboxed.ts"

describe("Sandbox: tokens", () => {
  it.effect("several of one account are good, and one that is forgotten nowhere stays good", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      for (const account of accounts) {
        yield* sandbox.connect({ ...account, accessToken: Redacted.make(`second of ${account.network}`) })
      }
      for (const network of networks) {
        const path = network === "x" ? "/users/me" : "/me"
        for (const token of [`token of ${network}`, `second of ${network}`]) {
          assert.strictEqual((yield* ask(network, "GET", path, { token })).status, 200)
        }
      }
    })
  )

  it.effect("expire, are revoked and lose permissions, each in the network's words; newer ones are sound", () =>
    Effect.gen(function* () {
      const { ask, control, sandbox } = yield* served()
      const page = Effect.map(ask("facebook", "GET", "/me"), (answered) => codeOf(answered))
      const user = Effect.map(ask("x", "GET", "/users/me"), ({ status }) => status)
      const change = (more: Readonly<Record<string, unknown>>) =>
        Effect.all([control("tokens", { network: "facebook", ...more }), control("tokens", { network: "x", ...more })])
      yield* change({ state: "expired" })
      assert.deepStrictEqual([yield* page, yield* user], ["400 190/463", 401])
      yield* change({ state: "revoked" })
      assert.deepStrictEqual([yield* page, yield* user], ["400 190/458", 401])
      yield* change({ state: "valid", without_scopes: ["pages_read_engagement", "users.read"] })
      assert.deepStrictEqual([yield* page, yield* user], ["403 10", 403])
      assert.strictEqual((yield* ask("facebook", "GET", "/me/conversations")).status, 200)
      const another = accounts.find(({ network }) => network === "facebook")
      if (another !== undefined) yield* sandbox.connect({ ...another, accessToken: Redacted.make("newer") })
      assert.strictEqual((yield* ask("facebook", "GET", "/me", { token: "newer" })).status, 200)
    })
  )

  for (const [network, grant] of [
    ["instagram", "ig"],
    ["threads", "th"]
  ] as const) {
    it.effect(`of ${network} are renewed when they are a day old and not dead`, () =>
      Effect.gen(function* () {
        const { ask, call, control } = yield* served()
        const renew = call("GET", `/${network}/refresh_access_token`, {
          query: { grant_type: `${grant}_refresh_token` },
          token: `token of ${network}`
        })
        assert.strictEqual(codeOf(yield* renew), "400 100")
        yield* TestClock.adjust("24 hours")
        const { body } = yield* renew
        assert.strictEqual(at(body, "expires_in"), 5_183_944)
        const token = textAt(body, "access_token")
        assert.strictEqual((yield* ask(network, "GET", "/me", { token })).status, 200)
        yield* control("tokens", { network, state: "expired" })
        assert.strictEqual(codeOf(yield* renew), "400 190/463")
      })
    )
  }

  it.effect("of X are renewed by a refresh token, and end after two hours", () =>
    Effect.gen(function* () {
      const { ask, sandbox } = yield* served()
      const account = accounts.find(({ network }) => network === "x")
      if (account !== undefined) yield* sandbox.connect({ ...account, refreshToken: Redacted.make("refresh 1") })
      const renew = (refresh_token: string) =>
        ask("x", "POST", "/oauth2/token", {
          form: { grant_type: "refresh_token", refresh_token },
          token: null,
          headers: { authorization: "Basic aWQ6c2VjcmV0" }
        })
      const first = yield* renew("refresh 1")
      assert.deepStrictEqual([at(first.body, "expires_in"), at(first.body, "token_type")], [7_200, "bearer"])
      const token = textAt(first.body, "access_token")
      assert.strictEqual((yield* ask("x", "GET", "/users/me", { token })).status, 200)
      yield* TestClock.adjust("2 hours")
      assert.strictEqual((yield* ask("x", "GET", "/users/me", { token })).status, 401)
      assert.strictEqual((yield* renew(textAt(first.body, "refresh_token"))).status, 200)
      const unsigned = yield* ask("x", "POST", "/oauth2/token", { form: { grant_type: "refresh_token" }, token: null })
      assert.strictEqual(unsigned.status, 401)
      // Nothing secret is noted.
      assert.notInclude(JSON.stringify(sandbox.api.listRequests()), "refresh 1")
    })
  )
})

describe("Sandbox: budgets", () => {
  it.effect("fall with every answer of X, end in 429, and begin again after 15 minutes", () =>
    Effect.gen(function* () {
      const { ask } = yield* served()
      const me = ask("x", "GET", "/users/me")
      const left = Effect.map(me, ({ headers, status }) => [status, headers.get("x-rate-limit-remaining")])
      assert.deepStrictEqual(yield* left, [200, "74"])
      for (let i = 0; i < 74; i++) yield* me
      assert.deepStrictEqual(yield* left, [429, "0"])
      assert.strictEqual((yield* ask("x", "GET", "/tweets", { query: { ids: "1" } })).status, 200)
      yield* TestClock.adjust("15 minutes")
      assert.deepStrictEqual(yield* left, [200, "74"])
    })
  )

  it.effect("of Meta rise in percent, end in a code of the business, and say when to come back", () =>
    Effect.gen(function* () {
      const { ask, control } = yield* served()
      yield* control("settings", { meta_calls: 4 })
      for (const [network, code] of [
        ["instagram", 80_002],
        ["facebook", 80_001],
        ["threads", 4]
      ] as const) {
        const usage: Array<unknown> = []
        const header = network === "threads" ? "x-app-usage" : "x-business-use-case-usage"
        const usageIn = (headers: Headers) => {
          const parsed: unknown = JSON.parse(headers.get(header) ?? "{}")
          return network === "threads" ? parsed : at(Object.values(parsed ?? {})[0], 0)
        }
        for (let i = 0; i < 4; i++) {
          usage.push(at(usageIn((yield* ask(network, "GET", "/me")).headers), "call_count"))
        }
        assert.deepStrictEqual(usage, [25, 50, 75, 100])
        const over = yield* ask(network, "GET", "/me")
        assert.strictEqual(codeOf(over), `400 ${code}`)
        if (network === "threads") continue
        assert.strictEqual(at(usageIn(over.headers), "estimated_time_to_regain_access"), 24 * 60)
      }
    })
  )

  it.effect("of Meta's apps are shared by their accounts, and end in code 4 until the hour is over", () =>
    Effect.gen(function* () {
      const { ask, control, sandbox } = yield* served()
      yield* control("settings", { meta_app_calls: 4 })
      const other = { network: "facebook", accountId: "999", name: "Other", username: "other" } as const
      yield* sandbox.connect({ ...other, accessToken: Redacted.make("other") })
      for (const token of ["token of facebook", "other", "token of facebook", "other"]) {
        assert.strictEqual((yield* ask("facebook", "GET", "/me", { token })).status, 200)
      }
      assert.strictEqual(codeOf(yield* ask("facebook", "GET", "/me")), "400 4")
      assert.strictEqual((yield* ask("instagram", "GET", "/me")).status, 200)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* ask("facebook", "GET", "/me")).status, 200)
    })
  )
})

describe("Sandbox: reading lags behind writing", () => {
  it.effect("as long as it is set to, everywhere; webhooks don't wait", () =>
    Effect.gen(function* () {
      const { ask, control, sandbox, told } = yield* served()
      yield* control("settings", { lag_ms: 5_000 })
      assert.strictEqual((yield* control("settings", { lag_ms: 60_001 })).status, 400)
      const { id } = yield* sandbox.comment({ network: "facebook", from: "Ada", text: "hi" })
      yield* sandbox.message({ network: "instagram", from: "Ada", text: "hi" })
      yield* sandbox.mention({ network: "x", from: "Ada", text: "hi" })
      yield* sandbox.comment({ network: "threads", from: "Ada", text: "hi" })
      // Beside the message an edit that is none.
      assert.strictEqual((yield* told).length, 5)
      const mine = accounts.find(({ network }) => network === "x")?.accountId ?? ""
      const thread = textAt((yield* ask("threads", "GET", "/me/threads")).body, "data", 0, "id")
      const seen = Effect.gen(function* () {
        const mentions = yield* ask("x", "GET", `/users/${mine}/mentions`)
        return [
          (yield* ask("facebook", "GET", `/${id}`)).status,
          listAt(
            (yield* ask("instagram", "GET", "/me/conversations", { query: { platform: "instagram" } })).body,
            "data"
          ).length,
          at(mentions.body, "meta", "result_count"),
          listAt((yield* ask("threads", "GET", `/${thread}/conversation`)).body, "data").length
        ]
      })
      assert.deepStrictEqual(yield* seen, [400, 0, 0, 0])
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* seen, [200, 1, 1, 1])
    })
  )
})

describe("Sandbox: webhooks of what came over the API", () => {
  it.effect("can be lost or doubled, apart from those of what people do", () =>
    Effect.gen(function* () {
      const { ask, control, sandbox, told } = yield* served()
      const { id } = yield* sandbox.comment({ network: "facebook", from: "Ada", text: "hi" })
      const answer = (message: string) => ask("facebook", "POST", `/${id}/comments`, { form: { message } })
      yield* control("settings", { own_webhooks: { times: 0 } })
      yield* answer("lost")
      assert.strictEqual((yield* told).length, 1)
      yield* control("settings", { own_webhooks: { times: 2 } })
      yield* answer("doubled")
      yield* sandbox.comment({ network: "facebook", from: "Bo", text: "hi" })
      assert.strictEqual((yield* told).length, 4)
    })
  )
})

describe("Sandbox: another start", () => {
  it.effect("does not say of what it forgot that it is gone", () =>
    Effect.gen(function* () {
      const before = yield* served({ seed: 1 })
      const comment = yield* before.sandbox.comment({ network: "facebook", from: "Ada", text: "hi" })
      const message = yield* before.sandbox.message({ network: "instagram", from: "Ada", text: "hi" })
      const reply = yield* before.sandbox.comment({ network: "threads", from: "Ada", text: "hi" })
      const post = yield* before.sandbox.mention({ network: "x", from: "Ada", text: "hi" })
      const { ask, sandbox } = yield* served({ seed: 2 })
      assert.strictEqual(codeOf(yield* ask("facebook", "GET", `/${comment.id}`)), "400 100")
      assert.strictEqual(codeOf(yield* ask("instagram", "GET", `/${message.id}`)), "400 100")
      assert.strictEqual(codeOf(yield* ask("threads", "GET", `/${reply.id}`)), "400 100")
      const later = yield* sandbox.mention({ network: "x", from: "Ada", text: "hi" })
      assert.isTrue(BigInt(later.id) > BigInt(post.id))
    })
  )
})

describe("Sandbox: paths that no network has here", () => {
  it.effect("are 404, and noted", () =>
    Effect.gen(function* () {
      const { ask, control } = yield* served()
      for (const network of networks) {
        assert.strictEqual((yield* ask(network, "GET", "/one/two/three/four")).status, 404)
      }
      const requests = listAt((yield* control("requests")).body)
      assert.deepStrictEqual(
        requests.map((one) => at(one, "endpoint")),
        networks.map(() => "unknown")
      )
      yield* control("requests/clear", {})
      assert.deepStrictEqual((yield* control("requests")).body, [])
    })
  )
})
