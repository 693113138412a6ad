import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import { InboxStore, type ItemQuery, noFilter } from "@loopbox/core/inbox/InboxStore"
import type { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { decideMove } from "@loopbox/core/items/decideMove"
import { stateOf, type ThreadState, type ThreadStatus, untouched } from "@loopbox/core/items/Thread"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { edited, noon, posted } from "@loopbox/testing/fixtures/activities"
import {
  connect,
  eventsAfter,
  ingest,
  lastSeq,
  makeInboxWorkspace,
  scopeOf,
  walk
} from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it, layer } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import { LargestWithCopies } from "../../../src/stores/inbox/threads.ts"
import { layerStores } from "../../testDatabase.ts"

/** Few enough that a handful of items makes a thread large. */
const largest = 5

const world = layerStores().pipe(
  Layer.provide(Layer.succeed(LargestWithCopies, largest)),
  Layer.merge(SecureRandom.layerWebCrypto)
)

const threadStatuses: ReadonlyArray<ThreadStatus> = ["open", "assigned", "resolved"]

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** Of eight threads the first two become large, and the third is one item short of it. */
const threadOf = (n: number) => `t${n % 3 === 0 ? 0 : n % 3 === 1 ? 1 : 2 + (Math.trunc(n / 3) % 6)}`

const some = (from: number, to: number) =>
  numbers(to - from).map((i) => {
    const n = from + i
    return posted({
      externalId: `c${n}`,
      threadKey: threadOf(n),
      source: n % 4 === 0 ? "ig_dm" : "ig_comment",
      isOwn: n % 7 === 0,
      receivedAt: DateTime.add(noon, { minutes: (n * 31) % 23 })
    })
  })

const moveTo = (scope: ItemScope, item: InboxItem, n: number) =>
  Effect.flatMap(InboxStore, (store) =>
    store.moveThread(
      scope,
      item.id,
      (item, before) =>
        decideMove(item, before, {
          status: threadStatuses[n % 3] ?? "open",
          assignedTo: n % 3 === 1 ? Option.some(n % 2 === 0 ? "ann" : "bob") : undefined
        }),
      noon
    )
  )

/** Two accounts of one user and one of another, and a fourth that is disconnected, with threads of all sizes. */
const fill = Effect.gen(function* () {
  const { id } = yield* makeInboxWorkspace()
  const store = yield* InboxStore
  const accounts: ReadonlyArray<SocialAccount> = yield* Effect.forEach(["u1", "u1", "u2", "u2"], (owner, n) =>
    connect(id, { owner, networkAccountId: `page ${n}` })
  )
  const scope = scopeOf(id)
  for (const [n, account] of accounts.entries()) {
    yield* ingest(account, some(0, 20 + n))
    for (const [i, item] of (yield* walk(scope, { accountId: Option.some(account.id) })).entries()) {
      if (i % 3 === 0) yield* moveTo(scope, item, i + n)
      if (i % 4 === 0) yield* store.markRead(scope, item.id, noon)
    }
    yield* ingest(account, some(20 + n, 40))
  }
  for (const [n, item] of (yield* walk(scope)).entries()) {
    if (n % 9 === 0) yield* moveTo(scope, item, n)
  }
  const hidden = accounts[3]
  if (hidden !== undefined) yield* (yield* SocialAccounts).disconnect(id, hidden.id, noon)
  return { id, accounts }
})

/** Each filter left open or set, in every combination. */
const filters = (accountId: InboxItem["accountId"]): ReadonlyArray<Partial<ItemQuery>> =>
  [
    [{}, { source: Option.some("ig_comment" as const) }],
    [{}, ...threadStatuses.map((status) => ({ threadStatus: Option.some(status) }))],
    [{}, { assignedTo: Option.some(Option.none()) }, { assignedTo: Option.some(Option.some("ann")) }],
    [{}, { isRead: Option.some(false) }, { isRead: Option.some(true) }],
    [{}, { isOwn: Option.some(true) }],
    [{}, { threadKey: Option.some("t0") }],
    [{}, { accountId: Option.some(accountId) }]
  ].reduce<ReadonlyArray<Partial<ItemQuery>>>(
    (all, kinds) => all.flatMap((filter) => kinds.map((kind) => ({ ...filter, ...kind }))),
    [{}]
  )

const fits = (item: InboxItem, filter: Partial<ItemQuery>): boolean => {
  const { accountId, assignedTo, isOwn, isRead, source, threadKey, threadStatus } = { ...noFilter, ...filter }
  const equal = <A>(asked: Option.Option<A>, is: A) => Option.getOrElse(asked, () => is) === is
  return (
    equal(source, item.source) &&
    equal(threadStatus, item.thread.status) &&
    equal(Option.map(assignedTo, Option.getOrNull), Option.getOrNull(item.thread.assignedTo)) &&
    equal(isRead, item.isRead) &&
    equal(isOwn, item.isOwn) &&
    equal(threadKey, item.threadKey) &&
    equal(accountId, item.accountId)
  )
}

