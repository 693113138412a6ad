import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import { InboxStore } from "../inbox/InboxStore.ts"
import { type AccountSync, feedKey, newPollState } from "../inbox/SyncRun.ts"
import { posted } from "./activities.ts"
import { type InboxPorts, inboxWorld, ingest, listed, makeInboxWorkspace, scopeOf } from "./inboxFixtures.ts"
import { backfillInput, completed, feedState, nobodyDone, notesOf, only, resultOf, syncWorld } from "./syncFixtures.ts"

/** What every adapter of the port SyncStore does. */
export const syncStoreContract = <E>(adapter: string, stores: Layer.Layer<InboxPorts, E>) =>
  layer(inboxWorld(stores))(`SyncStore: ${adapter}`, (it) => {
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
        const { add, claim, later, start, store } = yield* syncWorld
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
        assert.isTrue(yield* store.extend(held, later(3)))
        assert.deepStrictEqual(yield* claim("u", { at: later(2) }), [])
        // Not heard of for too long.
        const next = only(yield* claim("u", { at: later(3) }))
        assert.isFalse(yield* store.extend(held, later(9)))
        yield* store.release(held)
        assert.deepStrictEqual(yield* claim("v", { at: later(3) }), [])
        yield* store.release(next)
        assert.strictEqual(only(yield* claim("v", { at: later(3) })).token, "v")
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

    it.effect("takes no word of a worker that lost its lease", () =>
      Effect.gen(function* () {
        const { add, claim, later, scope, settlement, start, store } = yield* syncWorld
        const account = yield* add()
        yield* start()
        const lost = only(yield* claim("lost"))
        yield* claim("next", { at: later(2) })
        assert.strictEqual(
          (yield* Effect.flip(store.settle(lost, settlement(account), later(2))))._tag,
          "SyncLeaseLost"
        )
        const poll = { claim: lost, notes: notesOf({ feeds: [feedState(later(0))] }) }
        assert.strictEqual((yield* Effect.flip(ingest(account, [posted()], { poll })))._tag, "SyncLeaseLost")
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

    it.effect("forgets with new credentials what it knew of the old ones, and the poll that uses them", () =>
      Effect.gen(function* () {
        const { add, claim, later, settlement, start, store, workspaceId } = yield* syncWorld
        const account = yield* add()
        yield* start()
        const held = only(yield* claim("t"))
        const credentials = { sealed: "new", expiresAt: Option.none() }
        yield* (yield* SocialAccounts).update(workspaceId, account.id, { credentials }, later(0))
        assert.strictEqual(
          (yield* Effect.flip(store.settle(held, settlement(account), later(1))))._tag,
          "SyncLeaseLost"
        )
        const again = only(yield* claim("u", { isAutomatic: true }))
        assert.deepStrictEqual([again.isDue, (yield* store.read(again)).isAsked], [true, true])
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

    it.effect("tells which items a read should have shown, the newest first", () =>
      Effect.gen(function* () {
        const { add, later, workspaceId } = yield* syncWorld
        const account = yield* add()
        const at = (externalId: string, minute: number, threadKey = "t") =>
          posted({ externalId, threadKey, receivedAt: later(minute), post: "post" })
        yield* ingest(account, [
          at("a", 1),
          at("b", 2),
          at("c", 3, "u"),
          at("d", 4),
          posted({ externalId: "e", threadKey: "t", receivedAt: later(2) })
        ])
        const store = yield* InboxStore
        const find = (change: Partial<Parameters<typeof store.findMissing>[2][number]>, limit = 10) =>
          Effect.map(
            store.findMissing(
              workspaceId,
              account.id,
              [
                {
                  source: "ig_comment",
                  by: "linkedPostId",
                  values: ["post"],
                  isListed: true,
                  after: Option.none(),
                  before: later(60),
                  seen: [],
                  ...change
                }
              ],
              limit
            ),
            (found) => found.map(({ externalId }) => externalId)
          )
        assert.deepStrictEqual(yield* find({}), ["d", "c", "b", "a"])
        assert.deepStrictEqual(yield* find({}, 1), ["d"])
        assert.deepStrictEqual(yield* find({ after: Option.some(later(1)), before: later(4) }), ["c", "b"])
        assert.deepStrictEqual(yield* find({ seen: ["a", "c", "x"] }), ["d", "b"])
        assert.deepStrictEqual((yield* find({ by: "threadKey", values: ["t", "v"] })).toSorted(), ["a", "b", "d", "e"])
        assert.deepStrictEqual(yield* find({ isListed: false }), [])
        assert.deepStrictEqual(yield* find({ isListed: false, values: [], seen: ["d"] }), ["c", "b", "a"])
        assert.deepStrictEqual(yield* find({ isListed: false, by: "threadKey", values: ["t", "v"] }), ["c"])
        assert.deepStrictEqual(yield* find({ source: "ig_dm" }), [])
        assert.deepStrictEqual(yield* store.findMissing(workspaceId, account.id, [], 10), [])
      })
    )
  })
