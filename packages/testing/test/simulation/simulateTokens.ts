import { assert } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Option, Record, Redacted, Scope } from "effect"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { TestClock } from "effect/testing"
import { MemoryState } from "@loopbox/adapters-memory/MemoryState"
import { AccountAdministration } from "@loopbox/core/access/AccountAdministration"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import { AccountTokens } from "@loopbox/core/accounts/AccountTokens"
import { CredentialVault } from "@loopbox/core/accounts/CredentialVault"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { Connectors } from "@loopbox/core/networks/Connectors"
import type { SocialConnector } from "@loopbox/core/networks/SocialConnector"
import { FakeNetworks } from "../../src/fakes/FakeConnector.ts"
import { makeWorkspace } from "../../src/fixtures/mediaFixtures.ts"
import { connectAccount, layerInboxServices } from "../../src/layers/inboxLayers.ts"
import { makeChance, type Chance } from "./Chance.ts"
import { simulatedPorts } from "./InboxWorld.ts"
import { checkLaws } from "./laws/checkLaws.ts"
import type { InboxPorts, Plant } from "./planted/PlantedBug.ts"
import { makeProcess } from "./ReplyTown.ts"
import { makeTokenNetwork, type TokenNetwork } from "./TokenNetwork.ts"
import { afresh, makeLossy } from "./Weather.ts"

const networks = ["x", "instagram"] as const

/** Processes that call networks in the name of accounts, each with renewals of its own; some die in the middle of one. */
const makeCallers = Effect.fnUntraced(function* (
  chance: Chance,
  weather: { readonly isFair: boolean },
  network: TokenNetwork
) {
  const { inbox } = yield* MemoryState
  const [store, vault, connectors, random] = [
    yield* AccountCredentials,
    yield* CredentialVault,
    yield* Connectors,
    yield* SecureRandom
  ]
  const lossy = makeLossy(chance, weather, 12)
  /** Accounts whose new token died with the process that had asked for it. */
  const lost = new Set<string>()
  const start = Effect.gen(function* () {
    const process = makeProcess()
    const renewing = new Set<string>()
    const through = <A, E>(call: Effect.Effect<A, E>) => process.pass(lossy(call))
    const ports = Layer.mergeAll(
      Layer.succeed(AccountCredentials, {
        ...store,
        find: (...of) => through(store.find(...of)),
        claimRenewal: (...of) => through(store.claimRenewal(...of)),
        settleRenewal: (claim, outcome) =>
          Effect.tap(through(store.settleRenewal(claim, outcome)), () =>
            Effect.sync(() => renewing.delete(inbox.accounts.get(claim.accountId)?.account.networkAccountId ?? ""))
          ),
        expire: (...of) => through(store.expire(...of))
      }),
      Layer.succeed(CredentialVault, vault),
      Layer.succeed(SecureRandom, random),
      Layer.succeed(Connectors, {
        ...connectors,
        byNetwork: Record.map(connectors.byNetwork, (connector): SocialConnector => ({
          ...connector,
          refreshToken: (access, refresh) => {
            renewing.add(access.networkAccountId)
            return process.pass(connector.refreshToken(access, refresh))
          }
        }))
      })
    )
    const built = Layer.buildWithScope(Layer.fresh(AccountTokens.layer), yield* Scope.make())
    const tokens = yield* Effect.provide(built, ports)
    return { process, renewing, tokens: yield* Effect.provideContext(AccountTokens, tokens) }
  })
  const running = [yield* start, yield* start]
  const crash = Effect.gen(function* () {
    const place = chance.below(running.length)
    const old = running[place]
    old?.process.kill()
    for (const account of old?.renewing ?? []) lost.add(account)
    running[place] = yield* start
  })
  const sleep = Effect.gen(function* () {
    const one = chance.pick(running)
    const lasts_ms = chance.below(90_000)
    network.sleep.until = DateTime.add(yield* DateTime.now, { milliseconds: 90_000 })
    one?.process.pause()
    // Another process may find its old token used up before the new one is written.
    for (const account of one?.renewing ?? []) lost.add(account)
    const wake = Effect.sync(() => one?.process.resume())
    yield* Effect.forkScoped(Effect.delay(wake, lasts_ms))
  })
  return { running, lost, crash, sleep }
})

