import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import type { Answer, Received } from "../loopback.ts"
import { graphError, kind } from "../meta/graph.ts"
import { type Answers, facebook, granted, page, permissions } from "./facebookAnswers.ts"
import { accountOf, code, dialog, exchange, redirectUri, secrets, shown, verifier, why } from "./support.ts"

describe("Facebook's login", () => {
  it.live("asks in Facebook's dialog for what the features need", () =>
    Effect.gen(function* () {
      const { connect, url } = yield* facebook()
      const first = yield* dialog(connect)
      assert.strictEqual(`${first.origin}${first.pathname}`, `${url}/fb/v25.0/dialog/oauth`)
      assert.deepStrictEqual(first.searchParams.get("scope")?.split(","), [
        "pages_show_list",
        "pages_read_engagement",
        "business_management",
        "pages_manage_metadata",
        "pages_read_user_content",
        "pages_manage_engagement",
        "pages_messaging"
      ])
      assert.strictEqual(first.searchParams.get("client_id"), "11")
      // Facebook never asks by itself again for what was declined once, be it years ago.
      assert.strictEqual(first.searchParams.get("auth_type"), "rerequest")
      const own = yield* dialog((yield* facebook({}, { baseUrls: {}, metaApiVersion: "v26.0" })).connect)
      assert.strictEqual(`${own.origin}${own.pathname}`, "https://www.facebook.com/v26.0/dialog/oauth")
    })
  )

  it.live("says which settings it lacks, for Instagram too", () =>
    Effect.gen(function* () {
      const lacking = { metaAppId: undefined, metaAppSecrets: undefined }
      const names = ["LOOPBOX_META_APP_ID", "LOOPBOX_META_APP_SECRETS"]
      assert.deepStrictEqual((yield* facebook({}, lacking)).connect.missingSettings, names)
      assert.deepStrictEqual((yield* facebook({}, lacking, "instagram")).connect.missingSettings, names)
      assert.deepStrictEqual((yield* facebook()).connect.missingSettings, [])
    })
  )

  it.live("reads Pages by a token that lasts, and takes for granted only what was granted", () =>
    Effect.gen(function* () {
      const { connect, received } = yield* facebook()
      assert.isTrue(connect.alwaysChooses)
      const candidates = yield* exchange(connect)
      assert.deepStrictEqual(candidates.map(shown), [
        {
          id: "1001",
          other: null,
          through: null,
          name: "Page 1001",
          username: null,
          avatar: "https://cdn.example/1001.jpg",
          people: ["9001"],
          permissions: granted,
          token: "token-of-page-1001",
          hindrance: null
        }
      ])
      const [first, second, ...rest] = received
      assert.deepStrictEqual(Object.fromEntries(first?.query ?? []), {
        client_id: "11",
        client_secret: secrets.meta,
        redirect_uri: redirectUri,
        code
      })
      assert.deepStrictEqual(Object.fromEntries(second?.query ?? []), {
        grant_type: "fb_exchange_token",
        client_id: "11",
        client_secret: secrets.meta,
        fb_exchange_token: secrets.short
      })
      const inName: Readonly<Record<string, string>> = {
        "/fb/v25.0/debug_token": `11|${secrets.meta}`,
        "/fb/v25.0/1001": "token-of-page-1001"
      }
      for (const { headers, path, query } of rest) {
        assert.strictEqual(headers.authorization, `Bearer ${inName[path] ?? secrets.long}`)
        assert.strictEqual(/^[0-9a-f]{64}$/.test(query.get("appsecret_proof") ?? ""), !path.endsWith("debug_token"))
      }
    })
  )

  it.live("reads all pages of a long list", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 250 }, (_, i) => page(String(2_000 + i)))
      const { connect, received } = yield* facebook({
        "me/accounts": ({ query }) => {
          const from = Number(query.get("after") ?? "0")
          const to = from + Number(query.get("limit"))
          const more = to < all.length ? { next: `https://elsewhere.example/?after=${to}` } : {}
          return { body: { data: all.slice(from, to), paging: { cursors: { after: String(to) }, ...more } } }
        }
      })
      assert.strictEqual((yield* exchange(connect)).length, 250)
      const lists = received.filter(({ path }) => path.endsWith("/me/accounts"))
      assert.deepStrictEqual(
        lists.map(({ query }) => query.get("after")),
        [null, "100", "200"]
      )
    })
  )

  it.live("finds the Pages of a person's businesses, each once, and whatever can't be read hides no other", () =>
    Effect.gen(function* () {
      const answers: Answers = {
        "me/permissions": permissions([...granted, "business_management"]),
        "me/accounts": { body: { data: [page("1001", { access_token: undefined })] } },
        "me/businesses": { body: { data: [{ id: "71" }, { id: "72" }, { id: "../me" }] } },
        "71/owned_pages": { body: { data: [page("1001"), page("1002")] } },
        "71/client_pages": graphError(403, 200),
        "72/owned_pages": { body: { data: [page("1003")] } },
        "72/client_pages": { status: 502, body: "<html>" }
      }
      const { connect } = yield* facebook(answers)
      assert.deepStrictEqual(
        (yield* exchange(connect)).map(({ hindrance, networkAccountId }) => [
          networkAccountId,
          Option.isNone(hindrance)
        ]),
        [
          ["1001", true],
          ["1002", true],
          ["1003", true]
        ]
      )
      const withheld = yield* facebook({ ...answers, "me/permissions": permissions(granted) })
      yield* exchange(withheld.connect)
      assert.isFalse(withheld.received.some(({ path }) => path.includes("businesses")))
    })
  )

  it.live("says why a Page can't be chosen, by tasks of either family", () =>
    Effect.gen(function* () {
      const plus = ["PROFILE_PLUS_MESSAGING", "PROFILE_PLUS_MODERATE", "PROFILE_PLUS_CREATE_CONTENT"]
      const { connect } = yield* facebook({
        "me/accounts": {
          body: {
            data: [
              page("1"),
              page("2", { tasks: plus }),
              page("3", { tasks: ["PROFILE_PLUS_FULL_CONTROL"] }),
              page("4", { tasks: undefined }),
              page("5", { tasks: ["ANALYZE", "ADVERTISE"] }),
              page("6", { tasks: plus.slice(1) }),
              page("7", { tasks: [] }),
              page("8", { access_token: undefined }),
              page("9", { access_token: "" })
            ]
          }
        }
      })
      const candidates = yield* exchange(connect)
      assert.deepStrictEqual(
        candidates.map(({ hindrance }) => Option.getOrNull(hindrance)),
        [
          ...[null, null, null, null],
          ...["page_permission_required", "page_permission_required", "page_permission_required"],
          ...["page_token_missing", "page_token_missing"]
        ]
      )
      for (const { hindrance, token } of candidates) {
        assert.strictEqual(Option.isSome(token), Option.isNone(hindrance))
      }
      // To publish, messages need not be read.
      const published = yield* connect.exchange({
        code: Redacted.make(code),
        redirectUri,
        verifier: Redacted.make(verifier),
        features: ["publish"]
      })
      assert.deepStrictEqual(published[5]?.hindrance, Option.none())
    })
  )

  it.live("offers only Pages that their own token could read, and those that nobody could ask", () =>
    Effect.gen(function* () {
      const answers: Answers = {
        "me/accounts": { body: { data: ["1", "2", "3", "4", "5", "6"].map((id) => page(id)) } },
        "1": ({ headers, query }) =>
          headers.authorization === "Bearer token-of-page-1" && query.get("fields") === "id,name"
            ? { body: { id: "1", name: "One" } }
            : graphError(400, 190),
        "2": graphError(400, 190, 460),
        "3": graphError(403, 200),
        "4": graphError(400, 100, 33),
        "5": { status: 503, body: "<html>" },
        "6": graphError(400, 4)
      }
      const offered = Effect.fnUntraced(function* (network: "facebook" | "instagram", more: Answers = {}) {
        const candidates = yield* exchange((yield* facebook({ ...answers, ...more }, {}, network)).connect)
        return candidates.map(({ hindrance }) => Option.getOrNull(hindrance))
      })
      assert.deepStrictEqual(yield* offered("facebook"), [
        ...[null, "page_token_missing", "page_permission_required", "page_permission_required"],
        ...[null, null]
      ])
      const linked = (id: string) => page(id, { instagram_business_account: { id: `17840${id}` } })
      assert.deepStrictEqual(
        yield* offered("instagram", {
          "me/accounts": { body: { data: [linked("1"), linked("2")] } },
          "178401": { body: { id: "178401" } },
          "178402": graphError(403, 10)
        }),
        [null, "page_permission_required"]
      )
    })
  )

  it.live("knows for which Pages a permission was granted", () =>
    Effect.gen(function* () {
      const granular = [
        { scope: "pages_show_list", target_ids: ["1", "2"] },
        { scope: "pages_read_engagement" },
        { scope: "pages_messaging", target_ids: ["2"] },
        { scope: "business_management", target_ids: ["71"] }
      ]
      const all = [...granted, "business_management"]
      const answers: Answers = {
        "me/permissions": permissions(all),
        "me/accounts": { body: { data: [page("1"), page("2")] } },
        debug_token: ({ query }) => ({
          body: {
            data: {
              is_valid: true,
              user_id: "9001",
              scopes: all,
              granular_scopes: granular,
              of: query.get("input_token")
            }
          }
        }),
        "1": { body: { id: "1", name: "One" } }
      }
      const { connect } = yield* facebook(answers)
      const one = all.filter((name) => name !== "pages_messaging")
      assert.deepStrictEqual(
        (yield* exchange(connect)).map((candidate) => candidate.permissions),
        [one, all]
      )
      assert.deepStrictEqual((yield* connect.inspect(accountOf("1"))).permissions, Option.some(one))
      // Whose permissions are not told apart has all of them.
      const untold = yield* facebook({ ...answers, debug_token: graphError(400, 100) })
      assert.deepStrictEqual((yield* exchange(untold.connect))[0]?.permissions, all)
    })
  )

  it.live("says what went wrong", () =>
    Effect.gen(function* () {
      const refusing = Effect.fnUntraced(function* (answers: Answers) {
        return why(yield* Effect.flip(exchange((yield* facebook(answers)).connect)))
      })
      for (const subcode of [36_007, 36_009]) {
        const refused = { "oauth/access_token": graphError(400, 100, subcode) }
        assert.deepStrictEqual(yield* refusing(refused), ["code_expired", `100/${subcode}`])
      }
      // Another redirect address than the dialog's is no matter of time: a new code would be refused as well.
      const message = "Error validating verification code. Please make sure your redirect_uri is identical"
      const otherAddress = { "oauth/access_token": graphError(400, 100, 36_008, { message }) }
      assert.deepStrictEqual(yield* refusing(otherAddress), ["provider_error", "100/36008"])
      assert.deepStrictEqual(yield* refusing({ "oauth/access_token": graphError(400, 1) }), ["provider_error", "1"])
      assert.deepStrictEqual(yield* refusing({ "me/accounts": { body: { data: [] } } }), ["no_pages", null])
      const withoutPages = { "me/permissions": permissions(["public_profile"]), "me/accounts": graphError(403, 200) }
      assert.deepStrictEqual(yield* refusing(withoutPages), ["no_pages", null])
      assert.deepStrictEqual(yield* refusing({ "me/accounts": graphError(403, 200) }), ["provider_error", "200"])
      assert.deepStrictEqual(yield* refusing({ "me/permissions": graphError(400, 190) }), ["provider_error", "190"])
      const elsewhere = { status: 307, headers: { location: "/elsewhere" } }
      assert.deepStrictEqual(yield* refusing({ "me/accounts": elsewhere }), ["provider_error", null])
    })
  )
})

