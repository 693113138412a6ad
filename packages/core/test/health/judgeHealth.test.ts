import { assert, describe, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import fc from "fast-check"
import { ProblemCode } from "../../src/accounts/AccountHealth.ts"
import { SocialAccount } from "../../src/accounts/SocialAccount.ts"
import { type AccountFacts, newFacts, unchecked } from "../../src/health/AccountFacts.ts"
import { explainProblem } from "../../src/health/explainProblem.ts"
import { judgeHealth, nextChange } from "../../src/health/judgeHealth.ts"
import { SocialAccountId, WorkspaceId } from "../../src/kernel/Ids.ts"

const noon = DateTime.makeUnsafe("2026-11-21T12:00:00Z")
const hours = (count: number) => DateTime.add(noon, { minutes: Math.round(count * 60) })

const accountOf = (more: Partial<SocialAccount> = {}) =>
  new SocialAccount({
    id: SocialAccountId.make("acc_01k9j8n0a2c4e6g8j0m2p4r6t8"),
    workspaceId: WorkspaceId.make("ws_01k9j8n0a2c4e6g8j0m2p4r6t8"),
    network: "instagram",
    networkAccountId: "1",
    otherAccountId: Option.none(),
    name: "Acme",
    username: Option.none(),
    avatarUrl: Option.none(),
    externalUserId: Option.none(),
    status: "connected",
    disconnectedAt: Option.none(),
    tokenExpiresAt: Option.none(),
    permissions: [],
    createdAt: noon,
    ...more
  })

const subscribed: AccountFacts = {
  ...newFacts,
  checks: { ...unchecked, subscription: { state: "subscribed", since: Option.some(noon), failure: Option.none() } }
}

const codesOf = (account: SocialAccount, facts: AccountFacts, now = noon) =>
  judgeHealth({ account, facts }, now, Option.none()).problems.map(({ code }) => code)

const arbitraryFacts = fc.record({
  found: fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 3 }),
  heard: fc.option(fc.integer({ min: 0, max: 80 })),
  failures: fc.subarray(["rate_limited", "permission_missing", "network_unavailable", "plan_excludes"] as const),
  state: fc.constantFrom("unknown", "subscribed", "missing", "none"),
  isFailed: fc.boolean(),
  isRenewable: fc.boolean(),
  ends: fc.option(fc.integer({ min: -10, max: 400 })),
  status: fc.constantFrom("connected", "reauth_required", "disconnected"),
  permissions: fc.subarray(["a", "b"]),
  now: fc.integer({ min: 0, max: 200 })
})

const known = fc.constant(undefined).chain(() =>
  arbitraryFacts.map((given) => {
    const failure = { networkCode: Option.none(), retryAt: hours(1), count: 0 }
    const facts: AccountFacts = {
      ...newFacts,
      checks: {
        ...unchecked,
        subscription: {
          state: given.state,
          since: Option.none(),
          failure: given.isFailed ? Option.some(failure) : Option.none()
        }
      },
      foundAt: given.found.map(hours),
      lastWebhookAt: Option.map(Option.fromNullOr(given.heard), hours),
      pollFailures: given.failures.map((code) => ({ code, retryAt: Option.none() })),
      renewAt: given.isRenewable ? Option.some(noon) : Option.none()
    }
    const account = accountOf({
      status: given.status,
      permissions: given.permissions,
      requestedPermissions: ["a", "b"],
      tokenExpiresAt: Option.map(Option.fromNullOr(given.ends), hours)
    })
    return { account, facts, now: hours(given.now) }
  })
)