/** The stored token is never older than it was, is the account's own, and its account says until when it is good. */
const checkStored = Effect.fnUntraced(function* (
  network: TokenNetwork,
  before: Map<string, readonly [number, number]>
) {
  const { inbox } = yield* MemoryState
  const vault = yield* CredentialVault
  for (const { account, sealed } of inbox.accounts.values()) {
    const kept = yield* Effect.orDie(vault.open({ workspaceId: account.workspaceId, accountId: account.id }, sealed))
    const token = network.tokens.get(Redacted.value(kept.accessToken)) ?? assert.fail("a token that nobody gave")
    const [login, n] = before.get(account.id) ?? [0, 0]
    const isOlder = token.login < login || (token.login === login && token.n < n)
    assert.isFalse(isOlder, `an older token of ${token.account} came back`)
    before.set(account.id, [token.login, token.n])
    assert.strictEqual(token.account, account.networkAccountId, "the token of another account is stored")
    const until = Option.getOrUndefined(account.tokenExpiresAt)
    assert.strictEqual(
      until?.epochMilliseconds,
      token.to.epochMilliseconds,
      "until when a token is good, and what is shown"
    )
  }
})

/** Whoever failed with credentials that are stored no more says so too late: tried at any moment, it changes nothing. */
const checkLateFailures = Effect.gen(function* () {
  const { inbox } = yield* MemoryState
  const store = yield* AccountCredentials
  for (const [id, entry] of inbox.accounts) {
    const { status, workspaceId } = entry.account
    yield* store.expire(workspaceId, id, `${entry.sealed} before`)
    yield* store.drop({ workspaceId, accountId: id }, entry.storedAt)
    assert.strictEqual(entry.account.status, status, "a failure of old credentials ended a new login")
  }
})

