import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { sandboxApps } from "@loopbox/adapters-social"
import { at, codeOf, listAt, served, textAt } from "./served.ts"
import { codeFor, decided, redirectUri, secretOf } from "./signingIn.ts"

const network = "facebook"
const mara = "122000000000000011"
const bakery = "110000000000011"
const instagramOfBakery = "17841400000000117"

type Call = Effect.Success<ReturnType<typeof served>>["call"]

const app = { client_id: sandboxApps.facebook.id, client_secret: secretOf(network) }

const exchange = (call: Call, code: string, more: Readonly<Record<string, string>> = {}) =>
  call("GET", "/facebook/v25.0/oauth/access_token", {
    query: { ...app, redirect_uri: redirectUri, code, ...more },
    token: null
  })

const lasting = Effect.fnUntraced(function* (call: Call, chosen: Readonly<Record<string, string>> = { person: mara }) {
  const short = textAt((yield* exchange(call, yield* codeFor(call, network, chosen))).body, "access_token")
  const query = { ...app, grant_type: "fb_exchange_token", fb_exchange_token: short }
  const long = yield* call("GET", "/facebook/v25.0/oauth/access_token", { query, token: null })
  return { short, token: textAt(long.body, "access_token") }
})

const fields = "id,name,access_token,tasks,picture{url},instagram_business_account{id,username}"

const pagesOf = Effect.fnUntraced(function* (call: Call, token: string, path = "/me/accounts") {
  const { body } = yield* call("GET", `/facebook/v25.0${path}`, { query: { fields, limit: "100" }, token })
  return listAt(body, "data")
})

describe("Sandbox: signing in at Facebook", () => {
  it.effect("gives the person's Pages with their roles, those without a token, and those of a portfolio apart", () =>
    Effect.gen(function* () {
      const { call } = yield* served()
      const { token } = yield* lasting(call)
      const pages = yield* pagesOf(call, token)
      assert.deepStrictEqual(
        pages.map((page) => [at(page, "name"), typeof at(page, "access_token")]),
        [
          ["Stein Bakery", "string"],
          ["Café Stein", "string"],
          ["Street Market", "string"],
          ["Old Mill", "undefined"]
        ]
      )
      assert.include(listAt(pages[1], "tasks"), "PROFILE_PLUS_CREATE_CONTENT")
      assert.deepStrictEqual(listAt(pages[2], "tasks"), ["ANALYZE", "ADVERTISE"])
      assert.strictEqual(at(pages[0], "instagram_business_account", "id"), instagramOfBakery)
      assert.isString(at(pages[0], "picture", "data", "url"))
      const { body } = yield* call("GET", "/facebook/v25.0/me/businesses", { token })
      const business = textAt(body, "data", 0, "id")
      const names = (path: string) => Effect.map(pagesOf(call, token, path), (all) => all.map((one) => at(one, "name")))
      assert.deepStrictEqual(yield* names(`/${business}/owned_pages`), ["Market Hall"])
      assert.deepStrictEqual(yield* names(`/${business}/client_pages`), ["Harbour Stalls"])
      const first = yield* call("GET", "/facebook/v25.0/me/accounts", { query: { limit: "3" }, token })
      const after = textAt(first.body, "paging", "cursors", "after")
      const second = yield* call("GET", "/facebook/v25.0/me/accounts", { query: { limit: "3", after }, token })
      assert.deepStrictEqual([listAt(first.body, "data").length, listAt(second.body, "data").length], [3, 1])
    })
  )

  it.effect("refuses a code that was used, is old, of another address or by another secret", () =>
    Effect.gen(function* () {
      const { call } = yield* served()
      const used = yield* codeFor(call, network)
      assert.strictEqual((yield* exchange(call, used)).status, 200)
      assert.strictEqual(codeOf(yield* exchange(call, used)), "400 100/36009")
      const elsewhere = { redirect_uri: `${redirectUri}2` }
      assert.strictEqual(codeOf(yield* exchange(call, yield* codeFor(call, network), elsewhere)), "400 100/36008")
      const wrong = { client_secret: "wrong" }
      assert.strictEqual(codeOf(yield* exchange(call, yield* codeFor(call, network), wrong)), "400 1")
      const old = yield* codeFor(call, network)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(codeOf(yield* exchange(call, old)), "400 100/36007")
    })
  )

  it.effect("gives Page tokens that end with a short token, and never when they came of a long one", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* served()
      const { short, token } = yield* lasting(call)
      const pageToken = (person: string) =>
        Effect.map(pagesOf(call, person), (pages) => textAt(pages[0], "access_token"))
      const [brief, lastingOne] = [yield* pageToken(short), yield* pageToken(token)]
      yield* TestClock.adjust("2 hours")
      const me = (of: string) => Effect.map(ask(network, "GET", "/me", { token: of }), ({ status }) => status)
      assert.deepStrictEqual([yield* me(brief), yield* me(lastingOne)], [400, 200])
      yield* TestClock.adjust("90 days")
      assert.deepStrictEqual([yield* me(token), yield* me(lastingOne)], [400, 200])
    })
  )

  it.effect("tells what was granted and declined, and takes it back", () =>
    Effect.gen(function* () {
      const { ask, call } = yield* served()
      const { token } = yield* lasting(call, { person: mara, account: bakery, permission: "pages_show_list" })
      const { body } = yield* call("GET", "/facebook/v25.0/me/permissions", { token })
      const states = new Map(listAt(body, "data").map((one) => [at(one, "permission"), at(one, "status")]))
      assert.strictEqual(states.get("pages_show_list"), "granted")
      assert.strictEqual(states.get("pages_messaging"), "declined")
      const pages = yield* pagesOf(call, token)
      assert.deepStrictEqual(
        pages.map((page) => at(page, "id")),
        [bakery]
      )
      const pageToken = textAt(pages[0], "access_token")
      const form = { subscribed_fields: "feed" }
      const subscribe = ask(network, "POST", `/${bakery}/subscribed_apps`, { token: pageToken, form })
      assert.strictEqual(codeOf(yield* subscribe), "403 10")
      const inspect = () =>
        call("GET", "/facebook/v25.0/debug_token", {
          query: { input_token: pageToken, access_token: `${app.client_id}|${app.client_secret}` },
          token: null
        })
      const before = (yield* inspect()).body
      assert.deepStrictEqual([at(before, "data", "type"), at(before, "data", "user_id")], ["PAGE", mara])
      assert.deepStrictEqual(at(before, "data", "granular_scopes"), [
        { scope: "pages_show_list", target_ids: [bakery] }
      ])
      yield* call("DELETE", "/facebook/v25.0/me/permissions", { token })
      assert.strictEqual(at((yield* inspect()).body, "data", "is_valid"), false)
      assert.strictEqual(codeOf(yield* ask(network, "GET", "/me", { token: pageToken })), "400 190/458")
    })
  )

  it.effect("asks again for what was declined only when it is told to", () =>
    Effect.gen(function* () {
      const { call } = yield* served()
      const grantedBy = Effect.fnUntraced(function* (chosen: Readonly<Record<string, string>>) {
        const { token } = yield* lasting(call, { person: mara, ...chosen })
        const { body } = yield* call("GET", "/facebook/v25.0/me/permissions", { token })
        return listAt(body, "data").some(
          (one) => at(one, "permission") === "pages_messaging" && at(one, "status") === "granted"
        )
      })
      assert.isFalse(yield* grantedBy({ permission: "pages_show_list" }))
      assert.isFalse(yield* grantedBy({}))
      assert.isTrue(yield* grantedBy({ auth_type: "rerequest" }))
    })
  )

  it.effect("says by the four parameters that it was denied, also while the app is in development", () =>
    Effect.gen(function* () {
      const { call, control } = yield* served()
      const quartet = {
        error: "access_denied",
        error_code: "200",
        error_reason: "user_denied",
        error_description: "Permissions error",
        state: "a state"
      }
      const denied = yield* decided(call, network, { decision: "deny" })
      assert.deepStrictEqual(Object.fromEntries(denied.searchParams), quartet)
      yield* control("apps", { network, is_in_development: true })
      const approved = yield* decided(call, network)
      assert.deepStrictEqual(Object.fromEntries(approved.searchParams), quartet)
    })
  )
})

