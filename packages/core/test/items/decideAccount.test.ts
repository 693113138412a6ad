import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option, Result } from "effect"
import * as fc from "fast-check"
import { SocialAccount } from "../../src/accounts/SocialAccount.ts"
import { decideAccountChange, decideConnect, decideDisconnect } from "../../src/items/decideAccount.ts"
import { SocialAccountId } from "../../src/kernel/Ids.ts"
import { noon } from "@loopbox/testing/fixtures/activities"
import { accountId, workspaceId } from "./anyItem.ts"

const owner = fc.constantFrom(Option.none<string>(), Option.some("u1"), Option.some("u2"))

const anyAccount = fc
  .record({ externalUserId: owner, status: fc.constantFrom("connected" as const, "reauth_required" as const) })
  .map(
    (drawn) =>
      new SocialAccount({
        ...drawn,
        id: accountId,
        workspaceId,
        network: "instagram",
        networkAccountId: "page",
        otherAccountId: Option.none(),
        name: "The Page",
        username: Option.none(),
        avatarUrl: Option.none(),
        disconnectedAt: Option.none(),
        tokenExpiresAt: Option.none(),
        permissions: [],
        createdAt: noon
      })
  )

const anyChange = fc.record(
  {
    name: fc.constant("Another Page"),
    externalUserId: owner,
    credentials: fc.constant({ sealed: "sealed", expiresAt: Option.some(noon) })
  },
  { requiredKeys: [] }
)

describe("what becomes of an account", () => {
  it("has an event for the old and the new owner, and is connected again by new credentials", () => {
    fc.assert(
      fc.property(anyAccount, anyChange, (before, change) => {
        const { account, events } = decideAccountChange(before, change)
        const from = Option.getOrNull(before.externalUserId)
        const to = Option.getOrNull(change.externalUserId ?? before.externalUserId)
        assert.strictEqual(Option.getOrNull(account.externalUserId), to)
        const told = { from: Option.fromNullishOr(from), to: Option.fromNullishOr(to) }
        assert.deepStrictEqual(events, from === to ? [] : [{ _tag: "AccountMoved", accountId, ...told }])
        assert.strictEqual(account.status, change.credentials === undefined ? before.status : "connected")
        assert.strictEqual(account.name, change.name ?? before.name)
      })
    )
  })

  it("is decided by how long ago the same account was disconnected", () => {
    fc.assert(
      fc.property(anyAccount, owner, fc.integer({ min: -3, max: 3 }), (drawn, externalUserId, hours) => {
        const before = new SocialAccount({ ...drawn, status: "connected" })
        const next = new SocialAccount({
          ...before,
          id: SocialAccountId.make(`acc_${"1".repeat(26)}`),
          externalUserId,
          createdAt: DateTime.add(noon, { days: 1 })
        })
        const since = DateTime.add(noon, { hours })
        assert.deepStrictEqual(
          decideConnect(next, Option.none(), since),
          Result.succeed({ _tag: "New", account: next })
        )
        assert.isTrue(Result.isFailure(decideConnect(next, Option.some(before), since)))

        const ended = decideDisconnect(before, noon)
        assert.deepStrictEqual(ended.events, [
          { _tag: "AccountMoved", accountId, from: before.externalUserId, to: Option.none() }
        ])
        const decided = Result.getOrThrow(decideConnect(next, Option.some(ended.account), since))
        if (hours >= 0) return assert.deepStrictEqual(decided, { _tag: "Replaced", account: next, erased: accountId })
        assert.deepStrictEqual(decided, {
          _tag: "Revived",
          account: new SocialAccount({ ...next, id: accountId, createdAt: before.createdAt }),
          events: [{ _tag: "AccountMoved", accountId, from: before.externalUserId, to: externalUserId }]
        })
      })
    )
  })
})
