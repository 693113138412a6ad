import { assert, layer } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { AccountCredentials, type RenewalClaim } from "@loopbox/core/accounts/AccountCredentials"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { noon } from "../fixtures/activities.ts"
import { connect, type InboxPorts, inboxWorld, makeInboxWorkspace } from "../fixtures/inboxFixtures.ts"

const hours = (count: number) => DateTime.add(noon, { hours: count })
const turn = { now: noon, until: hours(1), dueAt: Option.none<DateTime.Utc>() }

const world = Effect.gen(function* () {
  const { id: workspaceId } = yield* makeInboxWorkspace()
  const account = yield* connect(workspaceId)
  const credentials = yield* AccountCredentials
  const sealed = Option.getOrThrow(yield* credentials.find(workspaceId, account.id)).sealed
  const claim = (token: string): RenewalClaim => ({ workspaceId, accountId: account.id, sealed, token })
  const replace = (next: string, expiresAt: Option.Option<DateTime.Utc> = Option.none()) =>
    SocialAccounts.use((accounts) =>
      accounts.update(workspaceId, account.id, { credentials: { sealed: next, expiresAt } }, noon)
    )
  return { workspaceId, account, credentials, claim, sealed, replace }
})

const renewed = {
  _tag: "Renewed",
  sealed: "renewed",
  expiresAt: Option.some(hours(2)),
  renewAt: Option.some(hours(1)),
  renewedAt: hours(1)
} as const