describe("Sandbox: an Instagram account that is linked to a Page", () => {
  it.effect("is read and answered at Facebook's host with the Page's token", () =>
    Effect.gen(function* () {
      const { ask, call, sandbox } = yield* served()
      const { token } = yield* lasting(call)
      const page = textAt((yield* pagesOf(call, token))[0], "access_token")
      const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
        Effect.map(ask(network, "GET", path, { token: page, query }), ({ body }) => body)
      const account = { network: "instagram", accountId: instagramOfBakery } as const
      const { id } = yield* sandbox.comment({ ...account, from: "Ada Lind", text: "fresh?" })
      yield* sandbox.message({ ...account, from: "Ada Lind", text: "open?" })
      const self = yield* get(`/${instagramOfBakery}`, { fields: "id,username,name,profile_picture_url" })
      assert.strictEqual(at(self, "id"), instagramOfBakery)
      const media = textAt(yield* get(`/${instagramOfBakery}/media`), "data", 0, "id")
      assert.strictEqual(at(yield* get(`/${media}/comments`), "data", 0, "id"), id)
      const answer = yield* ask(network, "POST", `/${id}/replies`, { token: page, form: { message: "yes" } })
      assert.strictEqual(answer.status, 200)
      const talks = yield* get(`/${bakery}/conversations`, { platform: "instagram", fields: "participants" })
      const ada = textAt(talks, "data", 0, "participants", "data", 0, "id")
      assert.strictEqual(at(talks, "data", 0, "participants", "data", 1, "id"), instagramOfBakery)
      const json = { recipient: { id: ada }, message: { text: "until six" } }
      assert.strictEqual((yield* ask(network, "POST", `/${bakery}/messages`, { token: page, json })).status, 200)
      // Another Page's token reaches nothing of it.
      const stranger = yield* ask(network, "GET", `/${media}/comments`)
      assert.strictEqual(stranger.status, 400)
    })
  )

  it.effect("tells by webhook when its Page is subscribed", () =>
    Effect.gen(function* () {
      const { ask, call, sandbox } = yield* served()
      const { token } = yield* lasting(call)
      const page = textAt((yield* pagesOf(call, token))[0], "access_token")
      const account = { network: "instagram", accountId: instagramOfBakery } as const
      const comment = () =>
        Effect.map(sandbox.comment({ ...account, from: "Ada Lind", text: "?" }), ({ isTold }) => isTold)
      const message = () =>
        Effect.map(sandbox.message({ ...account, from: "Ada Lind", text: "?" }), ({ isTold }) => isTold)
      assert.isFalse(yield* comment())
      const subscribe = (subscribed_fields: string) =>
        ask(network, "POST", `/${bakery}/subscribed_apps`, { token: page, form: { subscribed_fields } })
      yield* subscribe("feed")
      assert.deepStrictEqual([yield* comment(), yield* message()], [true, false])
      yield* subscribe("feed,messages")
      assert.isTrue(yield* message())
    })
  )
})
