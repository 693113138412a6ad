import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AccountCredentials } from "@loopbox/core/accounts/AccountCredentials"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { type CheckFacts, unchecked } from "@loopbox/core/health/AccountFacts"
import { AccountHealthStore, type CheckClaim } from "@loopbox/core/health/AccountHealthStore"
import { judgeAccount } from "@loopbox/core/health/judgeAccount"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { PollFacts } from "@loopbox/core/sync/PollFacts"
import { PollStore } from "@loopbox/core/sync/PollStore"
import { posted } from "../fixtures/activities.ts"
import { healthWorld } from "../fixtures/healthFixtures.ts"
import {
  connect,
  eventsAfter,
  inboxEpoch,
  type InboxPorts,
  inboxWorld,
  ingest,
  makeInboxWorkspace,
  newAccount
} from "../fixtures/inboxFixtures.ts"
import { testNetworks } from "../fixtures/networks.ts"
import { notesOf, only, resultOf } from "../fixtures/syncFixtures.ts"
import { leaseContract } from "./leaseContract.ts"
import { accountHealthReadSuite } from "./suites/accountHealthReadSuite.ts"

const subscribedAt = (since: DateTime.Utc): CheckFacts => ({
  ...unchecked,
  subscription: { state: "subscribed", since: Option.some(since), failure: Option.none() }
})

const told = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
  return (yield* eventsAfter(workspaceId)).flatMap(({ event }) =>
    "account" in event
      ? [`${event._tag} ${event.account.health.problems.map(({ code }) => code).join(",")}`.trim()]
      : []
  )
})

/** A poll of the account, which ends with these facts. */
const poll = Effect.fnUntraced(function* (
  account: SocialAccount,
  at: DateTime.Utc,
  facts: PollFacts,
  found: ReadonlyArray<string> = []
) {
  const polls = yield* PollStore
  const held = only(
    (yield* polls.claim({
      network: account.network,
      limit: 100,
      isAutomatic: true,
      token: `p ${DateTime.formatIso(at)}`,
      now: at,
      leaseNow: at,
      leaseUntil: DateTime.add(at, { minutes: 1 })
    })).filter(({ accountId }) => accountId === account.id)
  )
  if (found.length > 0) {
    const items = found.map((externalId) => posted({ externalId, receivedAt: at }))
    yield* ingest(account, items, { now: at, polledAt: at, poll: { claim: held, notes: notesOf() } })
  }
  const settlement = { poll: Option.some(resultOf(account)), backfills: [], facts: Option.some(facts) }
  yield* polls.settle(held, { ...settlement, state: held.state, nextPollAt: Option.some(at) }, at)
})

const fine: PollFacts = { failures: [], isRead: true }
const limited: PollFacts = { failures: [{ code: "rate_limited", retryAt: Option.none() }], isRead: true }