describe("a connected Page", () => {
  const access = accountOf("1001")

  it.live("is named with its permissions, and dead when Facebook says so", () =>
    Effect.gen(function* () {
      const debugged = (data: object): Answers => ({
        "1001": { body: { id: "1001", name: "Acme", username: "acme" } },
        debug_token: { body: { data } }
      })
      const { connect, received } = yield* facebook(debugged({ is_valid: true, scopes: granted, user_id: "9001" }))
      const found = yield* connect.inspect(access)
      assert.deepStrictEqual([found.ids, found.permissions], [["1001"], Option.some(granted)])
      assert.deepStrictEqual(
        [received[1]?.query.get("input_token"), received[1]?.query.get("access_token")],
        [secrets.long, `11|${secrets.meta}`]
      )
      const dead = yield* facebook(debugged({ is_valid: false, scopes: [], error: { code: 190, subcode: 460 } }))
      const failed = yield* Effect.flip(dead.connect.inspect(access))
      assert.deepStrictEqual([kind(failed), Option.getOrNull(failed.networkCode)], ["AuthExpired token", "190/460"])
      // That our app is refused says nothing of the account.
      const refused = yield* facebook({ ...debugged({}), debug_token: graphError(400, 190) })
      assert.deepStrictEqual((yield* refused.connect.inspect(access)).permissions, Option.none())
    })
  )

  /** A Page that keeps what our app, and another one, is told. */
  const subscribing = (isRefused: (fields: ReadonlyArray<string>) => boolean = () => false, before = "") => {
    let told = before
    const other = { id: "77", subscribed_fields: ["feed", "messages", "message_echoes", "message_edits"] }
    const answer = ({ method, query }: Received): Answer => {
      const asked = query.get("subscribed_fields") ?? ""
      if (method === "POST" && isRefused(asked.split(","))) return graphError(403, 200)
      if (method === "POST") told = asked
      if (method === "DELETE") told = ""
      const ours = told === "" ? [] : [{ id: "11", subscribed_fields: told.split(",") }]
      return { body: method === "GET" ? { data: [other, ...ours] } : { success: true } }
    }
    return { answers: { "1001/subscribed_apps": answer }, told: () => told }
  }

  it.live("is subscribed, and no longer; another app's subscription counts for nothing", () =>
    Effect.gen(function* () {
      const { answers, told } = subscribing()
      const { connect } = yield* facebook(answers)
      const { isSubscribed, subscribe, unsubscribe } = Option.getOrThrow(connect.subscription)
      assert.isFalse(yield* isSubscribed(access))
      yield* subscribe(access)
      assert.strictEqual(told(), "feed,messages,message_echoes,message_edits,messaging_postbacks")
      assert.isTrue(yield* isSubscribed(access))
      yield* unsubscribe(access)
      assert.isFalse(yield* isSubscribed(access))
    })
  )

  it.live("is subscribed to comments at least where messages were withheld, which fails all the same", () =>
    Effect.gen(function* () {
      const { answers, told } = subscribing((fields) => fields.includes("messages"))
      const { connect } = yield* facebook(answers)
      const { isSubscribed, subscribe } = Option.getOrThrow(connect.subscription)
      assert.strictEqual(kind(yield* Effect.flip(subscribe(access))), "AuthExpired permission")
      assert.strictEqual(told(), "feed")
      assert.isFalse(yield* isSubscribed(access))
    })
  )

  it.live("shares its subscription with the Instagram account that is linked to it", () =>
    Effect.gen(function* () {
      const linked = accountOf("1784", { login: Option.some("facebook"), throughAccountId: Option.some("1001") })
      const shared = subscribing()
      const ofPage = yield* facebook(shared.answers)
      const ofInstagram = yield* facebook(shared.answers, {}, "instagram")
      const page = Option.getOrThrow(ofPage.connect.subscription)
      const instagram = Option.getOrThrow(ofInstagram.connect.subscription)
      yield* page.subscribe(access)
      assert.isTrue(yield* instagram.isSubscribed(linked))
      yield* instagram.unsubscribe(linked)
      assert.isFalse(yield* page.isSubscribed(access))
      yield* instagram.subscribe(linked)
      assert.isTrue(yield* page.isSubscribed(access))
      yield* page.unsubscribe(access)
      assert.strictEqual(shared.told(), "")
    })
  )

  it.live("is given back by the app, for a Page's own token can't", () =>
    Effect.gen(function* () {
      const debugged = (data: object): Answer => ({ body: { data } })
      const { connect, received } = yield* facebook({
        debug_token: debugged({ is_valid: true, user_id: "9001", scopes: [] }),
        "9001/permissions": { body: "true" }
      })
      yield* connect.revoke(access, Option.none())
      assert.deepStrictEqual(
        received.map(({ method, path }) => [method, path]),
        [
          ["GET", "/fb/v25.0/debug_token"],
          ["DELETE", "/fb/v25.0/9001/permissions"]
        ]
      )
      assert.strictEqual(received[1]?.headers.authorization, `Bearer 11|${secrets.meta}`)
      assert.isTrue(connect.revokesPerson)
      const gone = yield* facebook({ debug_token: debugged({ is_valid: false, user_id: "9001" }) })
      yield* gone.connect.revoke(access, Option.none())
      assert.strictEqual(gone.received.length, 1)
      const down = yield* facebook({
        debug_token: debugged({ is_valid: true, user_id: "9001" }),
        "9001/permissions": { status: 503, body: "<html>" }
      })
      const failed = yield* Effect.flip(down.connect.revoke(access, Option.none()))
      assert.strictEqual(kind(failed), "Unavailable upstream")
    })
  )
})