describe("the health of an account", () => {
  it("is ok without a problem, broken if nothing works, and degraded otherwise; each problem once, in order", () => {
    fc.assert(
      fc.property(known, ({ now, ...one }) => {
        const { problems, status } = judgeHealth(one, now, Option.none())
        const codes = problems.map(({ code }) => code)
        assert.deepStrictEqual(
          codes,
          ProblemCode.literals.filter((code) => codes.includes(code))
        )
        const isBroken = codes.includes("reconnect_required") || codes.includes("plan_excludes")
        assert.strictEqual(status, codes.length === 0 ? "ok" : isBroken ? "broken" : "degraded")
        if (one.account.status === "disconnected") assert.deepStrictEqual(codes, [])
        assert.strictEqual(codes.includes("reconnect_required"), one.account.status === "reauth_required")
      })
    )
  })

  it("keeps the time of a problem while it lasts", () => {
    fc.assert(
      fc.property(known, ({ now, ...one }) => {
        const first = judgeHealth(one, now, Option.none())
        const again = judgeHealth(one, DateTime.add(now, { seconds: 1 }), Option.some(first))
        for (const { code, since } of again.problems) {
          const before = first.problems.find((problem) => problem.code === code)
          if (before !== undefined) assert.deepStrictEqual(since, before.since)
        }
      })
    )
  })

  it("does not change by itself before the time that is told", () => {
    fc.assert(
      fc.property(known, fc.integer({ min: 0, max: 24 * 60 }), ({ now, ...one }, minutes) => {
        const at = DateTime.add(now, { minutes })
        const change = nextChange(one, now)
        fc.pre(one.account.status === "connected")
        fc.pre(Option.match(change, { onNone: () => true, onSome: (next) => DateTime.isLessThan(at, next) }))
        assert.deepStrictEqual(codesOf(one.account, one.facts, at), codesOf(one.account, one.facts, now))
      })
    )
  })

  it("has an explanation and a remedy for every problem", () => {
    for (const code of ProblemCode.literals) {
      const { message, remedy } = explainProblem({ code, missingPermissions: ["pages_messaging"] }, "Facebook")
      assert.isTrue(message.length > 20 && remedy.length > 20, code)
    }
  })

  it("names the permissions that were asked for and are not there", () => {
    const account = accountOf({ permissions: ["a"], requestedPermissions: ["a", "b"] })
    const { problems } = judgeHealth({ account, facts: newFacts }, noon, Option.none())
    assert.deepStrictEqual(
      problems.map(({ code, missingPermissions }) => [code, missingPermissions]),
      [["missing_scopes", ["b"]]]
    )
  })

  it("takes no permission for missing where the network does not tell which it granted", () => {
    const account = accountOf({ permissions: [], requestedPermissions: ["a", "b"] })
    assert.deepStrictEqual(judgeHealth({ account, facts: newFacts }, noon, Option.none()).problems, [])
  })

  it("says that webhooks are quiet by three finds within a day, for a day after the last (A23)", () => {
    const quiet = (found: ReadonlyArray<number>, now: number, heard?: number) =>
      codesOf(
        accountOf(),
        {
          ...subscribed,
          foundAt: found.map(hours),
          lastWebhookAt: Option.map(Option.fromUndefinedOr(heard), hours)
        },
        hours(now)
      ).includes("webhook_quiet")
    assert.isFalse(quiet([1, 2], 3))
    assert.isTrue(quiet([1, 2, 3], 3))
    assert.isTrue(quiet([1, 1, 1], 24.9))
    assert.isFalse(quiet([1, 1, 1], 25))
    assert.isFalse(quiet([1, 2, 26], 26))
    assert.isFalse(quiet([1, 2, 3], 3, 4))
    // A webhook within the same minute may be the item's own: it is stored once a minute.
    assert.isFalse(quiet([1, 1, 1.01], 1.01, 1))
    const found = { foundAt: [noon, noon, noon] }
    assert.isFalse(codesOf(accountOf(), { ...newFacts, ...found }).includes("webhook_quiet"))
    const withoutCall = (since: Option.Option<DateTime.Utc>) => ({
      ...unchecked,
      subscription: { state: "none" as const, since, failure: Option.none() }
    })
    const none = { ...newFacts, ...found, checks: withoutCall(Option.none()) }
    assert.isFalse(codesOf(accountOf(), none).includes("webhook_quiet"))
    const ofApp = { ...newFacts, ...found, checks: withoutCall(Option.some(noon)) }
    assert.isTrue(codesOf(accountOf(), ofApp).includes("webhook_quiet"))
  })

  it("says a week before that a token ends which no machine renews", () => {
    const ending = (days: number, renewAt: Option.Option<DateTime.Utc>) =>
      codesOf(accountOf({ tokenExpiresAt: Option.some(DateTime.add(noon, { days })) }), { ...newFacts, renewAt })
    assert.deepStrictEqual(ending(7, Option.none()), ["expires_soon"])
    assert.deepStrictEqual(ending(8, Option.none()), [])
    assert.deepStrictEqual(ending(1, Option.some(noon)), [])
  })
})
