/** Each login from its dialog to its end, at the simulated networks. */
import { createHmac } from "node:crypto"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import { Connectors, connectorTo } from "@loopbox/core/networks/Connectors"
import type { ConnectCandidate } from "@loopbox/core/networks/NetworkConnect"
import { assert, describe, it } from "@effect/vitest"
import { sandboxApps } from "@loopbox/adapters-social"
import * as SocialConnectors from "@loopbox/adapters-social/SocialConnectors"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { FetchHttpClient } from "effect/http"
import { networks } from "../../src/names.ts"
import type { Network } from "../../src/names.ts"
import { feedOf, kind, newest, postedIn } from "../meta/graph.ts"
import { served } from "../sandbox/served.ts"
import { secrets } from "../sandbox/sandboxed.ts"
import { why } from "./support.ts"

const redirectUri = "https://product.example/connect/callback/here"
const verifier = Redacted.make("v".repeat(64))
const features = ["inbox", "publish", "moderate"] as const

const bakery = "110000000000011"
const instagramOfBakery = "17841400000000117"

const apps = { ...sandboxApps, facebook: { ...sandboxApps.facebook, secret: secrets.meta } }

const secretsOf = (network: Network) => Option.toArray(Option.fromUndefinedOr(apps[network].secret))

/** X asks whether the address of its webhook is ours. */
const answerGet = ({ searchParams }: URL): string => {
  const digest = createHmac("sha256", Redacted.value(secrets.x)).update(searchParams.get("crc_token") ?? "")
  return JSON.stringify({ response_token: `sha256=${digest.digest("base64")}` })
}

/** The connectors of a host that knows its apps at the simulated networks. */
const world = Effect.fnUntraced(function* () {
  const there = yield* served({ answerGet, apps })
  const layer = SocialConnectors.layer({
    baseUrls: Object.fromEntries(networks.map((network) => [network, `${there.url}/${network}`])),
    metaAppId: apps.facebook.id,
    metaAppSecrets: secretsOf("facebook"),
    instagramAppId: apps.instagram.id,
    instagramAppSecrets: secretsOf("instagram"),
    threadsAppId: apps.threads.id,
    threadsAppSecrets: secretsOf("threads"),
    xClient: apps.x,
    xBearerToken: apps.x.bearer,
    xWebhookUrl: "https://product.example/v1/webhooks/x"
  }).pipe(Layer.provide(FetchHttpClient.layer))
  const connectors = yield* Effect.provideContext(Effect.service(Connectors), yield* Layer.build(layer))

  const loginOf = (network: Network, login: string) =>
    (connectorTo(connectors, network).connect ?? []).find((one) => one.login === login) ?? assert.fail(login)

  /** Signs in, allows what is chosen, and comes back with a code. */
  const codeOf = Effect.fnUntraced(function* (
    network: Network,
    login: string,
    chosen: Readonly<Record<string, string>>
  ) {
    const asked = { redirectUri, state: Redacted.make("state"), verifier, features, isReconnect: false }
    const dialog = new URL(Redacted.value(yield* loginOf(network, login).authorizeUrl(asked)))
    const form = { ...Object.fromEntries(dialog.searchParams), decision: "approve", ...chosen }
    const { headers } = yield* there.call("POST", dialog.pathname, { form, token: null })
    const back = new URL(headers.get("location") ?? "")
    assert.strictEqual(back.searchParams.get("state"), "state")
    return Redacted.make(back.searchParams.get("code") ?? assert.fail(back.search))
  })

  const exchange = (network: Network, login: string, code: Redacted.Redacted<string>) =>
    loginOf(network, login).exchange({ code, redirectUri, verifier, features })

  const signIn = (network: Network, login: string, chosen: Readonly<Record<string, string>> = {}) =>
    Effect.flatMap(codeOf(network, login, chosen), (code) => exchange(network, login, code))

  return { ...there, connectors, loginOf, codeOf, exchange, signIn }
})

const accessTo = (login: string, candidate: ConnectCandidate): AccountAccess => ({
  networkAccountId: candidate.networkAccountId,
  otherAccountId: candidate.otherAccountId,
  login: Option.some(login),
  throughAccountId: candidate.throughAccountId,
  username: candidate.username,
  accessToken: Option.match(candidate.token, {
    onNone: () => assert.fail(`${candidate.name} can't be chosen`),
    onSome: ({ accessToken }) => accessToken
  })
})

const logins = [
  { network: "instagram", login: "instagram" },
  { network: "instagram", login: "facebook" },
  { network: "facebook", login: "facebook" },
  { network: "threads", login: "threads" },
  { network: "x", login: "x" }
] as const

