import { assert, type Vitest } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as TestClock from "effect/testing/TestClock"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { newPollState, type PollState } from "@loopbox/core/sync/SyncRun"
import type { SyncClaim } from "@loopbox/core/sync/PollStore"
import type { Plan } from "@loopbox/core/workspaces/Plan"
import { Workspace } from "@loopbox/core/workspaces/Workspace"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { posted } from "../fixtures/activities.ts"
import { ingest, type InboxPorts } from "../fixtures/inboxFixtures.ts"
import { only, resultOf, syncWorld } from "../fixtures/syncFixtures.ts"

/** When an account of the port PollStore is due for a poll, and what makes it so. */
export const duePollsContract = (it: Vitest.MethodsNonLive<InboxPorts | SecureRandom>) => {
  it.effect("gives an account to be polled by a hint, once a minute, whether it is polled by itself or not", () =>
    Effect.gen(function* () {
      const { add, claim, later, now, polls, workspaceId } = yield* syncWorld
      const account = yield* add({ networkAccountId: "a" })
      const settle = (held: SyncClaim, at: DateTime.Utc, wait: PollState["wait"] = Option.none()) =>
        polls.settle(
          held,
          {
            poll: Option.some(resultOf(account)),
            backfills: [],
            facts: Option.none(),
            state: { ...newPollState, wait },
            nextPollAt: Option.some(later(600))
          },
          at
        )
      const due = (at: DateTime.Utc, isAutomatic = false) => claim(`t ${DateTime.formatIso(at)}`, { at, isAutomatic })
      yield* settle(only(yield* due(now, true)), now)
      assert.deepStrictEqual(yield* due(now, true), [])
      yield* polls.hint(workspaceId, account.id, now)
      yield* polls.hint(workspaceId, account.id, now)
      const first = only(yield* due(now))
      assert.isTrue(first.isDue)
      // What is announced while it is polled has a poll of its own, a minute after that one was taken.
      const second = DateTime.add(now, { seconds: 60 })
      yield* polls.hint(workspaceId, account.id, DateTime.add(now, { seconds: 5 }))
      yield* settle(first, DateTime.add(now, { seconds: 9 }))
      assert.deepStrictEqual(yield* due(DateTime.subtract(second, { milliseconds: 1 })), [])
      const until = DateTime.add(now, { hours: 1 })
      const [held] = [only(yield* due(second))]
      const error = { step: "token", code: "RATE_LIMITED", message: "", retryAt: Option.none() } as const
      yield* settle(held, second, Option.some({ until, error }))
      assert.deepStrictEqual(yield* due(later(5)), [])
      // Nor is a wait broken that the network has asked for.
      yield* polls.hint(workspaceId, account.id, later(5))
      assert.deepStrictEqual(yield* due(DateTime.subtract(until, { milliseconds: 1 })), [])
      yield* settle(only(yield* due(until)), until)
      // Nobody polls what is not connected.
      yield* polls.hint(workspaceId, account.id, later(120))
      yield* (yield* SocialAccounts).requireReauth(workspaceId, account.id, later(120))
      assert.deepStrictEqual(yield* due(later(130)), [])
      yield* polls.hint(workspaceId, account.id, later(130))
      assert.deepStrictEqual(yield* due(later(140)), [])
    })
  )

  it.effect("forgets with new credentials what it knew of the old ones, and the poll that uses them", () =>
    Effect.gen(function* () {
      const { add, claim, later, polls, settlement, start, workspaceId } = yield* syncWorld
      const account = yield* add()
      yield* start()
      const held = only(yield* claim("t"))
      const credentials = { sealed: "new", expiresAt: Option.none() }
      yield* (yield* SocialAccounts).update(workspaceId, account.id, { credentials }, later(0))
      assert.strictEqual((yield* Effect.flip(polls.settle(held, settlement(account), later(1))))._tag, "LeaseLost")
      const again = only(yield* claim("u", { isAutomatic: true }))
      assert.deepStrictEqual([again.isDue, (yield* polls.read(again)).isAsked], [true, true])
    })
  )

  it.effect("has no poll due of an account that is not connected, until it gets new credentials (store H6)", () =>
    Effect.gen(function* () {
      const { add, claim, later, newRun, polls, settlement, start, store, workspaceId } = yield* syncWorld
      const account = yield* add()
      const dueOf = Effect.fnUntraced(function* () {
        const found: Array<boolean> = []
        yield* store.start(yield* newRun(), ({ nextPollAt }) => {
          found.push(Option.isSome(nextPollAt))
          return Option.some(resultOf(account))
        })
        return only(found)
      })
      assert.isTrue(yield* dueOf())
      yield* start()
      const held = only(yield* claim("t"))
      const accounts = yield* SocialAccounts
      yield* accounts.requireReauth(workspaceId, account.id, later(0.5))
      assert.isFalse(yield* dueOf())
      yield* polls.settle(held, settlement(account), later(1))
      assert.isFalse(yield* dueOf())
      const credentials = { sealed: "new", expiresAt: Option.none() }
      yield* accounts.update(workspaceId, account.id, { credentials }, later(2))
      assert.isTrue(yield* dueOf())
    })
  )

  it.effect("keeps due what nobody polls by itself, for a worker that does (store H6)", () =>
    Effect.gen(function* () {
      const { add, claim, later, polls, settlement, start } = yield* syncWorld
      const account = yield* add()
      yield* start()
      const held = only(yield* claim("t"))
      yield* polls.settle(held, { ...settlement(account), nextPollAt: Option.none() }, later(1))
      assert.deepStrictEqual(yield* claim("u", { at: later(2) }), [])
      assert.isTrue(only(yield* claim("v", { at: later(2), isAutomatic: true })).isDue)
    })
  )

  it.effect("has a workspace's accounts due when its plan changes, but for those that wait (store H6)", () =>
    Effect.gen(function* () {
      const { add, claim, later, polls, settlement, start, workspaceId } = yield* syncWorld
      // A change of plan reads the clock itself; the moments of this test may lie before the clock's own start.
      yield* TestClock.setTime(DateTime.toEpochMillis(later(0)))
      const [one, two] = [yield* add({ networkAccountId: "a" }), yield* add({ networkAccountId: "b" })]
      yield* start()
      for (const held of yield* claim("t")) {
        const isFirst = held.accountId === one.id
        const { error, until } = { error: only(resultOf(two).errors), until: later(5) }
        const wait = isFirst ? Option.none() : Option.some({ until, error })
        yield* polls.settle(held, { ...settlement(isFirst ? one : two), state: { ...newPollState, wait } }, later(1))
      }
      const due = Effect.fnUntraced(function* (minute: number) {
        const claims = yield* claim(`due at ${minute}`, { isAutomatic: true, at: later(minute) })
        for (const held of claims) {
          yield* polls.settle(held, settlement(held.accountId === one.id ? one : two), later(minute))
        }
        return claims.map(({ accountId }) => accountId).toSorted()
      })
      const workspaces = yield* Workspaces
      const change = (plan: Plan) =>
        workspaces.update(workspaceId, (workspace) => Effect.succeed(new Workspace({ ...workspace, plan })))
      yield* change("growth")
      assert.deepStrictEqual(yield* due(3), [])
      yield* change("team")
      assert.deepStrictEqual(yield* due(3), [one.id])
      assert.deepStrictEqual(yield* due(5), [one.id, two.id].toSorted())
    })
  )

  it.effect("takes a poll that was begun under the plan before from its worker", () =>
    Effect.gen(function* () {
      const { add, claim, later, polls, settlement, workspaceId } = yield* syncWorld
      yield* TestClock.setTime(DateTime.toEpochMillis(later(1)))
      const account = yield* add()
      const held = only(yield* claim("t", { isAutomatic: true }))
      const workspaces = yield* Workspaces
      yield* workspaces.update(workspaceId, (workspace) =>
        Effect.succeed(new Workspace({ ...workspace, plan: "team" }))
      )
      const put = { ...settlement(account), nextPollAt: Option.some(later(1_440)) }
      assert.strictEqual((yield* Effect.flip(polls.settle(held, put, later(1))))._tag, "LeaseLost")
      assert.isTrue(only(yield* claim("u", { isAutomatic: true, at: later(1) })).isDue)
    })
  )

  it.effect("has a quiet account due soon when a webhook brings something for it, unless it waits", () =>
    Effect.gen(function* () {
      const { add, claim, later, now, polls, settlement } = yield* syncWorld
      const account = yield* add()
      const due = (minutes: number) => claim(`at ${minutes}`, { isAutomatic: true, at: later(minutes) })
      const hear = (minutes: number) =>
        ingest(account, [posted({ externalId: `heard ${minutes}` })], { isHeard: true, now: later(minutes) })
      const first = only(yield* due(0))
      assert.isUndefined(first.aliveAt)
      const quiet = {
        ...settlement(account),
        nextPollAt: Option.some(later(600)),
        life: { aliveAt: now, every: Duration.minutes(5) }
      }
      yield* polls.settle(first, quiet, now)
      // It was known to be alive.
      yield* hear(4)
      assert.deepStrictEqual(yield* due(20), [])
      yield* hear(30)
      // Once in an interval, not with each that comes.
      yield* hear(33)
      assert.deepStrictEqual(yield* due(34.9), [])
      const second = only(yield* due(35))
      assert.deepStrictEqual(second.aliveAt, later(30))
      const { error, until } = { error: only(resultOf(account).errors), until: later(600) }
      yield* polls.settle(
        second,
        { ...quiet, state: { ...newPollState, wait: Option.some({ until, error }) } },
        later(36)
      )
      yield* hear(60)
      assert.deepStrictEqual(yield* due(90), [])
    })
  )

  it.effect("leaves an account due as it was that is polled by who polls nothing by itself", () =>
    Effect.gen(function* () {
      const { add, claim, later, now, polls, settlement, workspaceId } = yield* syncWorld
      const account = yield* add()
      const at = (minutes: number, isAutomatic = true) => claim(`at ${minutes}`, { isAutomatic, at: later(minutes) })
      const next = (nextPollAt: Option.Option<DateTime.Utc>) => ({ ...settlement(account), nextPollAt })
      yield* polls.settle(only(yield* at(0)), next(Option.some(later(60))), now)
      yield* polls.hint(workspaceId, account.id, later(10))
      yield* polls.settle(only(yield* at(10, false)), next(Option.none()), later(11))
      assert.deepStrictEqual(yield* at(59.9), [])
      yield* polls.hint(workspaceId, account.id, later(70))
      yield* polls.settle(only(yield* at(70, false)), next(Option.none()), later(71))
      assert.strictEqual(only(yield* at(71)).accountId, account.id)
    })
  )

  it.effect("has an account due soon of which a webhook brought something while it was polled", () =>
    Effect.gen(function* () {
      const { add, claim, later, now, polls, settlement } = yield* syncWorld
      const account = yield* add()
      const due = (minutes: number) => claim(`at ${minutes}`, { isAutomatic: true, at: later(minutes) })
      const [every, alive] = [Duration.minutes(5), now]
      const quiet = (minutes: number, aliveAt = alive) => ({
        ...settlement(account),
        nextPollAt: Option.some(later(minutes)),
        life: { aliveAt, every }
      })
      yield* polls.settle(only(yield* due(0)), quiet(60), now)
      const during = only(yield* due(60))
      yield* ingest(account, [posted({ externalId: "amid" })], { isHeard: true, now: later(61) })
      // It has read before that came, and knows of nothing new.
      yield* polls.settle(during, quiet(120), later(62))
      assert.deepStrictEqual(yield* due(65.9), [])
      const next = only(yield* due(66))
      assert.deepStrictEqual(next.aliveAt, later(61))
      yield* polls.settle(next, quiet(90, later(61)), later(67))
      assert.deepStrictEqual(yield* due(89.9), [])
      const last = only(yield* due(90))
      yield* ingest(account, [posted({ externalId: "again" })], { isHeard: true, now: later(91) })
      // A network that asks to wait is not asked before.
      const { error, until } = { error: only(resultOf(account).errors), until: later(200) }
      const state = { ...newPollState, wait: Option.some({ until, error }) }
      yield* polls.settle(last, { ...quiet(200, later(61)), state }, later(92))
      assert.deepStrictEqual(yield* due(199.9), [])
    })
  )
}
