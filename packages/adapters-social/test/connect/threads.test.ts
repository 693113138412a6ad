import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
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

type Answers = Readonly<Record<string, Answer | ((request: Received) => Answer)>>

const granted = ["threads_basic", "threads_read_replies"]

const threads = (answers: Answers = {}, settings = {}) =>
  loginOf(
    "threads",
    answering({
      "oauth/access_token": { body: `{"access_token":"${secrets.short}","user_id":27000000000000001}` },
      access_token: { body: { access_token: secrets.long, token_type: "bearer", expires_in: 5_183_944 } },
      me: {
        body: `{"id":27000000000000001,"username":"acme","threads_profile_picture_url":"http://cdn.example/a.jpg"}`
      },
      debug_token: { body: { data: { is_valid: true, scopes: granted, user_id: "27000000000000001" } } },
      ...answers
    }),
    settings
  )

const access = accountOf("27000000000000001")

describe("Threads' login", () => {
  it.live("asks in Threads' dialog for what the features need", () =>
    Effect.gen(function* () {
      const { connect, url } = yield* threads()
      const { origin, pathname, searchParams } = yield* dialog(connect)
      assert.strictEqual(`${origin}${pathname}`, `${url}/th/oauth/authorize`)
      assert.strictEqual(
        searchParams.get("scope"),
        "threads_basic,threads_read_replies,threads_manage_replies,threads_content_publish"
      )
      const own = yield* dialog((yield* threads({}, { baseUrls: {} })).connect)
      assert.strictEqual(`${own.origin}${own.pathname}`, "https://threads.com/oauth/authorize")
      assert.deepStrictEqual((yield* threads({}, { threadsAppId: undefined })).connect.missingSettings, [
        "LOOPBOX_THREADS_APP_ID"
      ])
    })
  )

  it.live("exchanges a code for a token of sixty days, and asks what was granted", () =>
    Effect.gen(function* () {
      const { connect, received } = yield* threads()
      const candidates = yield* exchange(connect, `${code}#_`)
      assert.deepStrictEqual(candidates.map(shown), [
        {
          id: "27000000000000001",
          other: null,
          through: null,
          name: "acme",
          username: "acme",
          // No page of ours shows a picture that anybody on the way could change.
          avatar: null,
          people: ["27000000000000001"],
          permissions: granted,
          token: secrets.long,
          hindrance: null
        }
      ])
      assert.deepStrictEqual(
        received.map(({ method, path }) => `${method} ${path}`),
        ["POST /th/oauth/access_token", "GET /th/access_token", "GET /th/v1.0/me", "GET /th/v1.0/debug_token"]
      )
      const [first] = received
      assert.deepStrictEqual(first === undefined ? undefined : form(first), {
        client_id: "33",
        client_secret: secrets.threads,
        grant_type: "authorization_code",
        redirect_uri: redirectUri,
        code
      })
    })
  )

  it.live("says what went wrong", () =>
    Effect.gen(function* () {
      const refusing = Effect.fnUntraced(function* (answers: Answers) {
        return why(yield* Effect.flip(exchange((yield* threads(answers)).connect)))
      })
      const flat = (error_message: string): Answer => ({
        status: 400,
        body: { error_type: "OAuthException", code: 400, error_message }
      })
      const used = flat("Matching code was not found or was already used")
      assert.deepStrictEqual(yield* refusing({ "oauth/access_token": used }), ["code_expired", "400"])
      const noTester = flat("The user has not accepted the invite to test the app.")
      assert.deepStrictEqual(yield* refusing({ "oauth/access_token": noTester }), ["account_not_eligible", "400"])
      assert.deepStrictEqual(yield* refusing({ access_token: graphError(400, 1) }), ["provider_error", "1"])
      const unanswered = { debug_token: { status: 502, body: "<html>" } }
      assert.deepStrictEqual(yield* refusing(unanswered), ["provider_error", null])
    })
  )
})

describe("a connected account of Threads", () => {
  it.live("is asked about by the app's own token where an account's is not enough", () =>
    Effect.gen(function* () {
      const asApp = {
        "oauth/access_token": ({ body, query }: Received): Answer =>
          query.get("grant_type") === "client_credentials" &&
          query.get("client_id") === "33" &&
          query.get("client_secret") === secrets.threads
            ? { body: { access_token: "TH|33|of-the-app", token_type: "bearer" } }
            : body === ""
              ? graphError(400, 100)
              : { body: { access_token: secrets.short, user_id: "27000000000000001" } },
        debug_token: ({ query }: Received): Answer =>
          query.get("access_token") === "TH|33|of-the-app" && query.get("input_token") === secrets.long
            ? { body: { data: { is_valid: true, scopes: granted } } }
            : graphError(400, 190)
      }
      const { connect } = yield* threads(asApp)
      assert.deepStrictEqual((yield* exchange(connect))[0]?.permissions, granted)
      assert.deepStrictEqual((yield* connect.inspect(access)).permissions, Option.some(granted))
    })
  )

  it.live("is connected where Threads does not tell what was granted, and nothing is taken for granted", () =>
    Effect.gen(function* () {
      const { connect } = yield* threads({ debug_token: graphError(400, 190) })
      assert.deepStrictEqual(
        (yield* exchange(connect)).map(({ permissions }) => permissions),
        [[]]
      )
      assert.deepStrictEqual((yield* connect.inspect(access)).permissions, Option.none())
    })
  )

  it.live("is named with its permissions, and dead when Threads says so", () =>
    Effect.gen(function* () {
      const found = yield* (yield* threads()).connect.inspect(access)
      assert.deepStrictEqual([found.ids, found.permissions], [["27000000000000001"], Option.some(granted)])
      const invalid = { debug_token: { body: { data: { is_valid: false, error: { code: 190, subcode: 463 } } } } }
      const failed = yield* Effect.flip((yield* threads(invalid)).connect.inspect(access))
      assert.deepStrictEqual([kind(failed), Option.getOrNull(failed.networkCode)], ["AuthExpired token", "190/463"])
    })
  )

  it.live("has no subscription of its own, and is given back by its own token", () =>
    Effect.gen(function* () {
      const removing = { "27000000000000001/permissions": { body: { success: true } } }
      const { connect, received } = yield* threads(removing)
      assert.deepStrictEqual([connect.subscription, connect.hearsByApp], [Option.none(), true])
      yield* connect.revoke(access, Option.none())
      assert.deepStrictEqual(
        received.map(({ headers, method, path }) => [method, path, headers.authorization]),
        [["DELETE", "/th/v1.0/27000000000000001/permissions", `Bearer ${secrets.long}`]]
      )
      const dead = yield* threads({ "27000000000000001/permissions": graphError(400, 190) })
      yield* dead.connect.revoke(access, Option.none())
      const down = yield* threads({ "27000000000000001/permissions": { status: 503, body: "<html>" } })
      assert.strictEqual(kind(yield* Effect.flip(down.connect.revoke(access, Option.none()))), "Unavailable upstream")
    })
  )
})
