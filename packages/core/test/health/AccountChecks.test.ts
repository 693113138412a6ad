import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SocialAccount } from "../../src/accounts/SocialAccount.ts"
import { SocialAccounts } from "../../src/accounts/SocialAccounts.ts"
import { Ingest } from "../../src/inbox/Ingest.ts"
import { CredentialVault } from "../../src/accounts/CredentialVault.ts"
import { RateLimited, Unavailable } from "../../src/networks/ConnectorErrors.ts"
import { posted } from "@loopbox/testing/fixtures/activities"
import { makeInboxWorkspace, newAccount } from "@loopbox/testing/fixtures/inboxFixtures"
import { comment, dead, forbidden } from "../polling/syncWorld.ts"

import { admit, failed, makeScripted, roleLost, workers, world } from "./checkedWorld.ts"

describe("looking after a connected account", () => {
  it.effect("is subscribed as soon as it is looked at, and announced as connected", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { told, view } = yield* world()
      const { capabilities, health, missingPermissions } = yield* view
      assert.isTrue(network.isSubscribed)
      assert.deepStrictEqual(network.calls, ["inspect", "isSubscribed", "subscribe"])
      assert.deepStrictEqual([health.status, missingPermissions], ["ok", []])
      assert.deepStrictEqual(capabilities, ["inbox", "reply", "publish", "hide", "delete", "like", "private_reply"])
      assert.deepStrictEqual(yield* told, ["AccountConnected"])
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("is subscribed once the store is back that was away when it was looked at first (core 13)", () => {
    const network = makeScripted()
    network.isStoreAway = true
    return Effect.gen(function* () {
      const { told } = yield* world()
      assert.isFalse(network.isSubscribed)
      network.isStoreAway = false
      yield* TestClock.adjust("5 minutes")
      assert.isTrue(network.isSubscribed)
      assert.deepStrictEqual(yield* told, ["AccountConnected"])
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect(
    "a subscription that was deleted at the network is made again by a check, and by itself within hours",
    () => {
      const network = makeScripted()
      return Effect.gen(function* () {
        const { check, problems, told } = yield* world()
        network.isSubscribed = false
        assert.strictEqual((yield* check).health.status, "ok")
        assert.isTrue(network.isSubscribed)
        network.isSubscribed = false
        yield* TestClock.adjust("7 hours")
        assert.isTrue(network.isSubscribed)
        network.isSubscribed = false
        network.failure = (call) => (call === "subscribe" ? roleLost : undefined)
        const { health } = yield* check
        assert.deepStrictEqual(
          health.problems.map(({ code }) => code),
          ["webhook_not_subscribed"]
        )
        assert.deepStrictEqual(
          health.problems.map(({ networkCode }) => networkCode),
          [Option.some("200/1")]
        )
        assert.isTrue(health.problems.every(({ retryAt }) => Option.isSome(retryAt)))
        network.failure = () => undefined
        yield* TestClock.adjust("3 minutes")
        assert.deepStrictEqual(yield* problems, [])
        assert.deepStrictEqual(yield* told, [
          "AccountConnected",
          "AccountAttention webhook_not_subscribed",
          "AccountAttention"
        ])
      }).pipe(Effect.provide(workers(network)))
    }
  )

  it.effect("a permission that was withdrawn is missing, and what it allowed is no capability any more", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { check, view, told } = yield* world({
        permissions: ["instagram_business_basic", "instagram_business_manage_comments"],
        requestedPermissions: ["instagram_business_basic", "instagram_business_manage_comments"]
      })
      network.permissions = ["instagram_business_basic"]
      const { capabilities, health, missingPermissions } = yield* check
      assert.deepStrictEqual([health.status, missingPermissions], ["degraded", ["instagram_business_manage_comments"]])
      assert.deepStrictEqual(
        health.problems.map(({ code }) => code),
        ["missing_scopes"]
      )
      assert.deepStrictEqual(capabilities, ["inbox"])
      network.permissions = ["instagram_business_basic", "instagram_business_manage_comments"]
      yield* check
      assert.strictEqual((yield* view).health.status, "ok")
      assert.strictEqual((yield* told).at(-1), "AccountAttention")
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("a role that was lost is seen by the next poll, and looked into at once", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { feeds, problems } = yield* world()
      const before = network.calls.length
      feeds.failure = () => forbidden
      network.permissions = ["read"]
      yield* TestClock.adjust("6 minutes")
      assert.deepStrictEqual(yield* problems, ["missing_scopes", "permission_missing"])
      assert.strictEqual(network.calls.slice(before).filter((call) => call === "inspect").length, 1)
      feeds.failure = () => undefined
      network.permissions = ["read", "manage"]
      // The poll leaves the step alone for a day.
      yield* TestClock.adjust("25 hours")
      assert.deepStrictEqual(yield* problems, [])
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("a token that was revoked must be connected again, and is well with a new one", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { check, told, view, workspaceId } = yield* world()
      network.failure = () => dead
      const { health, status } = yield* check
      assert.deepStrictEqual([status, health.status], ["reauth_required", "broken"])
      assert.deepStrictEqual(
        health.problems.map(({ code }) => code),
        ["reconnect_required"]
      )
      network.failure = () => undefined
      yield* admit(workspaceId)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual([(yield* view).status, (yield* view).health.status], ["connected", "ok"])
      assert.deepStrictEqual(yield* told, [
        "AccountConnected",
        "AccountAttention reconnect_required",
        "AccountConnected"
      ])
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("is asked nothing and not subscribed where that is not wanted, until somebody checks it (A26)", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { accounts, scope, workspaceId } = yield* world()
      network.calls.length = 0
      const now = yield* DateTime.now
      const other = new SocialAccount({ ...(yield* newAccount(workspaceId, { networkAccountId: "other", at: now })) })
      const vault = yield* CredentialVault
      const credentials = { accessToken: Redacted.make("token"), refreshToken: Option.none(), expiresAt: Option.none() }
      const seal = (accountId: SocialAccount["id"]) => vault.seal({ workspaceId, accountId }, credentials)
      yield* (yield* SocialAccounts).connect(other, seal, now, { isLeftAlone: true })
      network.ids = ["page", "other"]
      yield* TestClock.adjust("5 hours")
      assert.deepStrictEqual(network.calls, [])
      assert.strictEqual((yield* accounts.check(scope, other.id)).health.status, "ok")
      assert.deepStrictEqual(network.calls, ["inspect", "isSubscribed"])
      network.calls.length = 0
      yield* TestClock.adjust("14 hours")
      assert.isAtLeast(network.calls.filter((call) => call === "inspect").length, 4)
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("a token of another account is as good as none", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { check } = yield* world()
      network.ids = ["somebody else"]
      assert.strictEqual((yield* check).status, "reauth_required")
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("webhooks that are quiet are noticed by what polls find, until one comes", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { feeds, problems, told } = yield* world()
      feeds.items = [1, 2, 3].map((minute) => comment(`c${minute}`, minute))
      yield* TestClock.adjust("6 minutes")
      assert.deepStrictEqual(yield* problems, ["webhook_quiet"])
      const later = posted({ externalId: "by webhook", receivedAt: yield* DateTime.now })
      yield* (yield* Ingest).ingest({ activities: [later], deliveryIds: ["d"], isLastTry: false })
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* problems, [])
      assert.deepStrictEqual(yield* told, ["AccountConnected", "AccountAttention webhook_quiet", "AccountAttention"])
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("webhooks of a whole app that are quiet are noticed, too", () => {
    const network = { ...makeScripted(), hearsByApp: true }
    return Effect.gen(function* () {
      const { feeds, problems } = yield* world()
      assert.deepStrictEqual(network.calls, ["inspect"])
      // A later check does not move the moment from which they should come.
      yield* TestClock.adjust("7 hours")
      feeds.items = [1, 2, 3].map((minute) => comment(`c${minute}`, minute))
      // An account in which nothing happened is polled at a third of the pace.
      yield* TestClock.adjust("16 minutes")
      assert.deepStrictEqual(yield* problems, ["webhook_quiet"])
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("a check says why the network can't be asked, and keeps that as a problem until it can", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { check, problems } = yield* world()
      network.failure = () => new Unavailable({ ...failed, reason: "upstream" })
      assert.strictEqual((yield* Effect.flip(check))._tag, "Unavailable")
      assert.deepStrictEqual(yield* problems, ["network_unavailable"])
      network.failure = () => new RateLimited({ ...failed, retryAt: Option.none() })
      assert.strictEqual((yield* Effect.flip(check))._tag, "RateLimited")
      assert.deepStrictEqual(yield* problems, ["rate_limited"])
      network.failure = () => undefined
      yield* TestClock.adjust("20 minutes")
      assert.deepStrictEqual(yield* problems, [])
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect(
    "disconnecting takes back its webhooks and its token, and happens also if the network does not answer",
    () => {
      const network = makeScripted()
      return Effect.gen(function* () {
        const { account, accounts, check, scope, told, view, workspaceId } = yield* world()
        yield* accounts.disconnect(scope, account.id)
        yield* accounts.disconnect(scope, account.id)
        assert.deepStrictEqual(network.calls.slice(3), ["unsubscribe", "revoke"])
        assert.deepStrictEqual([(yield* view).status, (yield* view).capabilities], ["disconnected", []])
        assert.strictEqual((yield* Effect.flip(check))._tag, "AccountIsDisconnected")
        assert.deepStrictEqual(yield* told, ["AccountConnected", "AccountDisconnected"])
        yield* admit(workspaceId)
        network.failure = () => new Unavailable({ ...failed, reason: "upstream" })
        yield* accounts.disconnect(scope, account.id)
        assert.strictEqual((yield* view).status, "disconnected")
      }).pipe(Effect.provide(workers(network)))
    }
  )

  it.effect("a token is not revoked while the person has another account that it would end (A24)", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      network.revokesPerson = true
      const { account, accounts, scope, workspaceId } = yield* world({ personIds: ["person"] })
      yield* admit(workspaceId, { networkAccountId: "other", personIds: ["person"] })
      network.calls.length = 0
      yield* accounts.disconnect(scope, account.id)
      assert.deepStrictEqual(network.calls, ["unsubscribe"])
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("webhooks of an account go on while another one needs its subscription, and end with the last", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { account, accounts, scope, workspaceId } = yield* world()
      const linked = yield* admit(workspaceId, {
        networkAccountId: "behind it",
        throughAccountId: Option.some(account.networkAccountId)
      })
      network.calls.length = 0
      yield* accounts.disconnect(scope, account.id)
      assert.deepStrictEqual(network.calls, ["revoke"])
      yield* accounts.disconnect(scope, linked.id)
      assert.deepStrictEqual(network.calls, ["revoke", "unsubscribe", "revoke"])
    }).pipe(Effect.provide(workers(network)))
  })

  it.effect("nothing is taken back while another workspace has the same account", () => {
    const network = makeScripted()
    return Effect.gen(function* () {
      const { account, accounts, scope } = yield* world()
      yield* admit((yield* makeInboxWorkspace()).id)
      yield* accounts.disconnect(scope, account.id)
      assert.isFalse(network.calls.some((call) => call === "unsubscribe" || call === "revoke"))
    }).pipe(Effect.provide(workers(network)))
  })
})
