import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Result } from "effect"
import type { Answer, Received } from "../loopback.ts"
import { graphError, kind } from "../meta/graph.ts"
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
  why
} from "./support.ts"

const me = {
  id: "9001",
  user_id: "17841400000000001",
  username: "acme",
  name: "Acme",
  account_type: "BUSINESS",
  profile_picture_url: "https://cdn.example/acme.jpg"
}

const granted = ["instagram_business_basic", "instagram_business_manage_comments"]

const flat = { access_token: secrets.short, user_id: 1, permissions: granted }

/** Instagram, at which everything succeeds but what is given here. */
const instagram = (answers: Readonly<Record<string, Answer | ((request: Received) => Answer)>> = {}, settings = {}) =>
  loginOf(
    "instagram",
    answering({
      "oauth/access_token": { body: flat },
      access_token: { body: { access_token: secrets.long, token_type: "bearer", expires_in: 5_183_944 } },
      me: { body: me },
      ...answers
    }),
    settings
  )

describe("Instagram's own login", () => {
  it.live("asks in Instagram's dialog for what the features need", () =>
    Effect.gen(function* () {
      const { connect, url } = yield* instagram()
      const first = yield* dialog(connect)
      assert.strictEqual(`${first.origin}${first.pathname}`, `${url}/ig/oauth/authorize`)
      assert.deepStrictEqual(Object.fromEntries(first.searchParams), {
        client_id: "22",
        redirect_uri: redirectUri,
        response_type: "code",
        scope: "instagram_business_basic,instagram_business_manage_comments,instagram_business_manage_messages",
        state: "the-state"
      })
      const again = yield* dialog(connect, { isReconnect: true })
      assert.strictEqual(again.searchParams.get("force_reauth"), "true")
    })
  )

  it.live("is at Instagram's own hosts unless others are configured, and asks for what the host wants", () =>
    Effect.gen(function* () {
      const own = yield* instagram({}, { baseUrls: {}, connectScopes: { instagram: ["a", "b", "human_agent"] } })
      const { origin, pathname, searchParams } = yield* dialog(own.connect)
      assert.strictEqual(`${origin}${pathname}`, "https://www.instagram.com/oauth/authorize")
      assert.strictEqual(searchParams.get("scope"), "a,b")
      const authorizeUrls = { instagram: "https://proxy.example/ig/dialog?tenant=1" }
      const elsewhere = yield* dialog((yield* instagram({}, { authorizeUrls })).connect)
      assert.strictEqual(elsewhere.href.split("&")[0], "https://proxy.example/ig/dialog?tenant=1")
    })
  )

  it.live("says which settings it lacks", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* instagram()).connect.missingSettings, [])
      const without = yield* instagram({}, { instagramAppId: undefined, instagramAppSecrets: [] })
      assert.deepStrictEqual(without.connect.missingSettings, [
        "LOOPBOX_INSTAGRAM_APP_ID",
        "LOOPBOX_INSTAGRAM_APP_SECRETS"
      ])
    })
  )

  it.live("exchanges a code for a token of sixty days, and knows whose it is", () =>
    Effect.gen(function* () {
      const { connect, received } = yield* instagram()
      const [candidate, ...others] = yield* exchange(connect, `${code}#_`)
      assert.deepStrictEqual(others, [])
      assert.deepStrictEqual(candidate === undefined ? undefined : shown(candidate), {
        id: "17841400000000001",
        other: "9001",
        through: null,
        name: "Acme",
        username: "acme",
        avatar: "https://cdn.example/acme.jpg",
        people: ["9001", "17841400000000001"],
        permissions: granted,
        token: secrets.long,
        hindrance: null
      })
      assert.isTrue(Option.exists(candidate?.token ?? Option.none(), ({ expiresAt }) => Option.isSome(expiresAt)))
      const [first, second, third] = received
      assert.strictEqual(first?.path, "/ig/oauth/access_token")
      assert.deepStrictEqual(first === undefined ? undefined : form(first), {
        client_id: "22",
        client_secret: secrets.instagram,
        grant_type: "authorization_code",
        redirect_uri: redirectUri,
        code
      })
      assert.strictEqual(second?.path, "/ig/access_token")
      assert.deepStrictEqual(Object.fromEntries(second?.query ?? []), {
        grant_type: "ig_exchange_token",
        client_secret: secrets.instagram,
        access_token: secrets.short
      })
      assert.deepStrictEqual([third?.path, third?.headers.authorization], ["/ig/v25.0/me", `Bearer ${secrets.long}`])
    })
  )

  it.live("reads the answer in a list too, permissions as one text, and ids beyond what a double holds", () =>
    Effect.gen(function* () {
      const listed = `{"data":[{"access_token":"${secrets.short}","user_id":17841400000000001,"permissions":"${granted.join(",")}"}]}`
      const whole = `{"id":26000000000000001,"user_id":17841400000000003,"username":"acme"}`
      const { connect } = yield* instagram({ "oauth/access_token": { body: listed }, me: { body: whole } })
      const [candidate] = yield* exchange(connect)
      assert.deepStrictEqual(candidate?.networkAccountId, "17841400000000003")
      assert.deepStrictEqual(candidate?.otherAccountId, Option.some("26000000000000001"))
      assert.deepStrictEqual(candidate?.permissions, granted)
      assert.strictEqual(candidate?.name, "acme")
    })
  )

  it.live("reads a list of one wherever Instagram's documents have one", () =>
    Effect.gen(function* () {
      const { connect } = yield* instagram({
        access_token: { body: { data: [{ access_token: secrets.long, expires_in: 5_183_944 }] } },
        me: { body: { data: [me] } }
      })
      const [candidate] = yield* exchange(connect)
      assert.deepStrictEqual(candidate?.networkAccountId, me.user_id)
      assert.deepStrictEqual((yield* connect.inspect(accountOf(me.user_id))).ids, [me.user_id, me.id])
    })
  )

  it.live("never takes for granted what was only asked for", () =>
    Effect.gen(function* () {
      const less = { body: { ...flat, permissions: ["instagram_business_basic"] } }
      const [candidate] = yield* exchange((yield* instagram({ "oauth/access_token": less })).connect)
      assert.deepStrictEqual(candidate?.permissions, ["instagram_business_basic"])
      const silent = { body: { access_token: secrets.short, user_id: 1 } }
      const [unknown] = yield* exchange((yield* instagram({ "oauth/access_token": silent })).connect)
      assert.deepStrictEqual(unknown?.permissions, [])
    })
  )

  it.live("says what became of a code that is refused", () =>
    Effect.gen(function* () {
      const refusing = Effect.fnUntraced(function* (at: string, answer: Answer) {
        const { connect } = yield* instagram({ [at]: answer })
        return why(yield* Effect.flip(exchange(connect)))
      })
      const flatly = (error_message: string): Answer => ({
        status: 400,
        body: { error_type: "OAuthException", code: 400, error_message }
      })
      const used = flatly("Matching code was not found or was already used")
      assert.deepStrictEqual(yield* refusing("oauth/access_token", used), ["code_expired", "400"])
      const wrongApp = flatly("Invalid platform app")
      assert.deepStrictEqual(yield* refusing("oauth/access_token", wrongApp), ["provider_error", "400"])
      const graphs = graphError(400, 100, 36_009)
      assert.deepStrictEqual(yield* refusing("oauth/access_token", graphs), ["code_expired", "100/36009"])
      assert.deepStrictEqual(yield* refusing("access_token", graphError(400, 1)), ["provider_error", "1"])
      assert.deepStrictEqual(yield* refusing("me", graphError(400, 190, 458)), ["provider_error", "190/458"])
      const elsewhere = { status: 302, headers: { location: "/elsewhere" } }
      assert.deepStrictEqual(yield* refusing("oauth/access_token", elsewhere), ["provider_error", null])
      assert.deepStrictEqual(yield* refusing("oauth/access_token", { body: {} }), ["provider_error", null])
      assert.deepStrictEqual(yield* refusing("access_token", { status: 502, body: "<html>" }), ["provider_error", null])
    })
  )

  it.live("knows an account that may not use the app, or an app's secret that is wrong", () =>
    Effect.gen(function* () {
      const error = { message: "Unsupported request - method type: get", type: "IGApiException", code: 100 }
      const { connect } = yield* instagram({ access_token: { status: 400, body: { error } } })
      const failed = yield* Effect.flip(exchange(connect))
      assert.deepStrictEqual(why(failed), ["account_not_eligible", "100"])
      assert.match(failed.detail, /secret is wrong, or the app is not live/)
      const personal = yield* instagram({ me: { body: { ...me, account_type: "PERSONAL" } } })
      assert.deepStrictEqual(why(yield* Effect.flip(exchange(personal.connect))), ["account_not_eligible", null])
    })
  )
})