const idsOf = (items: ReadonlyArray<InboxItem>) => items.map(({ id }) => id)

layer(world)("Large threads", (it) => {
  it.effect("are listed by every filter as all others are, in pages of any size", () =>
    Effect.gen(function* () {
      const { accounts, id } = yield* fill
      const first = accounts[0]
      if (first === undefined) return yield* Effect.die(new Error("no account"))
      for (const [part, scope] of [scopeOf(id), scopeOf(id, "u1"), scopeOf(id, "u2")].entries()) {
        const items = yield* walk(scope, { limit: 500 })
        const threads = Map.groupBy(items, ({ accountId, source, threadKey }) => `${accountId} ${source} ${threadKey}`)
        for (const [name, ofOne] of threads) {
          assert.strictEqual(new Set(ofOne.map(({ thread }) => JSON.stringify(thread))).size, 1, name)
        }
        const sizes = Array.from(threads.values(), (ofOne) => ofOne.length)
        assert.isTrue(sizes.some((size) => size > largest) && sizes.some((size) => size <= largest))
        for (const [n, filter] of filters(first.id).entries()) {
          // Every fifth meets each two values together, for no filter has so many. A user's are read as they are.
          if (n % (part === 0 ? 5 : 7) !== part) continue
          const found = yield* walk(scope, { ...filter, limit: n % 25 === 0 ? 1 : 40 })
          assert.deepStrictEqual(
            idsOf(found),
            idsOf(items.filter((item) => fits(item, filter))),
            JSON.stringify(filter)
          )
        }
      }
    })
  )

  it.effect("are moved by one row: none of their items is written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { id: workspaceId } = yield* makeInboxWorkspace()
      const account = yield* connect(workspaceId)
      const scope = scopeOf(workspaceId)
      const versions = (count: number) =>
        Effect.gen(function* () {
          const threadKey = `of ${count}`
          yield* ingest(
            account,
            numbers(count).map((n) => posted({ externalId: `${threadKey}: ${n}`, threadKey }))
          )
          const written = sql`SELECT xmin::text FROM items
            WHERE workspace_id = ${workspaceId} AND thread_key = ${threadKey} ORDER BY external_id`
          const before = yield* written
          const [item] = yield* walk(scope, { threadKey: Option.some(threadKey) })
          if (item === undefined) return yield* Effect.die(new Error("no item"))
          yield* moveTo(scope, item, 2)
          const states = (yield* walk(scope, { threadKey: Option.some(threadKey) })).map(({ thread }) => thread.status)
          assert.deepStrictEqual(new Set(states), new Set(["resolved"]))
          return { before, after: yield* written }
        })
      const small = yield* versions(largest)
      assert.notDeepEqual(small.after, small.before)
      const large = yield* versions(largest + 1)
      assert.deepStrictEqual(large.after, large.before)
    })
  )
})

describe("Large threads", () => {
  it.live("are told of in the order of their numbers, whatever happens to their items meanwhile", () =>
    Effect.gen(function* () {
      const { account, id: workspaceId } = yield* Effect.gen(function* () {
        const { id } = yield* makeInboxWorkspace()
        return { id, account: yield* connect(id) }
      })
      const scope = scopeOf(workspaceId)
      const items = numbers(60).map((n) => posted({ externalId: `c${n}`, threadKey: "t", author: nameless }))
      yield* ingest(account, items)
      const start = yield* lastSeq(workspaceId)
      const all = yield* walk(scope)
      const store = yield* InboxStore
      const act = (
        n: number
      ): Effect.Effect<unknown, unknown, InboxStore | IngestStore | SecureRandom.SecureRandom> => {
        const item = all[n % all.length]
        if (item === undefined) return Effect.void
        if (n % 3 === 0) return moveTo(scope, item, Math.trunc(n / 3))
        if (n % 3 === 1) return store.markRead(scope, item.id, noon)
        return ingest(account, [edited(n, `version ${n}`, { externalId: item.externalId })])
      }
      yield* Effect.forEach(numbers(180), act, { concurrency: 8, discard: true })
      yield* checkOrder(workspaceId, start)
    }).pipe(Effect.provide(world))
  )
})

const nameless = { name: Option.none(), username: Option.none() }

/** An item is told of with the state that its thread was last told to have. */
const checkOrder = Effect.fnUntraced(function* (workspaceId: WorkspaceId, start: number) {
  const events = yield* eventsAfter(workspaceId, start)
  let told: ThreadState = stateOf(untouched)
  let updates = 0
  for (const { event, seq } of events) {
    if (event._tag === "ThreadUpdated") told = { status: event.status, assignedTo: event.assignedTo }
    if (event._tag !== "ItemUpdated") continue
    updates += 1
    assert.deepStrictEqual(event.item.thread, told, `event ${seq}`)
  }
  assert.isAbove(updates, 60)
})