/** What every adapter of the port AccountHealthStore does. */
export const accountHealthStoreContract = <E>(
  name: string,
  stores: Layer.Layer<InboxPorts | AccountHealthStore, E>
): void => {
  layer(inboxWorld(stores))(`AccountHealthStore: ${name}`, (it) => {
    leaseContract(it, {
      what: "account",
      add: Effect.fnUntraced(function* (count) {
        const now = yield* inboxEpoch
        const { id } = yield* makeInboxWorkspace(now)
        for (let n = 0; n < count; n++) yield* connect(id, { at: now, networkAccountId: `leased ${n}` })
        return now
      }),
      claim: (request) => AccountHealthStore.use((store) => store.claim({ ...request, now: request.leaseNow })),
      idOf: ({ account }) => account.id,
      renew: (held, until) => AccountHealthStore.use((store) => store.renew(held, until)),
      release: (held) => AccountHealthStore.use((store) => store.release(held)),
      settle: [
        (held, at) =>
          AccountHealthStore.use((store) =>
            store.settle(
              held,
              Option.none(),
              (known) => ({ ...judgeAccount(testNetworks, at)(known), dueAt: Option.none() }),
              at
            )
          )
      ]
    })

    it.effect("gives a new account at once, and keeps what a check found and announced", () =>
      Effect.gen(function* () {
        const { account, claim, facts, later, now, settle, store, workspaceId } = yield* healthWorld
        const held = only(yield* claim(now))
        assert.strictEqual(held.account.id, account.id)
        assert.deepStrictEqual(held.facts.checks, unchecked)
        const failure = { networkCode: Option.some("200"), retryAt: later(1), count: 0 }
        const checks: CheckFacts = {
          ...unchecked,
          subscription: { state: "missing", since: Option.none(), failure: Option.some(failure) },
          nextAt: Option.some(later(360))
        }
        const known = yield* settle(held, later(1), checks)
        assert.deepStrictEqual(yield* facts, known.facts)
        assert.deepStrictEqual(known.facts.checks, checks)
        assert.deepStrictEqual(yield* told(workspaceId), ["AccountAttention webhook_not_subscribed"])
        assert.deepStrictEqual(yield* claim(later(60)), [])
        assert.isTrue(Option.isSome(yield* store.find(workspaceId, account.id)))
      })
    )

    it.effect("stores the permissions that the network told", () =>
      Effect.gen(function* () {
        const { account, claim, later, now, store, workspaceId } = yield* healthWorld
        const notes = { checks: unchecked, permissions: Option.some(["one", "two"]), names: Option.none() }
        const judge = judgeAccount(testNetworks, now)
        const known = yield* store.settle(only(yield* claim(now)), Option.some(notes), judge, later(1))
        assert.deepStrictEqual(known.account.permissions, ["one", "two"])
        const found = Option.getOrThrow(yield* (yield* SocialAccounts).find(workspaceId, account.id))
        assert.deepStrictEqual(found.permissions, ["one", "two"])
      })
    )

    it.effect("stores what the network calls the account, and keeps what it did not tell, without an event", () =>
      Effect.gen(function* () {
        const { account, claim, later, now, store, workspaceId } = yield* healthWorld
        const accounts = yield* SocialAccounts
        const judge = judgeAccount(testNetworks, now)
        const called = Effect.fnUntraced(function* (username: Option.Option<string>, avatarUrl: Option.Option<string>) {
          const request = { token: "t", leaseNow: now, leaseUntil: later(1) }
          const held = Option.getOrThrow(yield* store.seize(workspaceId, account.id, request))
          const names = Option.some({ name: "New name", username, avatarUrl })
          const notes = { checks: unchecked, permissions: Option.none(), names }
          const { account: known } = yield* store.settle(held, Option.some(notes), judge, later(1))
          assert.deepStrictEqual(yield* accounts.find(workspaceId, account.id), Option.some(known))
          return [known.name, Option.getOrNull(known.username), Option.getOrNull(known.avatarUrl)]
        })
        const [handle, picture] = ["handle", "https://pictures.example/1"]
        const expected = ["New name", handle, picture]
        assert.deepStrictEqual(yield* called(Option.some(handle), Option.some(picture)), expected)
        assert.deepStrictEqual(yield* called(Option.none(), Option.none()), expected)
        const routes = yield* accounts.findRoutes([{ network: account.network, by: "username", value: handle }])
        assert.isTrue(routes.some(({ accountId }) => accountId === account.id))
        assert.deepStrictEqual(yield* told(workspaceId), [])
        yield* claim(now)
      })
    )

    it.effect("makes an account due when a poll meets something else than the poll before, and only then", () =>
      Effect.gen(function* () {
        const { account, claim, facts, later, now, settle } = yield* healthWorld
        yield* settle(only(yield* claim(now)), now)
        yield* poll(account, later(1), fine)
        assert.deepStrictEqual(yield* claim(later(2)), [])
        assert.deepStrictEqual((yield* facts).lastPollAt, Option.some(later(1)))
        yield* poll(account, later(3), limited)
        const held = only(yield* claim(later(4)))
        assert.deepStrictEqual(held.facts.pollFailures, limited.failures)
        yield* settle(held, later(4))
        yield* poll(account, later(5), limited)
        assert.deepStrictEqual(yield* claim(later(6)), [])
        yield* poll(account, later(7), fine)
        assert.strictEqual((yield* claim(later(8))).length, 1)
      })
    )

    it.effect("counts what polls find that is newer than the subscription, until a webhook comes", () =>
      Effect.gen(function* () {
        const { account, claim, facts, later, now, settle } = yield* healthWorld
        yield* poll(account, later(1), fine, ["before there was a subscription"])
        yield* settle(only(yield* claim(later(1))), now, subscribedAt(later(2)))
        assert.deepStrictEqual((yield* facts).foundAt, [])
        yield* poll(account, later(3), fine, ["a", "b"])
        assert.deepStrictEqual((yield* facts).foundAt, [later(3), later(3)])
        assert.deepStrictEqual(yield* claim(later(4)), [])
        yield* poll(account, later(5), fine, ["c", "d"])
        assert.deepStrictEqual((yield* facts).foundAt, [later(5), later(5), later(3)])
        yield* settle(only(yield* claim(later(6))), later(6))
        yield* ingest(account, [posted({ externalId: "e" })], { now: later(7), isHeard: true })
        const heard = only(yield* claim(later(8))).facts
        assert.deepStrictEqual([heard.foundAt, heard.lastWebhookAt], [[], Option.some(later(7))])
      })
    )

    it.effect("counts from when webhooks should come, also where there is nothing to subscribe", () =>
      Effect.gen(function* () {
        const { account, claim, facts, later, now, settle } = yield* healthWorld
        const { subscription } = subscribedAt(later(2))
        const ofApp = { ...unchecked, subscription: { ...subscription, state: "none" as const } }
        yield* settle(only(yield* claim(now)), now, ofApp)
        yield* poll(account, later(3), fine, ["a"])
        assert.deepStrictEqual((yield* facts).foundAt, [later(3)])
      })
    )

    it.effect("keeps that an account is to be left alone, until it is checked or has another token", () =>
      Effect.gen(function* () {
        const { claim, now, settle, store, workspaceId } = yield* healthWorld
        const accounts = yield* SocialAccounts
        yield* settle(only(yield* claim(now)), now)
        const account = yield* newAccount(workspaceId, { networkAccountId: "alone", at: now })
        const seal = () => Effect.succeed("sealed")
        yield* accounts.connect(account, seal, now, { isLeftAlone: true })
        const isLeftAlone = Effect.map(
          store.find(workspaceId, account.id),
          (known) => Option.getOrThrow(known).facts.checks.isLeftAlone === true
        )
        assert.isTrue(yield* isLeftAlone)
        const held = only(yield* claim(now))
        // Only its token may be due.
        const { dueAt } = judgeAccount(testNetworks, now)(held)
        assert.deepStrictEqual(
          dueAt,
          Option.map(held.facts.renewAt, (at) => DateTime.max(at, DateTime.add(now, { minutes: 1 })))
        )
        yield* settle(held, now, unchecked)
        assert.isFalse(yield* isLeftAlone)
        const given = { sealed: "again", expiresAt: Option.none() }
        yield* accounts.update(workspaceId, account.id, { credentials: { ...given, isLeftAlone: true } }, now)
        assert.isTrue(yield* isLeftAlone)
        yield* accounts.update(workspaceId, account.id, { credentials: given }, now)
        assert.isFalse(yield* isLeftAlone)
      })
    )

    it.effect("makes an account due whose token is dead, and forgets what was known with earlier credentials", () =>
      Effect.gen(function* () {
        const { account, claim, facts, later, now, settle, workspaceId } = yield* healthWorld
        yield* settle(only(yield* claim(now)), now, subscribedAt(now))
        yield* (yield* SocialAccounts).requireReauth(workspaceId, account.id, later(1))
        // Due as soon as the process's clock says: it is not a test's.
        const held = yield* Effect.flatMap(DateTime.now, (at) => claim(DateTime.max(at, later(60 * 24 * 51))))
        const own = held.filter((one) => one.account.id === account.id)
        assert.deepStrictEqual(only(own).account.status, "reauth_required")
        yield* settle(only(own), later(2))
        const credentials = { sealed: "new", expiresAt: Option.none() }
        yield* (yield* SocialAccounts).update(workspaceId, account.id, { credentials }, later(3))
        assert.deepStrictEqual((yield* facts).checks, unchecked)
        yield* settle(only(yield* claim(later(3))), later(3))
        assert.deepStrictEqual(yield* told(workspaceId), ["AccountAttention reconnect_required", "AccountAttention"])
      })
    )

    it.effect("takes the lease of a running check when it is seized, disconnected or has new credentials", () =>
      Effect.gen(function* () {
        const { account, claim, later, now, seize, settle, workspaceId } = yield* healthWorld
        const accounts = yield* SocialAccounts
        const lost = (held: CheckClaim) => Effect.map(Effect.flip(settle(held, later(1))), ({ _tag }) => _tag)
        const first = only(yield* claim(now))
        const second = yield* seize(later(0.5))
        assert.strictEqual(yield* lost(first), "LeaseLost")
        const credentials = { sealed: "new", expiresAt: Option.none() }
        yield* accounts.update(workspaceId, account.id, { credentials }, later(1))
        assert.strictEqual(yield* lost(second), "LeaseLost")
        const third = yield* seize(later(2))
        yield* accounts.disconnect(workspaceId, account.id, later(3))
        assert.strictEqual(yield* lost(third), "LeaseLost")
        assert.deepStrictEqual(yield* claim(later(4)), [])
      })
    )

    it.effect("knows when the token is renewed, and that no machine can", () =>
      Effect.gen(function* () {
        const { account, facts, later, now, workspaceId } = yield* healthWorld
        const credentials = yield* AccountCredentials
        assert.isTrue(Option.isSome((yield* facts).renewAt))
        const claim = { workspaceId, accountId: account.id, sealed: "sealed", token: "turn" }
        yield* credentials.claimRenewal(claim, { now, until: later(1), dueAt: Option.none() })
        yield* credentials.settleRenewal(claim, { _tag: "Kept", renewAt: Option.none() })
        assert.isTrue(Option.isNone((yield* facts).renewAt))
      })
    )
  })
  accountHealthReadSuite(name, stores)
}
