import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import type { Answer, Received } from "../loopback.ts"
import { kind } from "../meta/graph.ts"
import {
  accountOf,
  answering,
  code,
  dialog,
  exchange,
  form,
  loginOf,
  redirectUri,
  secrets,
  shown,
  verifier,
  why
} from "./support.ts"

type Answers = Readonly<Record<string, Answer | ((request: Received) => Answer)>>

const given = {
  token_type: "bearer",
  expires_in: 7_200,
  access_token: secrets.long,
  refresh_token: "a-refresh-token",
  scope: "tweet.read users.read offline.access"
}
const me = { id: "111", name: "Acme", username: "acme", profile_image_url: "https://pbs.example/a_normal.jpg" }

const x = (answers: Answers = {}, settings = {}) =>
  loginOf("x", answering({ "oauth2/token": { body: given }, "users/me": { body: { data: me } }, ...answers }), settings)

const basic = `Basic ${Buffer.from(`client:${secrets.x}`).toString("base64")}`
const access = accountOf("111")
const refresh = Option.some(Redacted.make("a-refresh-token"))

const problem = (error: string, error_description: string, status = 400): Answer => ({
  status,
  body: { error, error_description }
})

describe("X's login", () => {
  it.live("asks in X's dialog, with the digest of the verifier and spaces that anybody reads", () =>
    Effect.gen(function* () {
      const { connect, url } = yield* x()
      const asked = yield* dialog(connect)
      assert.strictEqual(`${asked.origin}${asked.pathname}`, `${url}/x/i/oauth2/authorize`)
      assert.deepStrictEqual(Object.fromEntries(asked.searchParams), {
        response_type: "code",
        client_id: "client",
        redirect_uri: redirectUri,
        scope: "tweet.read users.read offline.access tweet.write",
        state: "the-state",
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256"
      })
      assert.include(asked.search, "tweet.read%20users.read")
      const own = yield* dialog((yield* x({}, { baseUrls: {} })).connect)
      assert.strictEqual(`${own.origin}${own.pathname}`, "https://x.com/i/oauth2/authorize")
      assert.deepStrictEqual((yield* x({}, { xClient: undefined })).connect.missingSettings, ["LOOPBOX_X_CLIENT_ID"])
    })
  )

  it.live("exchanges a code by the verifier, in the app's name, and knows whose the tokens are", () =>
    Effect.gen(function* () {
      const { connect, received } = yield* x()
      const [candidate] = yield* exchange(connect)
      assert.deepStrictEqual(candidate === undefined ? undefined : shown(candidate), {
        id: "111",
        other: null,
        through: null,
        name: "Acme",
        username: "acme",
        avatar: me.profile_image_url,
        people: [],
        permissions: ["tweet.read", "users.read", "offline.access"],
        token: secrets.long,
        hindrance: null
      })
      const renewing = Option.flatMap(candidate?.token ?? Option.none(), ({ refreshToken }) => refreshToken)
      assert.strictEqual(Option.getOrNull(Option.map(renewing, Redacted.value)), "a-refresh-token")
      const [first, second] = received
      assert.strictEqual(first?.headers.authorization, basic)
      assert.deepStrictEqual(first === undefined ? undefined : form(first), {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: "client"
      })
      assert.deepStrictEqual([second?.path, second?.headers.authorization], ["/x/2/users/me", `Bearer ${secrets.long}`])
    })
  )

  it.live("knows a public client by its id alone", () =>
    Effect.gen(function* () {
      const { connect, received } = yield* x({}, { xClient: { id: "public" } })
      yield* exchange(connect)
      assert.isUndefined(received[0]?.headers.authorization)
      assert.strictEqual(new URLSearchParams(received[0]?.body).get("client_id"), "public")
    })
  )

  it.live("says what went wrong, and connects nobody whom it does not know", () =>
    Effect.gen(function* () {
      const refusing = Effect.fnUntraced(function* (answers: Answers) {
        const failed = yield* Effect.flip(exchange((yield* x(answers)).connect))
        return [...why(failed), failed.detail]
      })
      const used = problem("invalid_request", "Value passed for the authorization code was invalid.")
      assert.deepStrictEqual((yield* refusing({ "oauth2/token": used })).slice(0, 2), [
        "code_expired",
        "invalid_request"
      ])
      const grant = problem("invalid_grant", "no")
      assert.deepStrictEqual((yield* refusing({ "oauth2/token": grant })).slice(0, 2), [
        "code_expired",
        "invalid_grant"
      ])
      const client = problem("unauthorized_client", "Missing valid authorization header", 401)
      assert.deepStrictEqual(yield* refusing({ "oauth2/token": client }), [
        "provider_error",
        "unauthorized_client",
        "Missing valid authorization header"
      ])
      const elsewhere = { status: 302, headers: { location: "/elsewhere" } }
      assert.deepStrictEqual((yield* refusing({ "oauth2/token": elsewhere })).slice(0, 2), ["provider_error", null])
      const noToken = { body: { token_type: "bearer" } }
      assert.strictEqual((yield* refusing({ "oauth2/token": noToken }))[0], "provider_error")
      const mac = { body: { ...given, token_type: "mac" } }
      assert.strictEqual((yield* refusing({ "oauth2/token": mac }))[0], "provider_error")
      const credits = { title: "CreditsDepleted", detail: "Your enrolled account has no credits", status: 402 }
      const poor = yield* refusing({ "users/me": { status: 402, body: credits } })
      assert.deepStrictEqual(poor.slice(0, 2), ["provider_error", "CreditsDepleted"])
      assert.include(poor[2] ?? "", "has no credits")
    })
  )

  it.live("is not waited for longer than a call may take", () =>
    Effect.gen(function* () {
      const { connect } = yield* loginOf("x", () => undefined, { timeLimit: "200 millis" })
      assert.deepStrictEqual(why(yield* Effect.flip(exchange(connect))), ["provider_error", null])
    })
  )
})

