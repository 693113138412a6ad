import { assert, describe, it } from "@effect/vitest"
import { DateTime, Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { AccountAdministration, type NewAccount } from "../../src/access/AccountAdministration.ts"
import { AccountCredentials } from "../../src/accounts/AccountCredentials.ts"
import { CredentialVault } from "../../src/accounts/CredentialVault.ts"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { AuthExpired, RateLimited } from "../../src/networks/ConnectorErrors.ts"
import type { AccountAccess, RefreshedToken } from "../../src/networks/AccountAccess.ts"
import type { SocialConnector } from "../../src/networks/SocialConnector.ts"
import { AccountTokens } from "../../src/accounts/AccountTokens.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { makeWorkspace } from "@loopbox/testing/fixtures/mediaFixtures"
import { connectAccount, layerInbox } from "@loopbox/testing/layers/inboxLayers"

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

/** Every renewal ends like this; counts them. */
const counted = (answer: (refresh: Refresh) => void, result: ReturnType<Refresh>) => {
  const tried = { count: 0 }
  answer(() =>
    Effect.suspend(() => {
      tried.count += 1
      return result
    })
  )
  return tried
}

/** A connected account on that network; `call` asks the network once, in the account's name. */
const connected = Effect.fnUntraced(function* (
  change: Partial<NewAccount> = x,
  lifetime?: Parameters<typeof DateTime.add>[1]
) {
  const workspace = yield* makeWorkspace("basic")
  const now = yield* DateTime.now
  const ends = Option.map(Option.fromUndefinedOr(lifetime), (parts) => DateTime.add(now, parts))
  const account = yield* connectAccount(workspace.id, { ...change, credentials: credentials(ends) })
  const network = yield* makeNetwork
  const tokens = yield* AccountTokens
  const call = Effect.flatMap(AccountTokens, (service) => service.withAccess(workspace.id, account.id, network.ask))
  const status = Effect.map(
    Effect.flatMap(AccountAdministration, (accounts) => accounts.findAccount(workspace.id, account.id)),
    (found) => found.status
  )
  return { ...network, workspace, account, tokens, call, status }
})

/** The service with a store that fails the next settlements of a renewal. */
const layerBehindBlip = (blip: { left: number }) =>
  Layer.fresh(AccountTokens.layer).pipe(
    Layer.provide(
      Layer.effect(
        AccountCredentials,
        Effect.map(AccountCredentials, (store) =>
          AccountCredentials.of({
            ...store,
            settleRenewal: (claim, outcome) =>
              Effect.suspend(() =>
                blip.left-- > 0
                  ? Effect.fail(new StoreUnavailable({ operation: "settleRenewal", committed: "no", cause: "down" }))
                  : store.settleRenewal(claim, outcome)
              )
          })
        )
      )
    )
  )

/** The service beside a process that renews for long, with a store that is away at the second read. */
const layerBesideRenewal = Layer.fresh(AccountTokens.layer).pipe(
  Layer.provide(
    Layer.effect(
      AccountCredentials,
      Effect.map(AccountCredentials, (store) => {
        let reads = 0
        return AccountCredentials.of({
          ...store,
          claimRenewal: () => Effect.succeed(false),
          find: (...of) =>
            Effect.suspend(() =>
              ++reads === 2
                ? Effect.fail(new StoreUnavailable({ operation: "find", committed: "no", cause: "down" }))
                : store.find(...of)
            )
        })
      })
    )
  )
)

describe("AccountTokens (design §5)", () => {
  it.effect("takes no account out because the store was away while another process renewed its token", () =>
    Effect.gen(function* () {
      const { call, state, status } = yield* connected()
      state.accepted = "token 1"
      const failed = yield* Effect.flip(Effect.provide(call, layerBesideRenewal))
      assert.strictEqual(failed._tag, "StoreUnavailable")
      assert.strictEqual(yield* status, "connected")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("keeps the renewed tokens through a short outage of the store", () =>
    Effect.gen(function* () {
      const { call, state } = yield* connected()
      state.accepted = "another"
      const asking = call.pipe(Effect.provide(layerBehindBlip({ left: 5 })))
      const fiber = yield* Effect.forkChild(asking)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* Fiber.join(fiber), "token 1")
      // The network has taken the refresh token: what it gave for it must be what the next one finds.
      assert.strictEqual(yield* call, "token 1")
      assert.strictEqual(state.renewals, 1)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("does not retry a failed renewal before its time, after any number of calls", () =>
    Effect.gen(function* () {
      const { account, answer, ask, tokens, workspace } = yield* connected(x, { hours: 2 })
      const tried = counted(answer, Effect.fail(limited))
      const [first, second] = [
        yield* tokens.open(workspace.id, account.id),
        yield* tokens.open(workspace.id, account.id)
      ]
      yield* TestClock.adjust("1 hour")
      for (let asked = 0; asked < 25; asked++) yield* first.use(ask)
      assert.strictEqual(tried.count, 1)
      // Another that was opened before knows nothing of it, but the store does.
      yield* second.use(ask)
      assert.strictEqual(tried.count, 1)
      yield* TestClock.adjust("29 minutes")
      yield* Effect.all([first.use(ask), second.use(ask)])
      assert.strictEqual(tried.count, 1)
      yield* TestClock.adjust("1 minute")
      yield* Effect.all([first.use(ask), second.use(ask), first.use(ask)], { concurrency: "unbounded" })
      assert.strictEqual(tried.count, 2)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("renews an invalid token once, and stores the new one", () =>
    Effect.gen(function* () {
      const { call, state } = yield* connected()
      state.accepted = "another"
      assert.strictEqual(yield* call, "token 1")
      assert.strictEqual(yield* call, "token 1")
      assert.strictEqual(state.renewals, 1)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("renews an invalid token once, for concurrent callers in several processes", () =>
    Effect.gen(function* () {
      const { account, ask, state, workspace } = yield* connected()
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

  it.effect("renews a token at half of its lifetime, and uses the old one while that fails", () =>
    Effect.gen(function* () {
      const { answer, call, refresh, state } = yield* connected(x, { hours: 2 })
      yield* TestClock.adjust("59 minutes")
      yield* call
      assert.strictEqual(state.renewals, 0)
      answer(() => Effect.fail(limited))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* call, "token 0")
      answer(refresh)
      yield* call
      assert.strictEqual(state.renewals, 0)
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(yield* call, "token 1")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("renews a token of unknown lifetime after a day, and then uses the network's lifetime", () =>
    Effect.gen(function* () {
      const { account, answer, call, state, workspace } = yield* connected({ network: "instagram" })
      const connectedAt = yield* DateTime.now
      const tried = counted(answer, Effect.fail(limited))
      yield* TestClock.adjust("23 hours")
      yield* call
      assert.strictEqual(tried.count, 0)
      yield* TestClock.adjust("1 hour")
      yield* call
      assert.strictEqual(tried.count, 1)
      const ends = DateTime.add(connectedAt, { days: 61 })
      answer(() =>
        Effect.sync(() => {
          state.accepted = "longer"
          return Option.some({
            accessToken: Redacted.make("longer"),
            refreshToken: Option.none(),
            expiresAt: Option.some(ends)
          })
        })
      )
      yield* TestClock.adjust("24 hours")
      assert.strictEqual(yield* call, "longer")
      const { tokenExpiresAt } = yield* (yield* AccountAdministration).findAccount(workspace.id, account.id)
      assert.deepStrictEqual(tokenExpiresAt, Option.some(ends))
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("makes no more calls if a network can't renew", () =>
    Effect.gen(function* () {
      const { answer, call } = yield* connected({ network: "facebook" })
      const tried = counted(answer, Effect.succeedNone)
      for (let asked = 0; asked < 2; asked++) {
        yield* TestClock.adjust("25 hours")
        yield* call
      }
      assert.isAtMost(tried.count, 1)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("renews an invalid token that was sealed again since the account was opened", () =>
    Effect.gen(function* () {
      const { account, ask, state, status, workspace } = yield* connected()
      const { use } = yield* (yield* AccountTokens).open(workspace.id, account.id)
      const owner = { workspaceId: workspace.id, accountId: account.id }
      const sealed = yield* (yield* CredentialVault).seal(owner, credentials())
      const { inbox } = yield* MemoryState
      Object.assign(inbox.accounts.get(account.id) ?? {}, { sealed })
      state.accepted = "another"
      assert.strictEqual(yield* use(ask), "token 1")
      assert.strictEqual(yield* status, "connected")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("asks a network once how it names an account, and keeps that for every process", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace("basic")
      const account = yield* connectAccount(workspace.id, { network: "instagram", networkAccountId: "1784" })
      const networks = yield* FakeNetworks
      const [asked, names] = [{ count: 0 }, { ids: ["1784", "25999"], username: Option.some("us") }]
      const answer = (identify: NonNullable<SocialConnector["identify"]>) => {
        networks.script = {
          identify: (access) =>
            Effect.suspend(() => {
              asked.count += 1
              return identify(access)
            })
        }
      }
      const tokens = yield* AccountTokens
      const seen = (access: AccountAccess) => Effect.succeed(Option.getOrNull(access.otherAccountId))
      const ask = tokens.withAccess(workspace.id, account.id, seen)
      // Whoever asks something else is not held up for long by a network that does not answer this.
      answer(() => Effect.never)
      const waiting = yield* Effect.forkChild(ask)
      yield* TestClock.adjust("5 seconds")
      assert.isNull(yield* Fiber.join(waiting))
      answer(() => Effect.fail(limited))
      const { use } = yield* tokens.open(workspace.id, account.id)
      for (let question = 0; question < 3; question++) assert.isNull(yield* use(seen))
      // A token of another account says nothing of this one.
      answer(() => Effect.succeed({ ...names, ids: ["1999", "25998"] }))
      assert.isNull(yield* ask)
      assert.strictEqual(asked.count, 3)
      answer(() => Effect.succeed(names))
      assert.strictEqual(yield* ask, "25999")
      const elsewhere = Effect.provide(
        Effect.flatMap(AccountTokens, (other) => other.withAccess(workspace.id, account.id, seen)),
        Layer.fresh(AccountTokens.layer)
      )
      assert.strictEqual(yield* elsewhere, "25999")
      assert.strictEqual(asked.count, 4)
      const stored = yield* (yield* AccountAdministration).findAccount(workspace.id, account.id)
      assert.deepStrictEqual([stored.otherAccountId, stored.username], [Option.some("25999"), Option.some("us")])
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("marks the account for reconnection when the renewal fails, and refuses it after that", () =>
    Effect.gen(function* () {
      const { call, state, status } = yield* connected()
      state.good = 7
      state.accepted = "another"
      assert.strictEqual((yield* Effect.flip(call))._tag, "AuthExpired")
      assert.strictEqual(yield* status, "reauth_required")
      const error = yield* Effect.flip(call)
      assert.isTrue(error._tag === "AccountUnusable" && error.reason === "not_connected")
      assert.strictEqual(state.renewals, 1)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("leaves the account unchanged when it is unknown whether the token is permanently invalid", () =>
    Effect.gen(function* () {
      const { answer, call, state, status } = yield* connected()
      state.accepted = "another"
      answer(() => Effect.fail(limited))
      const error = yield* Effect.flip(call)
      assert.strictEqual(error._tag, "RateLimited")
      assert.strictEqual(yield* status, "connected")
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("finishes a renewal after its caller is gone, so that no refresh token is lost", () =>
    Effect.gen(function* () {
      const { answer, call, refresh, state } = yield* connected()
      const [asked, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      answer((access, token) =>
        Deferred.succeed(asked, undefined).pipe(
          Effect.andThen(refresh(access, token)),
          Effect.tap(() => Deferred.await(answered))
        )
      )
      state.accepted = "another"
      const fiber = yield* Effect.forkChild(call)
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.succeed(answered, undefined)
      const told = yield* Effect.forkChild(call)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* Fiber.join(told), "token 1")
      assert.strictEqual(state.renewals, 1)
    }).pipe(Effect.provide(layerInbox))
  )

  it.effect("returns a missing permission to the caller", () =>
    Effect.gen(function* () {
      const { account, state, status, tokens, workspace } = yield* connected()
      const forbidden = new AuthExpired({ ...dead, reason: "permission", missingScopes: ["tweet.write"] })
      const error = yield* Effect.flip(tokens.withAccess(workspace.id, account.id, () => Effect.fail(forbidden)))
      assert.strictEqual(error, forbidden)
      assert.strictEqual(state.renewals, 0)
      assert.strictEqual(yield* status, "connected")
    }).pipe(Effect.provide(layerInbox))
  )
})
