import { PgAdapters } from "@loopbox/adapters-postgres"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { InboxStore } from "@loopbox/core/inbox/InboxStore"
import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import { decideMove } from "@loopbox/core/items/decideMove"
import { deleted, edited, noon, posted } from "@loopbox/testing/fixtures/activities"
import {
  connect,
  eventsAfter,
  idOf,
  ingest,
  lastSeq,
  makeInboxWorkspace,
  scopeOf,
  walk
} from "@loopbox/testing/fixtures/inboxFixtures"
import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it } from "@effect/vitest"
import { Context, Duration, Effect, Fiber, Layer, Option, Queue, Schedule, Stream } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { testDatabase } from "../../testDatabase.ts"

/** Two processes of one database, each with its pool and its listening connection. */
const twoNodes = Effect.gen(function* () {
  const target = yield* testDatabase()
  const random = yield* Layer.build(SecureRandom.layerWebCrypto)
  const stores = PgAdapters.layerTarget(target, { migrate: false }).pipe(Layer.provideMerge(layerNetworks))
  const node = Effect.map(Layer.build(stores), (context) => Context.merge(context, random))
  return [yield* node, yield* node] as const
})

const on = <S, A, E, R>(node: Context.Context<S>, self: Effect.Effect<A, E, R>) => Effect.provideContext(self, node)

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** What must hold whenever nothing is going on. */
const checkInvariants = Effect.fnUntraced(function* (workspaceId: Parameters<typeof scopeOf>[0]) {
  const store = yield* InboxStore
  const scope = scopeOf(workspaceId)
  const items = yield* walk(scope, { limit: 500 })
  const unread = items.filter(({ isOwn, isRead }) => !isRead && !isOwn).length
  assert.strictEqual(yield* store.countUnread(scope), unread)
  assert.deepStrictEqual(yield* (yield* UnreadCounters).compare({ repair: false }), [])
  const states = Map.groupBy(items, ({ account, source, threadKey }) => `${account.id} ${source} ${threadKey}`)
  for (const [thread, some] of states) {
    assert.strictEqual(new Set(some.map((item) => JSON.stringify(item.thread))).size, 1, thread)
  }
  const events = yield* eventsAfter(workspaceId)
  assert.deepStrictEqual(
    events.map(({ seq }) => seq),
    numbers(yield* lastSeq(workspaceId)).map((n) => n + 1)
  )
  const created = events.filter(({ event }) => event._tag === "NewItem").length
  return { items, events, created }
})

