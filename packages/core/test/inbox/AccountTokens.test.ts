import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration, type NewAccount } from "../../src/access/AccountAdministration.ts"
import { AuthExpired, RateLimited } from "../../src/connectors/ConnectorErrors.ts"
import type { AccountAccess, RefreshedToken, SocialConnector } from "../../src/connectors/SocialConnector.ts"
import { AccountTokens } from "../../src/inbox/AccountTokens.ts"
import { FakeNetworks } from "../../src/testing/FakeConnector.ts"
import { makeWorkspace } from "../support/fixtures.ts"
import { connectAccount, layerInbox } from "../support/inboxLayers.ts"

const dead = new AuthExpired({
  network: "x",
  networkCode: Option.none(),
  detail: "",
  reason: "token",
  missingScopes: []
})
const limited = new RateLimited({ network: "x", networkCode: Option.none(), detail: "", retryAt: Option.none() })

const credentials = (expiresAt: Option.Option<DateTime.Utc> = Option.none()): NewAccount["credentials"] => ({
  accessToken: Redacted.make("token 0"),
  refreshToken: Option.some(Redacted.make("refresh 0")),
  expiresAt
})

type Refresh = SocialConnector["refreshToken"]

/** A network that takes each refresh token once, as X does, and only the newest access token. */
const makeNetwork = Effect.gen(function* () {
  const networks = yield* FakeNetworks
  const state = { good: 0, renewals: 0, accepted: "token 0" }
  const refresh: Refresh = (_access, refreshToken) =>
    Effect.suspend(() => {
      state.renewals += 1
      if (!Option.exists(refreshToken, (token) => Redacted.value(token) === `refresh ${state.good}`)) {
        return Effect.fail(dead)
      }
      state.good += 1
      state.accepted = `token ${state.good}`
      const fresh: RefreshedToken = {
        accessToken: Redacted.make(state.accepted),
        refreshToken: Option.some(Redacted.make(`refresh ${state.good}`)),
        expiresAt: Option.none()
      }
      return Effect.succeed(Option.some(fresh))
    })
  const ask = ({ accessToken }: AccountAccess) =>
    Effect.suspend(() =>
      Redacted.value(accessToken) === state.accepted ? Effect.succeed(Redacted.value(accessToken)) : Effect.fail(dead)
    )
  const answer = (refreshToken: Refresh) => {
    networks.script = { refreshToken }
  }
  answer(refresh)
  return { answer, refresh, state, ask }
})

const x = { network: "x", username: Option.some("us") } as const

const statusOf = Effect.fnUntraced(function* (workspaceId: string, id: string) {
  return (yield* (yield* AccountAdministration).findAccount(workspaceId, id)).status
})

