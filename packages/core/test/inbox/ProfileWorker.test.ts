import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { AccountTokens } from "../../src/accounts/AccountTokens.ts"
import { AuthorProfiles, type ProfileClaim, type ProfileOutcome } from "../../src/inbox/AuthorProfiles.ts"
import * as ProfileWorker from "../../src/inbox/ProfileWorker.ts"
import { LeaseClock } from "../../src/kernel/lease/LeaseClock.ts"
import { StoreUnavailable } from "../../src/kernel/StoreUnavailable.ts"
import type { AccountAccess } from "../../src/networks/AccountAccess.ts"
import { RateLimited } from "../../src/networks/ConnectorErrors.ts"
import { FakeNetworks } from "@loopbox/testing/fakes/FakeConnector"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { layerInbox } from "@loopbox/testing/layers/inboxLayers"

const unavailable = new StoreUnavailable({ operation: "test", committed: "unknown", cause: new Error("too long") })
const bug = Effect.die(new Error("an item of a newer version"))

const access: AccountAccess = {
  networkAccountId: "page",
  otherAccountId: Option.none(),
  login: Option.none(),
  throughAccountId: Option.none(),
  username: Option.none(),
  accessToken: Redacted.make("token")
}

/** How often a network is asked for a name in hours, where it can't be asked or the name can't be stored. */
const timesAsked = (how: {
  readonly ask?: Effect.Effect<never>
  readonly store?: Effect.Effect<never, StoreUnavailable>
}) =>
  Effect.gen(function* () {
    const now = yield* DateTime.now
    const account = yield* connect((yield* makeInboxWorkspace(now)).id, { at: now })
    const author = { id: Option.some("ann"), name: Option.none(), username: Option.none() }
    yield* ingest(account, [posted({ source: "ig_dm", externalId: "a", threadKey: "a", author })], { now })
    ;(yield* FakeNetworks).people.set("ann", "Ann")
    const profiles = yield* AuthorProfiles
    const tokens = yield* AccountTokens
    let asked = 0
    const ports = Layer.mergeAll(
      Layer.succeed(AuthorProfiles, {
        ...profiles,
        settle: (claim, outcome, at) => {
          const isNamed = outcome._tag === "Known" && Option.isSome(outcome.person.name)
          return isNamed && how.store !== undefined ? how.store : profiles.settle(claim, outcome, at)
        }
      }),
      Layer.succeed(AccountTokens, {
        ...tokens,
        withAccess: (_workspaceId, _accountId, use) =>
          Effect.suspend(() => {
            asked++
            return how.ask ?? use(access)
          })
      })
    )
    yield* Layer.build(Layer.provide(ProfileWorker.layer({ pollEvery: "10 seconds" }), ports))
    for (let n = 0; n < 200; n++) yield* TestClock.adjust("1 minute")
    const leaseNow = DateTime.add(yield* DateTime.now, { days: 9 })
    const leaseUntil = DateTime.add(leaseNow, { minutes: 1 })
    // Nothing is left to be asked for.
    assert.deepStrictEqual(yield* profiles.claim({ limit: 10, token: "later", leaseNow, leaseUntil }), [])
    return asked
  }).pipe(Effect.provide(layerInbox))

describe("ProfileWorker", () => {
  it.effect("asks once for a name that can be stored", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* timesAsked({}), 1)
    })
  )

  it.effect("asks a few times for a name that can't be stored, and not for ever", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* timesAsked({ store: bug }), 8)
      assert.strictEqual(yield* timesAsked({ store: Effect.fail(unavailable) }), 8)
    })
  )

  it.effect("asks a few times where the answer meets a bug, and not for ever", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* timesAsked({ ask: bug }), 8)
    })
  )

  it.effect("asks again when a network that was asked too much said, also on a clock that a test has moved", () =>
    Effect.gen(function* () {
      const profiles = yield* AuthorProfiles
      const leaseNow = yield* DateTime.now
      // As a request to move the test clock does.
      yield* TestClock.adjust("14 days")
      const now = yield* DateTime.now
      const account = yield* connect((yield* makeInboxWorkspace(now)).id, { at: now })
      const outcomes: Array<ProfileOutcome> = []
      const claim: ProfileClaim = {
        workspaceId: account.workspaceId,
        accountId: account.id,
        personId: "ann",
        source: "ig_dm",
        attempts: 0,
        token: "t"
      }
      const retryAt = Option.some(DateTime.add(now, { minutes: 3 }))
      const busy = new RateLimited({ network: "instagram", networkCode: Option.none(), detail: "busy", retryAt })
      const ports = Layer.mergeAll(
        Layer.succeed(AuthorProfiles, {
          ...profiles,
          claim: () => Effect.succeed(outcomes.length === 0 ? [claim] : []),
          renew: () => Effect.void,
          settle: (_claim, outcome) => Effect.sync(() => outcomes.push(outcome))
        }),
        Layer.succeed(AccountTokens, { ...(yield* AccountTokens), withAccess: () => Effect.fail(busy) }),
        Layer.succeed(
          LeaseClock,
          Effect.map(DateTime.now, (moment) => DateTime.subtract(moment, { days: 14 }))
        )
      )
      yield* Layer.build(Layer.provide(ProfileWorker.layer(), ports))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(outcomes, [{ _tag: "Later", at: DateTime.add(leaseNow, { minutes: 3 }) }])
    }).pipe(Effect.provide(layerInbox))
  )
})