describe("an account of Instagram's own login", () => {
  it.live("names both of its ids, and nothing of its permissions", () =>
    Effect.gen(function* () {
      const { connect } = yield* instagram()
      const found = yield* connect.inspect(accountOf(me.user_id))
      assert.deepStrictEqual(found.ids, ["17841400000000001", "9001"])
      assert.deepStrictEqual(found.permissions, Option.none())
      assert.deepStrictEqual(found.username, Option.some("acme"))
      const dead = yield* instagram({ me: graphError(400, 190, 463) })
      assert.strictEqual(kind(yield* Effect.flip(dead.connect.inspect(accountOf("1")))), "AuthExpired token")
    })
  )

  it.live("is subscribed, and no longer", () =>
    Effect.gen(function* () {
      let fields: ReadonlyArray<string> = []
      const { connect, received } = yield* instagram({
        "me/subscribed_apps": ({ method, query }) => {
          if (method === "GET") return { body: { data: fields.length === 0 ? [] : [{ subscribed_fields: fields }] } }
          fields = method === "POST" ? (query.get("subscribed_fields") ?? "").split(",") : []
          return { body: { success: true } }
        }
      })
      const access = accountOf(me.user_id)
      const subscription = Option.getOrThrow(connect.subscription)
      assert.isFalse(yield* subscription.isSubscribed(access))
      yield* subscription.subscribe(access)
      assert.isTrue(yield* subscription.isSubscribed(access))
      assert.includeMembers([...fields], ["comments", "messages"])
      yield* subscription.unsubscribe(access)
      assert.isFalse(yield* subscription.isSubscribed(access))
      assert.deepStrictEqual(
        received.map(({ method }) => method),
        ["GET", "POST", "GET", "DELETE", "GET"]
      )
    })
  )

  it.live("is subscribed to what an inbox needs, where Instagram does not know all fields or withholds messages", () =>
    Effect.gen(function* () {
      const subscribed = Effect.fnUntraced(function* (refusal: (fields: ReadonlyArray<string>) => Answer | undefined) {
        let told: ReadonlyArray<string> = []
        const { connect } = yield* instagram({
          "me/subscribed_apps": ({ query }) => {
            const fields = (query.get("subscribed_fields") ?? "").split(",")
            const refused = refusal(fields)
            if (refused !== undefined) return refused
            told = fields
            return { body: { success: true } }
          }
        })
        const outcome = yield* Effect.result(Option.getOrThrow(connect.subscription).subscribe(accountOf(me.user_id)))
        return [Result.isFailure(outcome) ? kind(outcome.failure) : "subscribed", told]
      })
      const unknown = yield* subscribed((all) => (all.includes("message_edit") ? graphError(400, 100) : undefined))
      assert.deepStrictEqual(unknown, ["subscribed", ["comments", "messages"]])
      const withheld = yield* subscribed((all) => (all.includes("messages") ? graphError(403, 200) : undefined))
      assert.deepStrictEqual(withheld, ["AuthExpired permission", ["comments"]])
    })
  )

  it.live("has nothing to revoke at Instagram", () =>
    Effect.gen(function* () {
      const { connect, received } = yield* instagram()
      yield* connect.revoke(accountOf(me.user_id), Option.none())
      assert.deepStrictEqual([received.length, connect.revokesPerson], [0, false])
    })
  )
})
