import { PgAdapters } from "@loopbox/adapters-postgres"
import { ManagedUserScope, WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import type { IngestStore } from "@loopbox/core/inbox/IngestStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { decideMove } from "@loopbox/core/items/decideMove"
import { ThreadId } from "@loopbox/core/kernel/Ids"
import { noThreadFilter, type ThreadQuery, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { sources } from "@loopbox/testing/fixtures/networks"
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import type * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import * as Statement from "effect/sql/Statement"
import { busy, loud, rich } from "../inbox/manyItems.ts"
import { findCostly, oneConnection } from "../rowsRead.ts"
import { costOf } from "../statementCost.ts"
import { manyThreadsDatabase } from "./manyThreadsDatabase.ts"

class ManyThreads extends Context.Service<ManyThreads, PgAdapters.Target>()("test/ManyThreads") {
  static readonly layer = Layer.effect(ManyThreads, manyThreadsDatabase)
}

const limit = 25
const pages = 4_000

const all: ItemScope = { scope: new WorkspaceScope({ workspaceId: busy }), sources: new Set(sources) }
const scopeOf = (externalUserId: string): ItemScope => ({
  scope: new ManagedUserScope({ workspaceId: busy, externalUserId }),
  sources: new Set(sources)
})

/** Every filter alone (api-2.md §14). */
const filters: Record<string, Partial<ThreadQuery>> = {
  none: {},
  source: { source: Option.some("ig_comment") },
  "thread_status=open": { stage: Option.some("open") },
  "thread_status=assigned": { stage: Option.some("assigned") },
  "thread_status=resolved": { stage: Option.some("resolved") },
  "thread_status=snoozed": { stage: Option.some("snoozed") },
  "assigned_to=ann": { assignedTo: Option.some(Option.some("ann")) },
  "assigned_to=none": { assignedTo: Option.some(Option.none()) },
  social_account_id: { accountId: Option.some(loud) },
  "label=urgent": { label: Option.some("urgent") },
  "is_unread=true": { isUnread: Option.some(true) },
  "is_unread=false": { isUnread: Option.some(false) }
}

const scopes: Record<string, ItemScope> = { workspace: all, "a user with 600,000 items": scopeOf(rich) }

const cases = Object.entries(scopes).flatMap(([who, scope]) =>
  Object.entries(filters).map(([name, filter]) => ({
    name: `${who}, ${name}`,
    scope,
    query: { ...noThreadFilter, limit, after: Option.none(), ...filter } satisfies ThreadQuery
  }))
)

const Place = Schema.Struct({ id: ThreadId, last_item_at: Schema.DateTimeUtcFromDate })

/** The filter as anybody would write it, to find the place of page 4,000, or of the last full page. */
const placeOf = Effect.fnUntraced(
  function* ({ scope }: ItemScope, query: ThreadQuery) {
    const sql = yield* SqlClient.SqlClient
    const stage = sql`CASE WHEN t.status <> 'resolved' AND t.snoozed_until IS NOT NULL THEN 'snoozed' ELSE t.status END`
    const where = sql.and([
      ...(scope._tag === "ManagedUserScope" ? [sql`a.external_user_id = ${scope.externalUserId}`] : []),
      ...Option.toArray(Option.map(query.source, (source) => sql`t.source = ${source}`)),
      ...Option.toArray(Option.map(query.stage, (asked) => sql`${stage} = ${asked}`)),
      ...Option.toArray(Option.map(query.accountId, (id) => sql`t.account_id = ${id}`)),
      ...Option.toArray(Option.map(query.assignedTo, (name) => sql`t.assignee = ${Option.getOrElse(name, () => "")}`)),
      ...Option.toArray(Option.map(query.isUnread, (is) => sql`(t.unread_count > 0) = ${is}`)),
      ...Option.toArray(Option.map(query.label, () => sql`t.labels = '{Urgent}'`)),
      sql`a.status <> 'disconnected'`
    ])
    yield* sql`SET LOCAL enable_nestloop = off`
    const rows = yield* sql`
      SELECT id, last_item_at FROM (
        SELECT t.id, t.last_item_at, row_number() OVER (ORDER BY t.last_item_at DESC, t.id DESC) AS n, count(*) OVER () AS of
        FROM threads t JOIN social_accounts a ON a.workspace_id = t.workspace_id AND a.id = t.account_id
        WHERE t.workspace_id = ${busy} AND ${where}
      ) p WHERE n > least(${pages * limit}, of - ${limit}) ORDER BY n LIMIT ${limit + 1}`
    return yield* Schema.decodeUnknownEffect(Schema.Array(Place))(rows)
  },
  (place) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(place))
)

/** Threads whose members are not those of their items. */
const findWrong = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`SELECT t.thread_key, t.item_count, t.unread_count FROM threads t FULL JOIN (
      SELECT workspace_id, account_id, source, thread_key, count(*) AS items,
        count(*) FILTER (WHERE NOT is_read AND NOT is_own) AS unread, max(received_at) AS last_at
      FROM items WHERE kind = 'live' GROUP BY workspace_id, account_id, source, thread_key
    ) c USING (workspace_id, account_id, source, thread_key)
    WHERE (t.item_count, t.unread_count, t.last_item_at) IS DISTINCT FROM (c.items, c.unread, c.last_at)
      AND coalesce(t.item_count, c.items) > 0 LIMIT 5`
})