describe("connecting at the simulated networks", () => {
  for (const { login, network } of logins) {
    it.effect(`an account of ${network} by the login of ${login}: from the dialog until it is revoked`, () =>
      Effect.gen(function* () {
        const { loginOf, signIn } = yield* world()
        const connect = loginOf(network, login)
        assert.deepStrictEqual(connect.missingSettings, [])
        const candidates = yield* signIn(network, login)
        const candidate = candidates.find(({ hindrance }) => Option.isNone(hindrance)) ?? assert.fail("nobody")
        assert.includeMembers([...candidate.permissions], [...connect.permissionsFor(features)])
        const drawing = yield* Effect.promise(() => fetch(Option.getOrThrow(candidate.avatarUrl)))
        assert.deepStrictEqual([drawing.status, drawing.headers.get("content-type")], [200, "image/svg+xml"])
        assert.match(yield* Effect.promise(() => drawing.text()), /^<svg .*>[A-Z]+<\/text><\/svg>$/)
        const access = accessTo(login, candidate)
        const found = yield* connect.inspect(access)
        assert.include(found.ids, candidate.networkAccountId)
        assert.deepStrictEqual(found.username, candidate.username)
        // Threads has one for the whole app, and no call for it.
        assert.strictEqual(Option.isSome(connect.subscription), network !== "threads")
        if (Option.isSome(connect.subscription)) {
          const { isSubscribed, subscribe, unsubscribe } = connect.subscription.value
          assert.isFalse(yield* isSubscribed(access))
          yield* subscribe(access)
          yield* subscribe(access)
          assert.isTrue(yield* isSubscribed(access))
          yield* unsubscribe(access)
          yield* unsubscribe(access)
          assert.isFalse(yield* isSubscribed(access))
        }
        const refreshToken = Option.flatMap(candidate.token, (token) => token.refreshToken)
        yield* connect.revoke(access, refreshToken)
        yield* connect.revoke(access, refreshToken)
        // Instagram's own login has no call for it.
        if (login === "instagram") return
        assert.strictEqual(kind(yield* Effect.flip(connect.inspect(access))), "AuthExpired token")
      })
    )

    it.effect(`a code of ${network} by the login of ${login} is accepted once, and only for its time`, () =>
      Effect.gen(function* () {
        const { codeOf, exchange } = yield* world()
        const used = yield* codeOf(network, login, {})
        yield* exchange(network, login, used)
        assert.strictEqual(why(yield* Effect.flip(exchange(network, login, used)))[0], "code_expired")
        const old = yield* codeOf(network, login, {})
        yield* TestClock.adjust(network === "x" ? "31 seconds" : "61 minutes")
        assert.strictEqual(why(yield* Effect.flip(exchange(network, login, old)))[0], "code_expired")
      })
    )
  }

  it.effect("Facebook lists each Page, those of a business too, and says why one can't be chosen", () =>
    Effect.gen(function* () {
      const { signIn } = yield* world()
      const pages = yield* signIn("facebook", "facebook")
      assert.deepStrictEqual(
        pages.map(({ hindrance, name }) => [name, Option.getOrNull(hindrance)]),
        [
          ["Stein Bakery", null],
          ["Café Stein", null],
          ["Street Market", "page_permission_required"],
          ["Old Mill", "page_token_missing"],
          ["Market Hall", null],
          ["Harbour Stalls", null]
        ]
      )
      const accounts = yield* signIn("instagram", "facebook")
      assert.deepInclude(
        accounts.map(({ hindrance, name, networkAccountId, throughAccountId }) => [
          name,
          networkAccountId,
          Option.getOrNull(throughAccountId),
          Option.getOrNull(hindrance)
        ]),
        ["Stein Bakery", instagramOfBakery, bakery, null]
      )
    })
  )

  it.live("an Instagram account that is reached through its Page is read and answered", () =>
    Effect.gen(function* () {
      const { connectors, sandbox, signIn } = yield* world()
      const candidates = yield* signIn("instagram", "facebook")
      const candidate = candidates.find(({ networkAccountId }) => networkAccountId === instagramOfBakery)
      const access = accessTo("facebook", candidate ?? assert.fail("not there"))
      const account = { network: "instagram", accountId: instagramOfBakery } as const
      yield* sandbox.comment({ ...account, from: "Ada Lind", text: "fresh?" })
      yield* sandbox.message({ ...account, from: "Ada Lind", text: "open?" })
      const instagram = connectorTo(connectors, "instagram")
      const since = DateTime.makeUnsafe(0)
      const bodies: Array<string> = []
      for (const step of instagram.pollSteps) {
        for (const feed of yield* instagram.listFeeds(access, step, since)) {
          const page = yield* instagram.readFeed(access, feed, newest)
          const posted = postedIn(page)
          bodies.push(...posted.map(({ body }) => body))
          for (const { externalId, replyTargetId, source, threadKey } of posted) {
            if (threadKey._tag !== "Known") continue
            const target = { externalId, replyTargetId, threadKey: threadKey.key, linkedPostId: Option.none() }
            yield* instagram.sendReply(access, { source, target, text: "yes", operationId: "op_1" }, Option.none())
          }
        }
      }
      assert.deepStrictEqual(bodies, ["fresh?", "open?"])
      const again = yield* instagram.listFeeds(access, "messages", since)
      const [talk] = again
      const page = yield* instagram.readFeed(
        access,
        talk ?? feedOf({ step: "messages", source: "ig_dm", id: "" }),
        newest
      )
      assert.deepStrictEqual(
        postedIn(page).map(({ body, isOwn }) => [body, isOwn]),
        [
          ["yes", true],
          ["open?", false]
        ]
      )
    })
  )

  it.effect("an account of Instagram that was reconnected keeps its ids, and renews its token", () =>
    Effect.gen(function* () {
      const { connectors, signIn } = yield* world()
      const [first] = yield* signIn("instagram", "instagram")
      const [second] = yield* signIn("instagram", "instagram")
      assert.strictEqual(first?.networkAccountId, second?.networkAccountId)
      yield* TestClock.adjust("25 hours")
      const access = accessTo("instagram", second ?? assert.fail("nobody"))
      const renewed = yield* connectorTo(connectors, "instagram").refreshToken(access, Option.none())
      assert.isTrue(Option.isSome(renewed))
    })
  )
})
