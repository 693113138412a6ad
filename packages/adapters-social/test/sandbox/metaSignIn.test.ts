import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { sandboxApps } from "@loopbox/adapters-social"
import { at, codeOf, served, textAt } from "./served.ts"
import { codeFor, decided, dialogQuery, dialogs, redirectUri, secretOf } from "./signingIn.ts"

const nora = { instagram: "17841400000000101", threads: "26000000000000101" }

const paths = { instagram: "ig", threads: "th" }

for (const network of ["instagram", "threads"] as const) {
  const exchange = (
    call: Effect.Success<ReturnType<typeof served>>["call"],
    code: string,
    more: Readonly<Record<string, string>> = {}
  ) =>
    call("POST", `/${network}/oauth/access_token`, {
      form: {
        client_id: sandboxApps[network].id,
        client_secret: secretOf(network),
        grant_type: "authorization_code",
        redirect_uri: redirectUri,
        code,
        ...more
      },
      token: null
    })

  describe(`Sandbox: signing in at ${network}`, () => {
    it.effect("is a page of people, a page of choices, and a code for the app", () =>
      Effect.gen(function* () {
        const { ask, call } = yield* served()
        const people = yield* call("GET", dialogs[network], { query: dialogQuery(network), token: null })
        assert.strictEqual(people.status, 200)
        assert.match(people.headers.get("content-type") ?? "", /^text\/html/)
        assert.include(people.text, "Nora Blum")
        assert.notInclude(people.text, "<script")
        const link = /href="([^"]*person=\d+[^"]*)"/.exec(people.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
        const choices = yield* call("GET", link, { token: null })
        assert.include(choices.text, 'name="permission"')
        const back = yield* decided(call, network, { person: nora[network] })
        assert.strictEqual(back.origin + back.pathname, redirectUri)
        assert.strictEqual(back.searchParams.get("state"), "a state")
        assert.strictEqual(back.hash, "#_")
        const short = yield* exchange(call, back.searchParams.get("code") ?? "")
        // A number that no double holds, digit by digit.
        assert.include(short.text, `"user_id":${nora[network]}`)
        const long = yield* call("GET", `/${network}/access_token`, {
          query: {
            grant_type: `${paths[network]}_exchange_token`,
            client_secret: secretOf(network),
            access_token: textAt(short.body, "access_token")
          },
          token: null
        })
        const token = textAt(long.body, "access_token")
        const me = yield* ask(network, "GET", "/me", { token, query: { fields: "id,username" } })
        assert.strictEqual(textAt(me.body, "username"), "nora.blum.studio")
      })
    )

    it.effect("gives nothing for a code that was used, is old, or of another address, nor to another app", () =>
      Effect.gen(function* () {
        const { call } = yield* served()
        const messageOf = (code: string, more: Readonly<Record<string, string>> = {}) =>
          Effect.map(exchange(call, code, more), ({ body, status }) => {
            assert.strictEqual(status, 400)
            assert.strictEqual(at(body, "error_type"), "OAuthException")
            return textAt(body, "error_message")
          })
        const used = yield* codeFor(call, network)
        assert.strictEqual((yield* exchange(call, used)).status, 200)
        assert.match(yield* messageOf(used), /already used/)
        const other = { redirect_uri: `${redirectUri}/` }
        assert.strictEqual(yield* messageOf(yield* codeFor(call, network), other), "Invalid redirect_uri")
        const secret = { client_secret: "not the secret" }
        assert.match(yield* messageOf(yield* codeFor(call, network), secret), /client secret/)
        assert.strictEqual(yield* messageOf("a code", { client_id: "1" }), "Invalid platform app")
        const old = yield* codeFor(call, network)
        yield* TestClock.adjust("1 hour")
        assert.match(yield* messageOf(old), /Matching code/)
      })
    )

    it.effect("shows an error page, and sends nobody back, when the app asks wrongly", () =>
      Effect.gen(function* () {
        const { call, control } = yield* served()
        const open = (more: Readonly<Record<string, string>>) =>
          Effect.map(
            call("GET", dialogs[network], { query: dialogQuery(network, more), token: null }),
            ({ status }) => status
          )
        assert.strictEqual(yield* open({}), 200)
        assert.strictEqual(yield* open({ client_id: "1" }), 400)
        assert.strictEqual(yield* open({ redirect_uri: "https://elsewhere.example/connect/callback/here" }), 400)
        assert.strictEqual(yield* open({ scope: "business_basic" }), 400)
        assert.strictEqual(yield* open({ response_type: "token" }), 400)
        yield* control("apps", { network, redirect_uri: "https://product.example/pinned" })
        assert.strictEqual(yield* open({}), 400)
        assert.strictEqual(yield* open({ redirect_uri: "https://product.example/pinned" }), 200)
      })
    )

    it.effect("may be denied, and comes back without a permission that was unticked", () =>
      Effect.gen(function* () {
        const { ask, call } = yield* served()
        const denied = yield* decided(call, network, { decision: "deny" })
        assert.deepStrictEqual(Object.fromEntries(denied.searchParams), {
          error: "access_denied",
          error_reason: "user_denied",
          error_description: "The user denied your request",
          state: "a state"
        })
        const code = yield* codeFor(call, network, { person: nora[network], permission: "" })
        const token = textAt((yield* exchange(call, code)).body, "access_token")
        const refused =
          network === "instagram"
            ? ask(network, "GET", "/me/conversations", { token, query: { platform: "instagram" } })
            : ask(network, "GET", "/me/replies", { token })
        assert.strictEqual(codeOf(yield* refused), "403 10")
        assert.strictEqual((yield* ask(network, "GET", "/me", { token })).status, 200)
      })
    )
  })
}

describe("Sandbox: what Instagram and Threads have of their own", () => {
  it.effect("Instagram answers to a code in either form, with ids and permissions as one likes", () =>
    Effect.gen(function* () {
      const { call, control } = yield* served()
      const answer = Effect.fnUntraced(function* () {
        const code = yield* codeFor(call, "instagram", { person: nora.instagram })
        const form = {
          client_id: sandboxApps.instagram.id,
          client_secret: secretOf("instagram"),
          grant_type: "authorization_code",
          redirect_uri: redirectUri,
          code
        }
        return (yield* call("POST", "/instagram/oauth/access_token", { form, token: null })).body
      })
      assert.isTrue(Array.isArray(at(yield* answer(), "permissions")))
      yield* control("settings", { code_answer: "data", user_ids: "string", permissions: "text" })
      const body = yield* answer()
      assert.strictEqual(at(body, "data", 0, "user_id"), nora.instagram)
      assert.match(textAt(body, "data", 0, "permissions"), /^instagram_business_basic,/)
    })
  )

  it.effect("a personal account of Instagram can't finish the dialog", () =>
    Effect.gen(function* () {
      const { call } = yield* served()
      const form = { ...dialogQuery("instagram"), decision: "approve", person: "17841400000000105" }
      const answer = yield* call("POST", dialogs.instagram, { form, token: null })
      assert.strictEqual(answer.status, 400)
      assert.include(answer.text, "professional account")
    })
  )

  it.effect("Instagram's subscription is set, read and ended", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* served()
      const fields = { subscribed_fields: "comments,messages" }
      yield* ask("instagram", "POST", "/me/subscribed_apps", { form: fields })
      const read = () => Effect.map(ask("instagram", "GET", "/me/subscribed_apps"), ({ body }) => at(body, "data"))
      assert.deepStrictEqual(yield* read(), [{ subscribed_fields: ["comments", "messages"] }])
      yield* call("DELETE", "/instagram/v25.0/me/subscribed_apps", { token: "token of instagram" })
      assert.deepStrictEqual(yield* read(), [])
    })
  )

  it.effect("Threads tells of whoever allows the app, Instagram only of those that are subscribed", () =>
    Effect.gen(function* () {
      const { call, sandbox } = yield* served()
      const isTold = Effect.fnUntraced(function* (network: "instagram" | "threads") {
        const code = yield* codeFor(call, network, { person: nora[network] })
        const form = {
          client_id: sandboxApps[network].id,
          client_secret: secretOf(network),
          grant_type: "authorization_code",
          redirect_uri: redirectUri,
          code
        }
        yield* call("POST", `/${network}/oauth/access_token`, { form, token: null })
        return (yield* sandbox.comment({ network, accountId: nora[network], from: "Ada", text: "hi" })).isTold
      })
      assert.deepStrictEqual([yield* isTold("threads"), yield* isTold("instagram")], [true, false])
    })
  )

  it.effect("the token of Threads' app inspects those of people, until they remove it", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* served()
      const app = yield* call("GET", "/threads/oauth/access_token", {
        query: {
          grant_type: "client_credentials",
          client_id: sandboxApps.threads.id,
          client_secret: secretOf("threads")
        },
        token: null
      })
      const token = textAt(app.body, "access_token")
      assert.match(token, /^TH\|/)
      const inspect = () => ask("threads", "GET", "/debug_token", { query: { input_token: "token of threads" }, token })
      assert.strictEqual(at((yield* inspect()).body, "data", "is_valid"), true)
      yield* call("DELETE", "/threads/v1.0/me/permissions", { token: "token of threads" })
      assert.strictEqual(at((yield* inspect()).body, "data", "is_valid"), false)
      const stranger = yield* ask("threads", "GET", "/debug_token", {
        query: { input_token: "token of threads" },
        token: "TH|1|2"
      })
      assert.strictEqual(codeOf(stranger), "400 190")
    })
  )
})
