import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { type AccountSync, feedKey, newPollState } from "@loopbox/core/sync/SyncRun"
import { PollStore, type SyncClaim } from "@loopbox/core/sync/PollStore"
import { posted } from "../fixtures/activities.ts"
import { type InboxPorts, inboxWorld, ingest, listed } from "../fixtures/inboxFixtures.ts"
import { backfillInput, completed, feedState, notesOf, only, resultOf, syncWorld } from "../fixtures/syncFixtures.ts"
import { duePollsContract } from "./duePollsContract.ts"
import { leaseContract } from "./leaseContract.ts"

/** What every adapter of the port PollStore does. */
export const pollStoreContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`PollStore: ${adapter}`, (it) => {
    leaseContract(it, {
      what: "account",
      add: Effect.fnUntraced(function* (count) {
        const { add, now, start } = yield* syncWorld
        for (let n = 0; n < count; n++) yield* add({ networkAccountId: `account-${n}` })
        yield* start()
        return now
      }),
      claim: (request) =>
        Effect.flatMap(PollStore, (polls) =>
          polls.claim({ ...request, network: "instagram", isAutomatic: false, now: request.leaseNow })
        ),
      idOf: ({ accountId }: SyncClaim) => accountId,
      renew: (held, until) => Effect.flatMap(PollStore, (polls) => polls.renew(held, until)),
      release: (held) => Effect.flatMap(PollStore, (polls) => polls.release(held)),
      settle: [
        (held, at) =>
          Effect.flatMap(PollStore, (polls) =>
            polls.settle(
              held,
              {
                poll: Option.some(resultOf({ id: held.accountId, network: held.network })),
                backfills: [],
                facts: Option.none(),
                state: newPollState,
                nextPollAt: Option.none()
              },
              at
            )
          )
      ]
    })

    duePollsContract(it)

    it.effect("gives an account that somebody waits for, or that is due, to one worker at a time", () =>
      Effect.gen(function* () {
        const { add, claim, start } = yield* syncWorld
        const account = yield* add()
        assert.deepStrictEqual(yield* claim("t"), [])
        assert.deepStrictEqual(yield* claim("t", { isAutomatic: true, network: "x" }), [])
        yield* start()
        const claims = yield* Effect.all(
          Array.from({ length: 6 }, (_, n) => claim(`t${n}`, { isAutomatic: n % 2 === 0 })),
          { concurrency: "unbounded" }
        )
        const held = only(claims.flat())
        assert.strictEqual(held.accountId, account.id)
        assert.deepStrictEqual(held.state, newPollState)
      })
    )

    it.effect("ends with a poll every run that waits for it, each with one event", () =>
      Effect.gen(function* () {
        const { add, claim, later, polls, scope, settlement, start, store, workspaceId } = yield* syncWorld
        const [one, two] = [yield* add({ networkAccountId: "a" }), yield* add({ networkAccountId: "b" })]
        const first = yield* start()
        const claims = yield* claim("t")
        const second = yield* start()
        assert.strictEqual(claims.length, 2)
        yield* Effect.forEach(
          claims,
          (held) => polls.settle(held, settlement(held.accountId === one.id ? one : two, 3), later(1)),
          { concurrency: "unbounded" }
        )
        for (const { id } of [first, second]) {
          const run = Option.getOrThrow(yield* store.find(scope.scope, id))
          assert.deepStrictEqual([run.isCompleted, run.accounts.length], [true, 2])
          assert.deepStrictEqual(
            run.accounts.find(({ accountId }) => accountId === one.id),
            resultOf(one, 3)
          )
        }
        assert.deepStrictEqual(
          (yield* completed(workspaceId)).toSorted(),
          [first, second].map(({ id }) => [id, 6, null]).toSorted()
        )
        assert.deepStrictEqual(yield* claim("u", { isAutomatic: true, at: later(4) }), [])
        assert.deepStrictEqual(yield* claim("u", { at: later(5) }), [])
        assert.strictEqual((yield* claim("u", { isAutomatic: true, at: later(5) })).length, 2)
      })
    )

    it.effect("takes no word of a worker that lost its lease", () =>
      Effect.gen(function* () {
        const { add, claim, later, polls, scope, settlement, start } = yield* syncWorld
        const account = yield* add()
        yield* start()
        const lost = only(yield* claim("lost"))
        yield* claim("next", { at: later(2) })
        assert.strictEqual((yield* Effect.flip(polls.settle(lost, settlement(account), later(2))))._tag, "LeaseLost")
        const poll = { claim: lost, notes: notesOf({ feeds: [feedState(later(0))] }) }
        assert.strictEqual((yield* Effect.flip(ingest(account, [posted()], { poll })))._tag, "LeaseLost")
        assert.deepStrictEqual(yield* listed(scope), [])
        assert.strictEqual((yield* polls.read(lost)).feeds.size, 0)
      })
    )

    it.effect("notes how far a feed was read with the items that it covers, and what the poll found so far", () =>
      Effect.gen(function* () {
        const { add, claim, later, now, polls, settlement, start } = yield* syncWorld
        const account = yield* add()
        yield* start()
        const held = only(yield* claim("t"))
        const told: Array<readonly [number, ReadonlyArray<string>]> = []
        yield* ingest(account, [posted({ externalId: "a" }), posted({ externalId: "b" })], {
          poll: {
            claim: held,
            notes: ({ changed, created }) => {
              told.push([created, Array.from(changed)])
              return { feeds: [feedState(now)], read: 2, backfill: Option.none() }
            }
          }
        })
        assert.deepStrictEqual(told[told.length - 1], [2, ["ig_comment a", "ig_comment b"]])
        const moved = feedState(later(1), { pending: Option.none(), updatedAt: Option.some(now) })
        yield* ingest(account, [posted({ externalId: "b" })], {
          poll: { claim: held, notes: notesOf({ feeds: [moved, feedState(now, { feedId: "other" })], read: 1 }) }
        })
        const work = yield* polls.read(held)
        assert.deepStrictEqual([work.isAsked, work.read, work.newItems, work.backfills], [true, 3, 2, []])
        assert.deepStrictEqual(work.feeds.get(feedKey(moved)), moved)
        assert.strictEqual(work.feeds.size, 2)
        yield* polls.settle(held, settlement(account), later(1))
        const after = yield* polls.read(held)
        assert.deepStrictEqual([after.isAsked, after.read, after.newItems, after.feeds.size], [false, 0, 0, 2])
      })
    )

    it.effect("remembers what a poll left for the next", () =>
      Effect.gen(function* () {
        const { add, claim, later, now, polls, settlement } = yield* syncWorld
        const account = yield* add()
        const held = only(yield* claim("t", { isAutomatic: true }))
        assert.isTrue(held.isDue)
        const [error] = resultOf(account).errors
        const paused =
          error === undefined ? assert.fail() : { until: later(3), error: { ...error, retryAt: Option.some(now) } }
        const state = {
          wait: Option.some(paused),
          blocked: [paused],
          looks: [{ source: "ig_comment" as const, externalId: "a", at: now }],
          searchedAt: Option.some(now)
        }
        yield* polls.settle(held, { ...settlement(account), state }, now)
        assert.deepStrictEqual(only(yield* claim("u", { isAutomatic: true, at: later(5) })).state, state)
      })
    )

    it.effect("keeps an account awake for what was asked while it was polled", () =>
      Effect.gen(function* () {
        const { add, claim, later, polls, scope, settlement, start, store } = yield* syncWorld
        const account = yield* add()
        yield* start()
        const held = only(yield* claim("t"))
        const run = yield* start({ backfill: Option.some(backfillInput) })
        yield* polls.settle(held, settlement(account), later(1))
        const again = only(yield* claim("u", { at: later(1) }))
        assert.isFalse(again.isDue)
        const task = only((yield* polls.read(again)).backfills)
        assert.deepStrictEqual([task.runId, task.input, task.progress.read], [run.id, backfillInput, 0])
        assert.deepStrictEqual(task.createdAt, run.createdAt)
        const progress = { read: 5, accepted: 1, duplicates: 3, suppressed: 1, cursor: Option.some("on") }
        yield* ingest(account, [posted()], {
          poll: { claim: again, notes: notesOf({ backfill: Option.some({ runId: run.id, progress }) }) }
        })
        const work = yield* polls.read(again)
        assert.deepStrictEqual([only(work.backfills).progress, work.newItems], [progress, 0])
        const { cursor: _, ...counts } = progress
        const result: AccountSync = {
          ...resultOf(account, 1),
          backfill: Option.some({ ...counts, stopReason: "max_items" })
        }
        const ended = { ...settlement(account), poll: Option.none(), backfills: [{ runId: run.id, result }] }
        yield* polls.settle(again, ended, later(2))
        const found = Option.getOrThrow(yield* store.find(scope.scope, run.id))
        assert.deepStrictEqual(
          [found.isCompleted, found.accounts, found.backfill],
          [true, [result], Option.some(backfillInput)]
        )
        assert.deepStrictEqual(yield* claim("v", { at: later(2) }), [])
      })
    )

    it.effect("leaves nobody waiting for an account that was disconnected", () =>
      Effect.gen(function* () {
        const { add, claim, later, polls, scope, settlement, start, store, workspaceId } = yield* syncWorld
        const account = yield* add()
        const run = yield* start()
        yield* (yield* SocialAccounts).disconnect(workspaceId, account.id, later(0))
        const held = only(yield* claim("t", { isAutomatic: true }))
        assert.isFalse(held.isDue)
        yield* polls.settle(held, settlement(account), later(1))
        assert.isTrue(Option.getOrThrow(yield* store.find(scope.scope, run.id)).isCompleted)
        assert.deepStrictEqual(yield* claim("u", { isAutomatic: true, at: later(9) }), [])
      })
    )
  })