describe("a connected account of X", () => {
  it.live("is named, and nothing is said of its permissions", () =>
    Effect.gen(function* () {
      const found = yield* (yield* x()).connect.inspect(access)
      assert.deepStrictEqual([found.ids, found.permissions], [["111"], Option.none()])
      const dead = yield* x({ "users/me": { status: 401, body: { title: "Unauthorized" } } })
      assert.strictEqual(kind(yield* Effect.flip(dead.connect.inspect(access))), "AuthExpired token")
    })
  )

  it.live("is given back with both of its tokens, as often as one likes", () =>
    Effect.gen(function* () {
      const { connect, received } = yield* x({ "oauth2/revoke": { body: { revoked: true } } })
      yield* connect.revoke(access, refresh)
      assert.deepStrictEqual(received.map(form), [
        { token: "a-refresh-token", token_type_hint: "refresh_token", client_id: "client" },
        { token: secrets.long, token_type_hint: "access_token", client_id: "client" }
      ])
      assert.deepStrictEqual(
        received.map(({ headers, path }) => [path, headers.authorization]),
        [
          ["/x/2/oauth2/revoke", basic],
          ["/x/2/oauth2/revoke", basic]
        ]
      )
      const unknown = problem("invalid_request", "Value passed for the token was invalid.")
      yield* (yield* x({ "oauth2/revoke": unknown })).connect.revoke(access, refresh)
      const down = yield* x({ "oauth2/revoke": { status: 503, body: "<html>" } })
      assert.strictEqual(kind(yield* Effect.flip(down.connect.revoke(access, refresh))), "Unavailable upstream")
      const app = yield* x({ "oauth2/revoke": problem("unauthorized_client", "no", 401) })
      assert.strictEqual(kind(yield* Effect.flip(app.connect.revoke(access, refresh))), "Unavailable source")
    })
  )
})