describe("AccountTokens (design §5)", () => {
  it.effect("renews a dead token once, and keeps what it got for the next time", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const account = yield* connectAccount(workspace.id, { ...x, credentials: credentials() })
      const { ask, state } = yield* makeNetwork
      const tokens = yield* AccountTokens
      state.accepted = "another"
      assert.strictEqual(yield* tokens.withAccess(workspace.id, account.id, ask), "token 1")
      assert.strictEqual(yield* tokens.withAccess(workspace.id, account.id, ask), "token 1")
      assert.strictEqual(state.renewals, 1)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("asks for one renewal whoever finds the token dead, in however many processes", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const account = yield* connectAccount(workspace.id, { ...x, credentials: credentials() })
      const { ask, state } = yield* makeNetwork
      state.accepted = "another"
      const asking = Effect.gen(function* () {
        const { use } = yield* (yield* AccountTokens).open(workspace.id, account.id)
        return yield* Effect.all([use(ask), use(ask)], { concurrency: "unbounded" })
      })
      const elsewhere = Effect.provide(asking, Layer.fresh(AccountTokens.layer))
      const fiber = yield* Effect.forkChild(Effect.all([asking, elsewhere, asking], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 second")
      const told = (yield* Fiber.join(fiber)).flat()
      assert.deepStrictEqual(
        told,
        Array.from({ length: 6 }, () => "token 1")
      )
      assert.strictEqual(state.renewals, 1)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("renews a token at half of its life, and goes on with the old one while that fails", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const now = yield* DateTime.now
      const ends = Option.some(DateTime.add(now, { hours: 2 }))
      const account = yield* connectAccount(workspace.id, { ...x, credentials: credentials(ends) })
      const { answer, ask, refresh, state } = yield* makeNetwork
      const tokens = yield* AccountTokens
      yield* TestClock.adjust("59 minutes")
      yield* tokens.withAccess(workspace.id, account.id, ask)
      assert.strictEqual(state.renewals, 0)
      answer(() => Effect.fail(limited))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* tokens.withAccess(workspace.id, account.id, ask), "token 0")
      answer(refresh)
      yield* tokens.withAccess(workspace.id, account.id, ask)
      assert.strictEqual(state.renewals, 0)
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(yield* tokens.withAccess(workspace.id, account.id, ask), "token 1")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("marks the account for reconnection when a renewal does not mend it, and refuses it from then on", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const account = yield* connectAccount(workspace.id, { ...x, credentials: credentials() })
      const { ask, state } = yield* makeNetwork
      const tokens = yield* AccountTokens
      state.good = 7
      state.accepted = "another"
      assert.strictEqual((yield* Effect.flip(tokens.withAccess(workspace.id, account.id, ask)))._tag, "AuthExpired")
      assert.strictEqual(yield* statusOf(workspace.id, account.id), "reauth_required")
      const error = yield* Effect.flip(tokens.withAccess(workspace.id, account.id, ask))
      assert.isTrue(error._tag === "AccountUnusable" && error.reason === "not_connected")
      assert.strictEqual(state.renewals, 1)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("leaves the account as it is when nobody can tell whether the token is dead for good", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const account = yield* connectAccount(workspace.id, { ...x, credentials: credentials() })
      const { answer, ask, state } = yield* makeNetwork
      state.accepted = "another"
      answer(() => Effect.fail(limited))
      const error = yield* Effect.flip((yield* AccountTokens).withAccess(workspace.id, account.id, ask))
      assert.strictEqual(error._tag, "RateLimited")
      assert.strictEqual(yield* statusOf(workspace.id, account.id), "connected")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("ends a renewal whoever asked for it is gone, so that no refresh token is lost", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const account = yield* connectAccount(workspace.id, { ...x, credentials: credentials() })
      const { answer, ask, refresh, state } = yield* makeNetwork
      const [asked, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      answer((access, token) =>
        Deferred.succeed(asked, undefined).pipe(
          Effect.andThen(refresh(access, token)),
          Effect.tap(() => Deferred.await(answered))
        )
      )
      state.accepted = "another"
      const tokens = yield* AccountTokens
      const fiber = yield* Effect.forkChild(tokens.withAccess(workspace.id, account.id, ask))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.succeed(answered, undefined)
      const told = yield* Effect.forkChild(tokens.withAccess(workspace.id, account.id, ask))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(told), "token 1")
      assert.strictEqual(state.renewals, 1)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("lets a missing permission be the asker's affair", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const account = yield* connectAccount(workspace.id, { ...x, credentials: credentials() })
      const { state } = yield* makeNetwork
      const forbidden = new AuthExpired({ ...dead, reason: "permission", missingScopes: ["tweet.write"] })
      const tokens = yield* AccountTokens
      const error = yield* Effect.flip(tokens.withAccess(workspace.id, account.id, () => Effect.fail(forbidden)))
      assert.strictEqual(error, forbidden)
      assert.strictEqual(state.renewals, 0)
      assert.strictEqual(yield* statusOf(workspace.id, account.id), "connected")
    }).pipe(Effect.provide(layerInbox))
  )
})