layer(ManyThreads.layer, { excludeTestServices: true, timeout: "9 minutes" })("With a million items", (it) => {
  it.effect("a far page of threads costs what page 1 does by each filter, and has the right ones", () =>
    Effect.gen(function* () {
      const target = yield* ManyThreads
      const found: Array<string> = []
      const places = yield* PgAdapters.withLongRunningClient(
        target,
        {},
        Effect.forEach(cases, ({ query, scope }) => placeOf(scope, query))
      )
      for (const plans of ["force_generic_plan", "force_custom_plan"]) {
        yield* Effect.gen(function* () {
          const store = yield* ThreadStore
          for (const [n, { name, query, scope }] of cases.entries()) {
            const [before, ...expected] = places[n] ?? []
            const after = Option.map(Option.fromUndefinedOr(before), ({ id, last_item_at: lastItemAt }) => ({
              id,
              lastItemAt
            }))
            yield* store.list(scope, query)
            const first = yield* costOf(store.list(scope, query), "threads")
            const deep = yield* costOf(store.list(scope, { ...query, after }), "threads")
            const line =
              `${name} (${plans}): ${first.buffers} / ${deep.buffers} buffers, ${first.read} / ${deep.read} threads, ` +
              `${first.ms} / ${deep.ms} ms`
            yield* Effect.log(line)
            assert.deepStrictEqual(
              deep.result.threads.map(({ id }) => id),
              expected.map(({ id }) => id),
              line
            )
            assert.isAtLeast(expected.length, limit - 1, line)
            if (first.statements + deep.statements > 2 || deep.buffers > first.buffers * 1.5 + 30) found.push(line)
          }
        }).pipe(Effect.provide(oneConnection(target, plans)))
      }
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("a thread, its items, its changes and the worker's turn read a few rows", () =>
    Effect.gen(function* () {
      const target = yield* ManyThreads
      for (const plans of ["force_generic_plan", "force_custom_plan"]) {
        const found = yield* Effect.gen(function* () {
          const store = yield* ThreadStore
          const query: ThreadQuery = { ...noThreadFilter, accountId: Option.some(loud), limit, after: Option.none() }
          const large = (yield* store.list(all, query)).threads.find(({ threadKey }) => threadKey === "viral")
          if (large === undefined) return yield* Effect.die(new Error("the large thread is not among the newest"))
          const items = (order: "newest" | "oldest") =>
            store.items(all, large.id, { order, limit: 50, after: Option.none() })
          const account = Option.getOrThrow(yield* (yield* SocialAccounts).find(busy, loud))
          const snoozedUntil = Option.some(DateTime.makeUnsafe("2026-08-01T00:00:00.000Z"))
          return yield* findCostly(["threads", "items"], {
            find: store.find(all, large.id),
            label: store.setLabels(all, large.id, ["new", "other"], noon),
            "its newest items": items("newest"),
            "its oldest items": items("oldest"),
            "mark read": store.markRead(all, large.id, 200, noon),
            snooze: store.change(
              all,
              large.id,
              (named, before) => decideMove(named, before, { status: "open", assignedTo: undefined, snoozedUntil }),
              noon
            ),
            "an item that wakes it": ingest(account, [posted({ externalId: `${plans} 1`, threadKey: "viral" })]),
            "wake those that are due": store.wakeDue(DateTime.makeUnsafe("2026-07-02T00:00:00.000Z"), 100),
            "count what is left": store.countLeft(200)
          })
        }).pipe(Effect.provide(oneConnection(target, plans)))
        assert.deepStrictEqual(found, [])
      }
    })
  )

  it.effect("threads are kept exact by few statements, whatever happens to their items at once", () =>
    Effect.gen(function* () {
      const target = yield* ManyThreads
      yield* Effect.gen(function* () {
        const [store, accounts] = [yield* ThreadStore, yield* SocialAccounts]
        const account = Option.getOrThrow(yield* accounts.find(busy, loud))
        const { threads } = yield* store.list(all, { ...noThreadFilter, limit: 100, after: Option.none() })
        const act = (
          n: number
        ): Effect.Effect<unknown, unknown, ThreadStore | IngestStore | SecureRandom.SecureRandom> => {
          const thread = threads[(n * 7) % threads.length]
          if (thread === undefined || n % 3 === 0) {
            return ingest(account, [posted({ externalId: `storm ${n % 60}`, threadKey: `storm ${n % 5}` })])
          }
          if (n % 3 === 1) return store.markRead(all, thread.id, 10, noon)
          return store.change(
            all,
            thread.id,
            (named, before) => decideMove(named, before, { status: "resolved", assignedTo: undefined }),
            noon
          )
        }
        yield* Effect.forEach(
          Array.from({ length: 300 }, (_, n) => n),
          act,
          { concurrency: 8, discard: true }
        )
        const comments = Array.from({ length: 100 }, (_, n) => posted({ externalId: `new ${n}`, threadKey: `of ${n}` }))
        let statements = 0
        const [took] = yield* ingest(account, comments).pipe(
          Effect.provideService(Statement.CurrentTransformer, (statement) =>
            Effect.sync(() => {
              statements += 1
              return statement
            })
          ),
          Effect.timed
        )
        yield* Effect.log(`100 items of 100 threads in ${Duration.format(took)} by ${statements} statements`)
        assert.isAtMost(statements, 20)
      }).pipe(Effect.provide(oneConnection(target, "auto")))
      // It reads all items, for which the stores' connections have no time.
      assert.deepStrictEqual(yield* PgAdapters.withLongRunningClient(target, {}, findWrong), [])
    })
  )
})