/** Plays one seed: calls, logins, tokens that die early, crashes and sleep; then calm, in which every call has to succeed. */
export const simulateTokens = (seed: number, plant: Plant<InboxPorts> = Layer.empty) => {
  const chance = makeChance(seed)
  const weather = { isFair: false }
  return Effect.gen(function* () {
    const workspace = yield* makeWorkspace("growth")
    const network = makeTokenNetwork(chance, weather)
    const fake = yield* FakeNetworks
    const { inbox } = yield* MemoryState
    fake.script = { ...fake.script, refreshToken: network.refreshToken }
    const accounts = yield* Effect.forEach(networks, (name) =>
      Effect.gen(function* () {
        const networkAccountId = `of ${name}`
        const credentials = network.logIn(networkAccountId, yield* DateTime.now)
        return yield* connectAccount(workspace.id, {
          network: name,
          networkAccountId,
          username: Option.some(networkAccountId),
          credentials
        })
      })
    )
    const vault = yield* CredentialVault
    const administration = yield* AccountAdministration
    const { crash, lost, running, sleep } = yield* makeCallers(chance, weather, network)
    const seen = new Map<string, readonly [number, number]>()
    const statusOf = ({ id }: SocialAccount) => inbox.accounts.get(id)?.account.status
    const logIn = Effect.fnUntraced(function* ({ id, networkAccountId, workspaceId }: SocialAccount) {
      const credentials = network.logIn(networkAccountId, yield* DateTime.now)
      for (const name of [id, networkAccountId]) lost.delete(name)
      yield* administration.updateAccount(workspaceId, id, { credentials, check: false })
    })
    const call = ({ id, workspaceId }: SocialAccount, place: number) =>
      Effect.exit(running[place]?.tokens.withAccess(workspaceId, id, network.call) ?? Effect.die("no process"))
    const isGood = Effect.fnUntraced(function* ({ networkAccountId }: SocialAccount) {
      const name = network.newest.get(`${networkAccountId} ${network.logins.get(networkAccountId) ?? 0}`)
      return name !== undefined && network.isGood(name, yield* DateTime.now)
    })
    /** Its new token was lost, or the old one ended before one that needs it: then only a person can help. */
    const mayBeOut = Effect.fnUntraced(function* (account: SocialAccount) {
      return lost.has(account.networkAccountId) || (account.network !== "x" && !(yield* isGood(account)))
    })
    const check = Effect.gen(function* () {
      yield* checkLaws
      assert.isEmpty(network.violations, network.violations.slice(0, 3).join("; "))
      yield* checkStored(network, seen)
      yield* checkLateFailures
      for (const account of accounts)
        assert.isTrue(
          statusOf(account) === "connected" || (yield* mayBeOut(account)),
          `${account.networkAccountId} has to be connected again, and its token could be renewed`
        )
    })
    const storedOf = Effect.fnUntraced(function* (id: SocialAccountId) {
      const entry = inbox.accounts.get(id)
      return entry && (yield* Effect.orDie(vault.open({ workspaceId: workspace.id, accountId: id }, entry.sealed)))
    })
    const step = Effect.gen(function* () {
      const account = chance.pick(accounts)
      if (account === undefined) return
      const fate = chance.below(24)
      if (fate === 0) yield* crash
      else if (fate === 1) yield* sleep
      else if (fate === 2) yield* logIn(account)
      else if (fate === 3 && account.network === "x") {
        const stored = yield* storedOf(account.id)
        const isAmid = running.some(({ renewing }) => renewing.has("of x"))
        // A new token that is dead at its first use needs a person, too.
        const isQuiet = !isAmid && DateTime.isGreaterThan(yield* DateTime.now, network.sleep.until)
        if (stored !== undefined && isQuiet) network.revoked.add(Redacted.value(stored.accessToken))
      } else if (statusOf(account) !== "connected") yield* logIn(account)
      else for (const place of [0, 1]) yield* Effect.forkScoped(call(account, place))
    })
    for (let n = 0; n < 90; n++) {
      yield* step
      yield* TestClock.adjust(`${chance.below(9_000)} millis`)
      if (n % 5 === 0) yield* check
    }
    weather.isFair = true
    yield* TestClock.adjust("2 minutes")
    for (const account of accounts) {
      const stored = yield* storedOf(account.id)
      const isYoung = network.isYoung(stored && Redacted.value(stored.accessToken), yield* DateTime.now)
      // What went wrong in the storm may still end a token before the next attempt.
      if (statusOf(account) !== "connected" || !isYoung) yield* logIn(account)
    }
    network.sleep.isOver = true
    for (let n = 0; n < 120; n++) {
      for (const account of accounts) {
        const exit = yield* call(account, n % 2)
        assert.isTrue(Exit.isSuccess(exit), `a call for ${account.networkAccountId} failed in fair weather`)
      }
      yield* TestClock.adjust("10 seconds")
      if (n % 10 === 0) yield* check
    }
    for (const { networkAccountId } of accounts) {
      const login = network.logins.get(networkAccountId) ?? 0
      const issued = network.tokens.get(network.newest.get(`${networkAccountId} ${login}`) ?? "")
      assert.isAtLeast(issued?.n ?? 0, 2, `no token of ${networkAccountId} was renewed before its end`)
    }
    const names = Array.from(network.tokens.keys())
    return { hash: names.join(" "), tokens: names.length }
  }).pipe(
    Effect.scoped,
    Effect.provide(layerInboxServices.pipe(Layer.provideMerge(simulatedPorts(seed, plant)))),
    Effect.provide(TestClock.layer()),
    afresh
  )
}
