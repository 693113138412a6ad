import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { type AccountSync, feedKey, newPollState } from "@loopbox/core/sync/SyncRun"
import { type NewRun, type SyncClaim, SyncStore } from "@loopbox/core/sync/SyncStore"
import { posted } from "../fixtures/activities.ts"
import { type InboxPorts, inboxWorld, ingest, listed, makeInboxWorkspace, scopeOf } from "../fixtures/inboxFixtures.ts"
import {
  backfillInput,
  completed,
  feedState,
  nobodyDone,
  notesOf,
  only,
  resultOf,
  syncWorld
} from "../fixtures/syncFixtures.ts"
import { duePollsContract } from "./duePollsContract.ts"
import { leaseContract } from "./leaseContract.ts"

/** What every adapter of the port SyncStore does. */
export const syncStoreContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`SyncStore: ${adapter}`, (it) => {
    leaseContract(it, {
      what: "account",
      add: Effect.fnUntraced(function* (count) {
        const { add, now, start } = yield* syncWorld
        for (let n = 0; n < count; n++) yield* add({ networkAccountId: `account-${n}` })
        yield* start()
        return now
      }),
      claim: (request) =>
        Effect.flatMap(SyncStore, (store) =>
          store.claim({ ...request, network: "instagram", isAutomatic: false, now: request.leaseNow })
        ),
      idOf: ({ accountId }: SyncClaim) => accountId,
      renew: (held, until) => Effect.flatMap(SyncStore, (store) => store.renew(held, until)),
      release: (held) => Effect.flatMap(SyncStore, (store) => store.release(held)),
      settle: [
        (held, at) =>
          Effect.flatMap(SyncStore, (store) =>
            store.settle(
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

    it.effect("begins a run over the accounts of its scope, and shows it to that scope and the workspace", () =>
      Effect.gen(function* () {
        const { add, later, newRun, scope, store, workspaceId } = yield* syncWorld
        const ann = yield* add({ networkAccountId: "a", owner: "ann" })
        yield* add({ networkAccountId: "b", owner: "bob" })
        const gone = yield* add({ networkAccountId: "c", owner: "ann" })
        yield* (yield* SocialAccounts).disconnect(workspaceId, gone.id, later(0))
        const run = yield* store.start(yield* newRun({}, "ann"), nobodyDone)
        assert.deepStrictEqual([run.isCompleted, run.accountsChecked, run.accounts], [false, 1, []])
        assert.deepStrictEqual(yield* store.find(scope.scope, run.id), Option.some(run))
        assert.deepStrictEqual(yield* store.find(scopeOf(workspaceId, "ann").scope, run.id), Option.some(run))
        assert.deepStrictEqual(yield* store.find(scopeOf(workspaceId, "bob").scope, run.id), Option.none())
        const all = yield* newRun()
        assert.strictEqual(yield* store.countAccounts(all), 2)
        const one = { ...backfillInput, accountId: Option.some(ann.id) }
        assert.strictEqual(yield* store.countAccounts({ ...all, backfill: Option.some(one) }), 1)
        assert.strictEqual(yield* store.countAccounts({ ...all, networks: new Set(["x"]) }), 0)
        assert.deepStrictEqual(yield* completed(workspaceId), [])
      })
    )

    it.effect("completes at once, with its event, a run that has nothing to wait for", () =>
      Effect.gen(function* () {
        const { add, claim, newRun, store, workspaceId } = yield* syncWorld
        const account = yield* add({ owner: "ann" })
        const run = yield* store.start(yield* newRun({}, "ann"), (one) => Option.some(resultOf(one.account)))
        assert.deepStrictEqual(run.accounts, [resultOf(account)])
        assert.isTrue(run.isCompleted)
        assert.deepStrictEqual(yield* store.find(scopeOf(workspaceId).scope, run.id), Option.some(run))
        assert.deepStrictEqual(yield* completed(workspaceId), [[run.id, 0, "ann"]])
        assert.deepStrictEqual(yield* claim("t"), [])
      })
    )

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
        const { add, claim, later, scope, settlement, start, store, workspaceId } = yield* syncWorld
        const [one, two] = [yield* add({ networkAccountId: "a" }), yield* add({ networkAccountId: "b" })]
        const first = yield* start()
        const claims = yield* claim("t")
        const second = yield* start()
        assert.strictEqual(claims.length, 2)
        yield* Effect.forEach(
          claims,
          (held) => store.settle(held, settlement(held.accountId === one.id ? one : two, 3), later(1)),
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

    it.effect("lets who asks for the same join a poll that waits, and asks for no account twice (M6)", () =>
      Effect.gen(function* () {
        const { add, claim, later, newRun, now, settlement, store, workspaceId } = yield* syncWorld
        const [one, two] = [yield* add({ networkAccountId: "a", owner: "ann" }), yield* add({ networkAccountId: "b" })]
        const ask = Effect.fnUntraced(function* (change: Partial<NewRun> = {}, user?: string) {
          return yield* store.start(yield* newRun({ joinSince: now, ...change }, user), nobodyDone)
        })
        const asked = yield* Effect.all(
          Array.from({ length: 4 }, () => ask()),
          { concurrency: "unbounded" }
        )
        const run = asked[0] ?? assert.fail()
        assert.deepStrictEqual(new Set(asked.map(({ id }) => id)), new Set([run.id]))
        assert.isFalse(yield* store.isCompleted(workspaceId, run.id))
        // Another scope, a later moment, other accounts and a backfill are runs of their own.
        assert.notStrictEqual((yield* ask({}, "ann")).id, run.id)
        assert.notStrictEqual((yield* ask({ joinSince: later(1), createdAt: later(1) })).id, run.id)
        const backfill = { ...backfillInput, accountId: Option.none() }
        assert.notStrictEqual((yield* ask({ backfill: Option.some(backfill) })).id, run.id)
        const claims = yield* claim("t", { at: later(1) })
        for (const held of claims) {
          yield* store.settle(held, settlement(held.accountId === one.id ? one : two), later(1))
        }
        assert.isTrue(yield* store.isCompleted(workspaceId, run.id))
        assert.notStrictEqual((yield* ask()).id, run.id)
        yield* add({ networkAccountId: "c" })
        const more = yield* ask()
        assert.strictEqual(more.accountsChecked, 3)
        assert.strictEqual((yield* ask()).id, more.id)
      })
    )

    it.effect("takes no word of a worker that lost its lease", () =>
      Effect.gen(function* () {
        const { add, claim, later, scope, settlement, start, store } = yield* syncWorld
        const account = yield* add()
        yield* start()
        const lost = only(yield* claim("lost"))
        yield* claim("next", { at: later(2) })
        assert.strictEqual((yield* Effect.flip(store.settle(lost, settlement(account), later(2))))._tag, "LeaseLost")
        const poll = { claim: lost, notes: notesOf({ feeds: [feedState(later(0))] }) }
        assert.strictEqual((yield* Effect.flip(ingest(account, [posted()], { poll })))._tag, "LeaseLost")
        assert.deepStrictEqual(yield* listed(scope), [])
        assert.strictEqual((yield* store.read(lost)).feeds.size, 0)
      })
    )

    it.effect("notes how far a feed was read with the items that it covers, and what the poll found so far", () =>
      Effect.gen(function* () {
        const { add, claim, later, now, settlement, start, store } = yield* syncWorld
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
        const work = yield* store.read(held)
        assert.deepStrictEqual([work.isAsked, work.read, work.newItems, work.backfills], [true, 3, 2, []])
        assert.deepStrictEqual(work.feeds.get(feedKey(moved)), moved)
        assert.strictEqual(work.feeds.size, 2)
        yield* store.settle(held, settlement(account), later(1))
        const after = yield* store.read(held)
        assert.deepStrictEqual([after.isAsked, after.read, after.newItems, after.feeds.size], [false, 0, 0, 2])
      })
    )

    it.effect("remembers what a poll left for the next", () =>
      Effect.gen(function* () {
        const { add, claim, later, now, settlement, store } = yield* syncWorld
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
        yield* store.settle(held, { ...settlement(account), state }, now)
        assert.deepStrictEqual(only(yield* claim("u", { isAutomatic: true, at: later(5) })).state, state)
      })
    )

    it.effect("keeps an account awake for what was asked while it was polled", () =>
      Effect.gen(function* () {
        const { add, claim, later, scope, settlement, start, store } = yield* syncWorld
        const account = yield* add()
        yield* start()
        const held = only(yield* claim("t"))
        const run = yield* start({ backfill: Option.some(backfillInput) })
        yield* store.settle(held, settlement(account), later(1))
        const again = only(yield* claim("u", { at: later(1) }))
        assert.isFalse(again.isDue)
        const task = only((yield* store.read(again)).backfills)
        assert.deepStrictEqual([task.runId, task.input, task.progress.read], [run.id, backfillInput, 0])
        assert.deepStrictEqual(task.createdAt, run.createdAt)
        const progress = { read: 5, accepted: 1, duplicates: 3, suppressed: 1, cursor: Option.some("on") }
        yield* ingest(account, [posted()], {
          poll: { claim: again, notes: notesOf({ backfill: Option.some({ runId: run.id, progress }) }) }
        })
        const work = yield* store.read(again)
        assert.deepStrictEqual([only(work.backfills).progress, work.newItems], [progress, 0])
        const { cursor: _, ...counts } = progress
        const result: AccountSync = {
          ...resultOf(account, 1),
          backfill: Option.some({ ...counts, stopReason: "max_items" })
        }
        const ended = { ...settlement(account), poll: Option.none(), backfills: [{ runId: run.id, result }] }
        yield* store.settle(again, ended, later(2))
        const found = Option.getOrThrow(yield* store.find(scope.scope, run.id))
        assert.deepStrictEqual(
          [found.isCompleted, found.accounts, found.backfill],
          [true, [result], Option.some(backfillInput)]
        )
        assert.deepStrictEqual(yield* claim("v", { at: later(2) }), [])
      })
    )

    it.effect("lets a confirmation begin one run, also for two who use it at once", () =>
      Effect.gen(function* () {
        const { add, newRun, now, store, workspaceId } = yield* syncWorld
        yield* add()
        const token = `token of ${workspaceId}`
        const confirmation = {
          workspaceId,
          token,
          externalUserId: Option.some("ann"),
          input: backfillInput,
          expiresAt: now,
          usedBy: Option.none()
        }
        yield* store.offer(confirmation)
        assert.deepStrictEqual(yield* store.findConfirmation(workspaceId, token), Option.some(confirmation))
        assert.deepStrictEqual(yield* store.findConfirmation(workspaceId, "another"), Option.none())
        const { id: elsewhere } = yield* makeInboxWorkspace(now)
        assert.deepStrictEqual(yield* store.findConfirmation(elsewhere, token), Option.none())
        const asked = { backfill: Option.some(backfillInput), confirmation: Option.some(token) }
        const runs = yield* Effect.forEach(
          [yield* newRun(asked), yield* newRun(asked), yield* newRun(asked)],
          (run) => store.start(run, nobodyDone),
          {
            concurrency: "unbounded"
          }
        )
        const ids = new Set(runs.map(({ id }) => id))
        assert.strictEqual(ids.size, 1)
        const used = Option.getOrThrow(yield* store.findConfirmation(workspaceId, token))
        assert.deepStrictEqual(used.usedBy, Option.fromUndefinedOr(runs[0]?.id))
      })
    )

    it.effect("leaves nobody waiting for an account that was disconnected", () =>
      Effect.gen(function* () {
        const { add, claim, later, scope, settlement, start, store, workspaceId } = yield* syncWorld
        const account = yield* add()
        const run = yield* start()
        yield* (yield* SocialAccounts).disconnect(workspaceId, account.id, later(0))
        const held = only(yield* claim("t", { isAutomatic: true }))
        assert.isFalse(held.isDue)
        yield* store.settle(held, settlement(account), later(1))
        assert.isTrue(Option.getOrThrow(yield* store.find(scope.scope, run.id)).isCompleted)
        assert.deepStrictEqual(yield* claim("u", { isAutomatic: true, at: later(9) }), [])
      })
    )

    it.effect("removes old runs and confirmations, a few at a time", () =>
      Effect.gen(function* () {
        const { later, now, scope, start, store, workspaceId } = yield* syncWorld
        const [old, young] = [yield* start(), yield* start({ createdAt: later(10) })]
        yield* store.offer({
          workspaceId,
          token: `old of ${workspaceId}`,
          externalUserId: Option.none(),
          input: backfillInput,
          expiresAt: now,
          usedBy: Option.none()
        })
        const before = { runs: later(1), confirmations: later(1) }
        assert.strictEqual(yield* store.removeOlder(before, 1), 1)
        assert.strictEqual(yield* store.removeOlder(before, 9), 1)
        assert.deepStrictEqual(yield* store.find(scope.scope, old.id), Option.none())
        assert.deepStrictEqual(yield* store.findConfirmation(workspaceId, `old of ${workspaceId}`), Option.none())
        assert.isTrue(Option.isSome(yield* store.find(scope.scope, young.id)))
      })
    )
  })
