import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Erasures } from "@loopbox/core/accounts/Erasures"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { NewRun } from "@loopbox/core/sync/SyncStore"
import { ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { type InboxPorts, inboxWorld, makeInboxWorkspace, redactNames, scopeOf } from "../fixtures/inboxFixtures.ts"
import { backfillInput, completed, nobodyDone, resultOf, syncWorld } from "../fixtures/syncFixtures.ts"

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

    it.effect("has no account in a run that was connected for something else than the inbox", () =>
      Effect.gen(function* () {
        const { add, newRun, store } = yield* syncWorld
        const inbox = yield* add({ networkAccountId: "a", features: ["inbox", "publish"] })
        const unnamed = yield* add({ networkAccountId: "b" })
        yield* add({ networkAccountId: "c", features: ["publish", "moderate"] })
        const run = yield* newRun()
        assert.strictEqual(yield* store.countAccounts(run), 2)
        const judged: Array<string> = []
        const done = yield* store.start(run, ({ account }) => {
          judged.push(account.id)
          return Option.some(resultOf(account))
        })
        assert.deepStrictEqual(judged.toSorted(), [inbox.id, unnamed.id].toSorted())
        assert.strictEqual(done.accountsChecked, 2)
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

    it.effect("lets who asks for the same join a poll that waits, and asks for no account twice (M6)", () =>
      Effect.gen(function* () {
        const { add, claim, later, newRun, now, polls, settlement, store, workspaceId } = yield* syncWorld
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
          yield* polls.settle(held, settlement(held.accountId === one.id ? one : two), later(1))
        }
        assert.isTrue(yield* store.isCompleted(workspaceId, run.id))
        assert.notStrictEqual((yield* ask()).id, run.id)
        yield* add({ networkAccountId: "c" })
        const more = yield* ask()
        assert.strictEqual(more.accountsChecked, 3)
        assert.strictEqual((yield* ask()).id, more.id)
      })
    )

    it.effect("lets a confirmation begin one run, also for two who use it at once", () =>
      Effect.gen(function* () {
        const { add, newRun, now, store, workspaceId } = yield* syncWorld
        yield* add({ owner: "ann" })
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

    it.effect("begins and offers nothing whose managed user or workspace was erased meanwhile", () =>
      Effect.gen(function* () {
        const { add, newRun, now, scope, store, workspaceId } = yield* syncWorld
        yield* add({ networkAccountId: "a", owner: "ann" })
        yield* add({ networkAccountId: "b" })
        const [hers, all] = [yield* newRun({}, "ann"), yield* newRun()]
        const late = Effect.fnUntraced(function* (run: NewRun, user?: string) {
          const ended = yield* store.start(run, nobodyDone)
          assert.deepStrictEqual([ended.id, ended.isCompleted, ended.accountsChecked], [run.id, true, 0])
          assert.deepStrictEqual(yield* store.find(scope.scope, run.id), Option.none())
          const token = `late of ${run.id}`
          const externalUserId = Option.fromUndefinedOr(user)
          const offered = { workspaceId, token, externalUserId, input: backfillInput, expiresAt: now }
          yield* store.offer({ ...offered, usedBy: Option.none() })
          assert.deepStrictEqual(yield* store.findConfirmation(workspaceId, token), Option.none())
          assert.deepStrictEqual(yield* completed(workspaceId), [])
        })
        yield* (yield* ManagedUsers).erase(workspaceId, "ann", redactNames)
        yield* late(hers, "ann")
        yield* (yield* Workspaces).erase(workspaceId, redactNames)
        yield* late(all)
      })
    )

    it.effect("completes, with its event, a run that waits for nothing but an account that is erased", () =>
      Effect.gen(function* () {
        const { add, claim, newRun, now, polls, scope, settlement, store, workspaceId } = yield* syncWorld
        const [one, two] = [yield* add({ networkAccountId: "a" }), yield* add({ networkAccountId: "b", owner: "ann" })]
        const [both, hers] = [yield* newRun(), yield* newRun({}, "ann")]
        for (const run of [both, hers]) yield* store.start(run, nobodyDone)
        const waiting = yield* store.start(yield* newRun(), nobodyDone)
        yield* (yield* Erasures).erase({ workspaceId, accountId: two.id }, redactNames)
        assert.deepStrictEqual(yield* completed(workspaceId), [[hers.id, 0, "ann"]])
        const held = (yield* claim("t")).find(({ accountId }) => accountId === one.id) ?? assert.fail()
        yield* polls.settle(held, settlement(one, 3), now)
        const ended = yield* completed(workspaceId)
        assert.deepStrictEqual(
          ended.slice(1).toSorted(),
          [
            [both.id, 3, null],
            [waiting.id, 3, null]
          ].toSorted()
        )
        const last = yield* newRun()
        yield* store.start(last, nobodyDone)
        yield* (yield* Erasures).erase({ workspaceId, accountId: one.id }, redactNames)
        assert.isTrue(Option.exists(yield* store.find(scope.scope, last.id), ({ isCompleted }) => isCompleted))
        assert.deepStrictEqual((yield* completed(workspaceId)).slice(3), [[last.id, 0, null]])
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