/** What every adapter of the port AccountCredentials does. */
export const accountCredentialsContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`AccountCredentials: ${adapter}`, (it) => {
    it.effect("gives an account that is connected, and when its token is to be renewed", () =>
      Effect.gen(function* () {
        const { account, credentials, replace, sealed, workspaceId } = yield* world
        assert.deepStrictEqual(
          yield* credentials.find(workspaceId, account.id),
          Option.some({ account, sealed, renewAt: Option.some(DateTime.add(account.createdAt, { hours: 24 })) })
        )
        yield* replace("given", Option.some(hours(10)))
        const found = Option.getOrThrow(yield* credentials.find(workspaceId, account.id))
        assert.deepStrictEqual([found.sealed, found.renewAt], ["given", Option.some(hours(5))])
        const { id: elsewhere } = yield* makeInboxWorkspace()
        assert.isTrue(Option.isNone(yield* credentials.find(elsewhere, account.id)))
        yield* (yield* SocialAccounts).requireReauth(
          workspaceId,
          account.id,
          DateTime.add(account.createdAt, { seconds: 1 })
        )
        assert.isTrue(Option.isNone(yield* credentials.find(workspaceId, account.id)))
      })
    )

    it.effect("gives a token whose end nobody named a day later for renewal", () =>
      Effect.gen(function* () {
        const { account, credentials, replace, workspaceId } = yield* world
        const renewAt = Effect.map(credentials.find(workspaceId, account.id), (found) =>
          Option.flatMap(found, (usable) => usable.renewAt)
        )
        assert.deepStrictEqual(yield* renewAt, Option.some(DateTime.add(account.createdAt, { hours: 24 })))
        yield* replace("given", Option.none())
        assert.deepStrictEqual(yield* renewAt, Option.some(hours(24)))
      })
    )

    it.effect("notes the other id of an account, by which webhooks find it until it gets other credentials", () =>
      Effect.gen(function* () {
        const { account, claim, credentials, replace, workspaceId } = yield* world
        const accounts = yield* SocialAccounts
        const other = `other ${account.id}`
        const names = { otherAccountId: other, username: Option.some("The.Page") }
        const found = Effect.map(
          accounts.findRoutes([{ network: account.network, by: "id", value: other }]),
          (routes) => routes.map(({ accountId }) => accountId)
        )
        const known = Effect.map(accounts.find(workspaceId, account.id), (one) => {
          const { otherAccountId, username } = Option.getOrThrow(one)
          return [Option.getOrNull(otherAccountId), Option.getOrNull(username)]
        })
        yield* credentials.noteNames({ ...claim("t"), sealed: "of before" }, names)
        assert.deepStrictEqual([yield* known, yield* found], [[null, null], []])
        yield* credentials.noteNames(claim("t"), names)
        assert.deepStrictEqual([yield* known, yield* found], [[other, "The.Page"], [account.id]])
        const byName = { network: account.network, by: "username", value: "the.page" } as const
        assert.isTrue((yield* accounts.findRoutes([byName])).some(({ accountId }) => accountId === account.id))
        // A name that was given stays.
        yield* credentials.noteNames(claim("t"), { ...names, username: Option.some("another") })
        assert.deepStrictEqual(yield* known, [other, "The.Page"])
        // The same id again: there is no other.
        yield* credentials.noteNames(claim("t"), { ...names, otherAccountId: account.networkAccountId })
        assert.deepStrictEqual([yield* known, yield* found], [[account.networkAccountId, "The.Page"], []])
        yield* credentials.noteNames(claim("t"), names)
        yield* replace("of another app")
        assert.deepStrictEqual([yield* known, yield* found], [[null, "The.Page"], []])
      })
    )

    it.effect("gives one turn at a time, also to those who ask at once", () =>
      Effect.gen(function* () {
        const { claim, credentials } = yield* world
        const got = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, n) => claim(`t${n}`)),
          (one) => credentials.claimRenewal(one, turn),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(got.filter(Boolean).length, 1)
      })
    )

    it.effect("puts what was renewed in the place of the old, once", () =>
      Effect.gen(function* () {
        const { account, claim, credentials, workspaceId } = yield* world
        assert.isTrue(yield* credentials.claimRenewal(claim("t"), turn))
        assert.isTrue(yield* credentials.settleRenewal(claim("t"), renewed))
        const found = Option.getOrThrow(yield* credentials.find(workspaceId, account.id))
        assert.deepStrictEqual([found.sealed, found.renewAt], ["renewed", Option.some(hours(1))])
        assert.deepStrictEqual(found.account.tokenExpiresAt, Option.some(hours(2)))
        assert.isFalse(yield* credentials.settleRenewal(claim("t"), renewed))
        assert.isFalse(yield* credentials.claimRenewal(claim("t"), turn))
        assert.isTrue(yield* credentials.claimRenewal({ ...claim("t2"), sealed: "renewed" }, turn))
      })
    )

    it.effect("gives the turn of one that is not heard of to another, whose word counts then", () =>
      Effect.gen(function* () {
        const { account, claim, credentials, workspaceId } = yield* world
        yield* credentials.claimRenewal(claim("lost"), turn)
        assert.isFalse(
          yield* credentials.claimRenewal(claim("next"), {
            ...turn,
            now: DateTime.subtract(turn.until, { seconds: 1 }),
            until: hours(3)
          })
        )
        assert.isTrue(yield* credentials.claimRenewal(claim("next"), { ...turn, now: turn.until, until: hours(3) }))
        assert.isFalse(yield* credentials.settleRenewal(claim("lost"), { _tag: "Kept", renewAt: Option.none() }))
        assert.isTrue(yield* credentials.settleRenewal(claim("next"), { _tag: "Kept", renewAt: Option.some(hours(9)) }))
        const found = Option.getOrThrow(yield* credentials.find(workspaceId, account.id))
        assert.deepStrictEqual([found.sealed, found.renewAt], ["sealed", Option.some(hours(9))])
        assert.isTrue(yield* credentials.claimRenewal(claim("again"), turn))
      })
    )

    it.effect("keeps what a network gave in a turn that was lost, as long as the credentials are those", () =>
      Effect.gen(function* () {
        const { account, claim, credentials, workspaceId } = yield* world
        yield* credentials.claimRenewal(claim("slow"), turn)
        yield* credentials.claimRenewal(claim("next"), { ...turn, now: turn.until, until: hours(3) })
        assert.isTrue(yield* credentials.settleRenewal(claim("slow"), renewed))
        assert.isFalse(yield* credentials.settleRenewal(claim("next"), { ...renewed, sealed: "second" }))
        assert.isFalse(yield* credentials.settleRenewal(claim("next"), { _tag: "Kept", renewAt: Option.none() }))
        const found = Option.getOrThrow(yield* credentials.find(workspaceId, account.id))
        assert.deepStrictEqual([found.sealed, found.renewAt], ["renewed", Option.some(hours(1))])
      })
    )

    it.effect("gives the turn for a token that is due only if it is due as it is stored", () =>
      Effect.gen(function* () {
        const { claim, credentials, replace } = yield* world
        yield* replace("given", Option.some(hours(10)))
        const given = (token: string) => ({ ...claim(token), sealed: "given" })
        const due = (moment: DateTime.Utc) => ({ ...turn, dueAt: Option.some(moment) })
        assert.isFalse(yield* credentials.claimRenewal(given("t"), due(DateTime.subtract(hours(5), { seconds: 1 }))))
        assert.isTrue(yield* credentials.claimRenewal(given("t"), due(hours(5))))
        yield* credentials.settleRenewal(given("t"), { _tag: "Kept", renewAt: Option.some(hours(7)) })
        assert.isFalse(yield* credentials.claimRenewal(given("t2"), due(hours(6))))
        assert.isTrue(yield* credentials.claimRenewal(given("t2"), due(hours(7))))
        yield* credentials.settleRenewal(given("t2"), { _tag: "Kept", renewAt: Option.none() })
        assert.isFalse(yield* credentials.claimRenewal(given("t3"), due(hours(1_000))))
        assert.isTrue(yield* credentials.claimRenewal(given("t3"), turn))
      })
    )

    it.effect("lets what an administrator gave win over a renewal and over an expiry", () =>
      Effect.gen(function* () {
        const { account, claim, credentials, replace, sealed, workspaceId } = yield* world
        yield* credentials.claimRenewal(claim("t"), turn)
        yield* replace("given")
        assert.isFalse(yield* credentials.settleRenewal(claim("t"), renewed))
        yield* credentials.expire(workspaceId, account.id, sealed)
        assert.strictEqual(Option.getOrThrow(yield* credentials.find(workspaceId, account.id)).sealed, "given")
        yield* credentials.expire(workspaceId, account.id, "given")
        assert.isTrue(Option.isNone(yield* credentials.find(workspaceId, account.id)))
        const found = yield* (yield* SocialAccounts).find(workspaceId, account.id)
        assert.strictEqual(Option.getOrThrow(found).status, "reauth_required")
      })
    )

    it.effect("drops tokens that were stored before a moment, and asks for a new connection", () =>
      Effect.gen(function* () {
        const [accounts, credentials] = [yield* SocialAccounts, yield* AccountCredentials]
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id, { at: noon })
        const key = { workspaceId: id, accountId: account.id }
        yield* credentials.drop(key, noon)
        assert.isTrue(Option.isSome(yield* credentials.findSealed(id, account.id)))
        yield* credentials.drop(key, DateTime.add(noon, { seconds: 1 }))
        yield* credentials.drop(key, DateTime.add(noon, { seconds: 1 }))
        assert.deepStrictEqual(yield* credentials.findSealed(id, account.id), Option.none())
        assert.strictEqual(Option.getOrThrow(yield* accounts.find(id, account.id)).status, "reauth_required")
        const given = { sealed: "fresh", expiresAt: Option.none() }
        yield* accounts.update(id, account.id, { credentials: given }, DateTime.add(noon, { days: 1 }))
        assert.deepStrictEqual(yield* credentials.findSealed(id, account.id), Option.some("fresh"))
      })
    )
  })