describe("Two nodes on one inbox", () => {
  it.live("ingest, read, mark, move and edit at once, and everything agrees afterwards", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes
      const { account, other, workspaceId } = yield* on(
        one,
        Effect.gen(function* () {
          const { id } = yield* makeInboxWorkspace()
          const account = yield* connect(id, { owner: "u1" })
          const other = yield* connect(id, { owner: "u2", networkAccountId: "other" })
          yield* ingest(account, [posted({ externalId: "c0", threadKey: "t0" })])
          return { account, other, workspaceId: id }
        })
      )
      const scope = scopeOf(workspaceId)
      const id = yield* on(one, idOf(scope, "c0"))
      const act = (n: number) =>
        Effect.gen(function* () {
          const [store, accounts] = [yield* InboxStore, yield* SocialAccounts]
          const target = n % 2 === 0 ? account : other
          const key = { externalId: `c${n % 12}` }
          switch (n % 8) {
            case 0:
              return yield* store.moveThread(
                scope,
                id,
                (item, before) => decideMove(item, before, { status: "resolved", assignedTo: undefined }),
                noon
              )
            case 1:
              return yield* store.markBatch(scope, { upToSeq: 1_000_000, limit: 5, at: noon })
            case 2:
              return yield* ingest(target, [edited(n, `v${n}`, key), deleted({ externalId: `c${n % 30}` })])
            case 3:
              return yield* accounts.update(workspaceId, other.id, { externalUserId: Option.some(`u${n % 3}`) }, noon)
            case 4:
              return yield* store.markRead(scope, id, noon)
            default:
              return yield* ingest(target, [
                posted({ ...key, threadKey: `t${n % 3}` }),
                posted({ externalId: `d${n % 20}`, threadKey: `t${(n + 1) % 3}` })
              ])
          }
        })
      // All wait for one workspace; on a slow machine that may last longer than a statement waits for its lock, which
      // is then answered with an error that says that nothing was done.
      const again = (n: number) =>
        act(n).pipe(
          Effect.retry({ times: 20, while: (error) => error._tag === "StoreUnavailable" && error.committed === "no" })
        )
      yield* Effect.forEach(numbers(160), (n) => on(n % 3 === 0 ? one : two, again(n)), { concurrency: 24 })
      const { created, events, items } = yield* on(one, checkInvariants(workspaceId))
      const gone = events.filter(({ event }) => event._tag === "ItemDeleted").length
      assert.strictEqual(items.length, created - gone)
    }).pipe(Effect.scoped)
  )

  it.live("begin the same threads at once, and each has all of its items", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes
      const { account, workspaceId } = yield* on(
        one,
        Effect.gen(function* () {
          const { id } = yield* makeInboxWorkspace()
          return { account: yield* connect(id, { owner: "u1" }), workspaceId: id }
        })
      )
      const units = numbers(40)
      yield* Effect.forEach(
        units,
        (n) => {
          // Of nine threads that begin at that time three each, in this order and the other one.
          const threads = numbers(3).map((k) => Math.floor(n / 8) * 9 + ((n + k * 4) % 9))
          const activities = threads.map((thread) =>
            posted({ externalId: `c${n} ${thread}`, threadKey: `t${thread}`, isOwn: thread % 3 === 0 })
          )
          return on(n % 2 === 0 ? one : two, ingest(account, n % 3 === 0 ? activities.toReversed() : activities))
        },
        { concurrency: 12, discard: true }
      )
      const { created } = yield* on(one, checkInvariants(workspaceId))
      assert.strictEqual(created, units.length * 3)
      const wrong = yield* on(
        one,
        SqlClient.SqlClient.use(
          (sql) => sql`SELECT t.thread_key, t.is_kept, t.items, t.item_count, t.unread_count, i.items, i.unread
            FROM threads t CROSS JOIN LATERAL (
              SELECT count(*)::int AS items, (count(*) FILTER (WHERE NOT is_own))::int AS unread FROM items
              WHERE workspace_id = ${workspaceId} AND account_id = t.account_id AND source = t.source
                AND thread_key = t.thread_key
            ) i WHERE t.workspace_id = ${workspaceId} AND (NOT t.is_kept OR t.items <> i.items
              OR t.item_count <> i.items OR t.unread_count <> i.unread)`
        )
      )
      assert.deepStrictEqual(wrong, [])
    }).pipe(Effect.scoped)
  )

  it.live("hear of each other's events soon after the commit", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes
      const account = yield* on(
        one,
        Effect.flatMap(makeInboxWorkspace(), ({ id }) => connect(id))
      )
      const changes = Context.get(two, InboxEvents).changes
      const heard = yield* Queue.unbounded<string>()
      yield* changes.pipe(
        Stream.filter((id) => id === account.workspaceId),
        Stream.runForEach((id) => Queue.offer(heard, id)),
        Effect.forkScoped({ startImmediately: true })
      )
      // What is told while its connection is still opening is not heard.
      let written = 0
      const write = Effect.suspend(() => on(one, ingest(account, [posted({ externalId: `c${written++}` })])))
      const told = yield* write.pipe(
        Effect.andThen(Effect.sleep("300 millis")),
        Effect.forever,
        Effect.forkScoped({ startImmediately: true })
      )
      yield* Queue.take(heard)
      yield* Fiber.interrupt(told)
      yield* Effect.sleep("300 millis")
      yield* Queue.clear(heard)
      yield* write
      const [took] = yield* Effect.timed(Queue.take(heard))
      assert.isBelow(Duration.toMillis(took), 10_000)
    }).pipe(Effect.scoped)
  )

  it.live("mark all at the same time, and neither says that it is done before everything is read", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes
      const account = yield* on(
        one,
        Effect.flatMap(makeInboxWorkspace(), ({ id }) => connect(id))
      )
      const scope = scopeOf(account.workspaceId)
      yield* on(
        one,
        ingest(
          account,
          numbers(300).map((n) => posted({ externalId: `c${n}` }))
        )
      )
      const markAll = Effect.gen(function* () {
        const store = yield* InboxStore
        let marked = 0
        for (let batch = 7; batch === 7;) {
          batch = yield* store.markBatch(scope, { upToSeq: 300, limit: 7, at: noon })
          marked += batch
        }
        // Whoever is told that nothing is left finds nothing.
        return { marked, left: yield* store.countUnread(scope) }
      })
      const done = yield* Effect.all([on(one, markAll), on(two, markAll), on(two, markAll)], {
        concurrency: "unbounded"
      })
      assert.strictEqual(
        done.reduce((sum, { marked }) => sum + marked, 0),
        300
      )
      assert.deepStrictEqual(
        done.map(({ left }) => left),
        [0, 0, 0]
      )
      yield* on(one, checkInvariants(account.workspaceId))
    }).pipe(Effect.scoped)
  )

  it.live("store a delivery's unit once, whoever is killed in between", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoNodes
      const account = yield* on(
        one,
        Effect.flatMap(makeInboxWorkspace(), ({ id }) => connect(id))
      )
      const activities = numbers(200).map((n) => posted({ externalId: `c${n}`, threadKey: `t${n % 7}` }))
      const kill = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`
      })
      const unit = (n: number) =>
        ingest(account, activities.slice(n * 10, n * 10 + 20), { completes: [`delivery ${n}`] }).pipe(
          Effect.retry({ times: 200, while: (error) => error._tag === "StoreUnavailable" })
        )
      const killer = yield* Effect.forkChild(
        Effect.repeat(on(two, Effect.ignore(kill)), { times: 30, schedule: Schedule.spaced("25 millis") })
      )
      yield* Effect.forEach(numbers(20), (n) => on(one, unit(n)), { concurrency: 4 })
      yield* Fiber.join(killer)
      const { created, items } = yield* on(two, checkInvariants(account.workspaceId))
      assert.deepStrictEqual([items.length, created], [200, 200])
    }).pipe(Effect.scoped)
  )
})
