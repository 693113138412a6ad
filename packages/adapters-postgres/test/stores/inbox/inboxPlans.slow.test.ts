import { layerNetworks } from "@loopbox/testing/fixtures/networks"
import { PgAdapters } from "@loopbox/adapters-postgres"
import { ManagedUserScope, WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { sources } from "@loopbox/testing/fixtures/networks"
import type { Source } from "@loopbox/core/networks/Source"
import { InboxStore, type ItemQuery, noFilter } from "@loopbox/core/inbox/InboxStore"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { UnreadCounters } from "@loopbox/core/inbox/UnreadCounters"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { SocialAccounts } from "@loopbox/core/accounts/SocialAccounts"
import { decideMove } from "@loopbox/core/items/decideMove"
import { InboxItemId } from "@loopbox/core/kernel/Ids"
import { OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { ingest } from "@loopbox/testing/fixtures/inboxFixtures"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { assert, layer } from "@effect/vitest"
import { Context, DateTime, Duration, Effect, Layer, Option, Result, Schema } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { SqlClient } from "effect/sql"
import * as Statement from "effect/sql/Statement"
import { busy, loud, rich } from "./manyItems.ts"
import { manyItemsDatabase } from "./manyItemsDatabase.ts"
import { fillOperations } from "../outbound/manyOperations.ts"
import { findCostly, oneConnection } from "../rowsRead.ts"
import { costOf } from "../statementCost.ts"

class ManyItems extends Context.Service<ManyItems, PgAdapters.Target>()("test/ManyItems") {
  static readonly layer = Layer.effect(ManyItems, manyItemsDatabase)
}

const limit = 10
const pages = 10_000

const all: ItemScope = { scope: new WorkspaceScope({ workspaceId: busy }), sources: new Set(sources) }
const scopeOf = (externalUserId: string): ItemScope => ({
  scope: new ManagedUserScope({ workspaceId: busy, externalUserId }),
  sources: new Set(sources)
})

/** The filters that design §4 names. */
const filters: Record<string, Partial<ItemQuery>> = {
  none: {},
  "is_read=false": { isRead: Option.some(false) },
  social_account_id: { accountId: Option.some(loud) },
  thread_key: { threadKey: Option.some("viral") },
  "thread_status=open": { threadStatus: Option.some("open") },
  "thread_status=resolved": { threadStatus: Option.some("resolved") },
  "assigned_to=ann": { assignedTo: Option.some(Option.some("ann")) },
  "assigned_to=none": { assignedTo: Option.some(Option.none()) }
}
const named = Object.entries(filters).flatMap(([name, filter]) => [
  [name, filter] as const,
  [`${name} and source`, { ...filter, source: Option.some("ig_comment" as const) }] as const
])

const Place = Schema.Struct({ id: InboxItemId, received_at: Schema.DateTimeUtcFromDate })

/** All items in their order, numbered, with what filters ask for: as anybody would write it, and once for all of them. */
const number = SqlClient.SqlClient.use((sql) =>
  Effect.gen(function* () {
    // All rows are read: a plan that joins them one by one, after an estimate of few, takes minutes.
    yield* sql`SET LOCAL enable_nestloop = off`
    // Sorted in memory: half of the time.
    yield* sql`SET LOCAL work_mem = '256MB'`
    yield* sql`CREATE TEMP TABLE numbered ON COMMIT DROP AS
      SELECT row_number() OVER (ORDER BY i.received_at DESC, i.id DESC) AS n, i.id, i.received_at, i.source, i.is_read,
        i.account_id, i.thread_key, t.status, t.assignee, a.external_user_id
      FROM items i JOIN threads t USING (workspace_id, account_id, source, thread_key)
      JOIN social_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
      WHERE i.workspace_id = ${sql.literal(`'${busy}'`)} AND i.kind = 'live' AND a.status <> 'disconnected'`
    yield* sql`CREATE UNIQUE INDEX ON numbered (n)`
    yield* sql`ANALYZE numbered`
  })
)

/** The place of page 10,000, or of the last full page, by a filter over the numbered items. */
const placeOf = Effect.fnUntraced(function* ({ scope }: ItemScope, query: ItemQuery) {
  const sql = yield* SqlClient.SqlClient
  const where = sql.and([
    sql`true`,
    ...(scope._tag === "ManagedUserScope" ? [sql`external_user_id = ${scope.externalUserId}`] : []),
    ...Option.toArray(Option.map(query.source, (source) => sql`source = ${source}`)),
    ...Option.toArray(Option.map(query.isRead, (isRead) => sql`is_read = ${isRead}`)),
    ...Option.toArray(Option.map(query.accountId, (id) => sql`account_id = ${id}`)),
    ...Option.toArray(Option.map(query.threadKey, (key) => sql`thread_key = ${key}`)),
    ...Option.toArray(Option.map(query.threadStatus, (status) => sql`status = ${status}`)),
    ...Option.toArray(Option.map(query.assignedTo, (name) => sql`assignee = ${Option.getOrElse(name, () => "")}`))
  ])
  const rows = yield* sql`SELECT id, received_at FROM numbered WHERE ${where} ORDER BY n LIMIT ${limit + 1}
    OFFSET (SELECT greatest(least(${pages * limit}, count(*) - ${limit}), 0) FROM numbered WHERE ${where})`
  return yield* Schema.decodeUnknownEffect(Schema.Array(Place))(rows)
})

const placesOf = (cases: ReadonlyArray<{ readonly scope: ItemScope; readonly query: ItemQuery }>) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(
      Effect.andThen(
        number,
        Effect.forEach(cases, ({ query, scope }) => placeOf(scope, query))
      )
    )
  )

const scopes: Record<string, ItemScope> = { workspace: all, "a user with 600,000 items": scopeOf(rich) }

const cases = Object.entries(scopes).flatMap(([who, scope]) =>
  named.map(([name, filter]) => ({
    name: `${who}, ${name}`,
    scope,
    query: { ...noFilter, limit, after: Option.none(), ...filter } satisfies ItemQuery
  }))
)

layer(ManyItems.layer, { excludeTestServices: true, timeout: "9 minutes" })("With a million items", (it) => {
  it.effect("page 10,000 costs what page 1 does, and has the right items", () =>
    Effect.gen(function* () {
      const target = yield* ManyItems
      const found: Array<string> = []
      const places = yield* PgAdapters.withLongRunningClient(target, {}, placesOf(cases))
      for (const plans of ["force_generic_plan", "force_custom_plan"]) {
        yield* Effect.gen(function* () {
          const store = yield* InboxStore
          for (const [n, { name, query, scope }] of cases.entries()) {
            const [before, ...expected] = places[n] ?? []
            const after = Option.map(Option.fromUndefinedOr(before), ({ id, received_at: receivedAt }) => ({
              id,
              receivedAt
            }))
            yield* store.list(scope, query)
            const first = yield* costOf(store.list(scope, query))
            const deep = yield* costOf(store.list(scope, { ...query, after }))
            const line =
              `${name} (${plans}): ${first.buffers} / ${deep.buffers} buffers, ${first.read} / ${deep.read} items, ` +
              `${first.ms} / ${deep.ms} ms`
            yield* Effect.log(line)
            assert.deepStrictEqual(
              deep.result.items.map(({ id }) => id),
              expected.slice(0, limit).map(({ id }) => id),
              line
            )
            if (first.statements + deep.statements > 2 || deep.buffers > first.buffers * 1.5 + 30) found.push(line)
            if (first.buffers > 400 || first.read + deep.read > 600) found.push(line)
          }
        }).pipe(Effect.provide(oneConnection(target, plans)))
      }
      assert.deepStrictEqual(found, [])
    })
  )

  it.effect("a filter without an index reads 20 rows for each one asked at most", () =>
    Effect.gen(function* () {
      const target = yield* ManyItems
      const rare: Record<string, Partial<ItemQuery>> = {
        own: { isOwn: Option.some(true) },
        "nobody's and resolved, own": {
          isOwn: Option.some(true),
          threadStatus: Option.some("resolved"),
          assignedTo: Option.some(Option.none())
        },
        "nothing at all": { assignedTo: Option.some(Option.some("ann")), threadStatus: Option.some("open") },
        "read, of a thread": { isRead: Option.some(true), threadKey: Option.some("viral"), isOwn: Option.some(true) }
      }
      yield* Effect.gen(function* () {
        const store = yield* InboxStore
        for (const [name, filter] of Object.entries(rare)) {
          for (const [who, scope] of Object.entries({ ...scopes, "a user with 2,000 accounts": scopeOf("many") })) {
            const query = { ...noFilter, limit, after: Option.none(), ...filter }
            const { buffers, ms, read, result } = yield* costOf(store.list(scope, query))
            const line = `${who}, ${name}: ${result.items.length} of ${read} items, ${buffers} buffers, ${ms} ms`
            yield* Effect.log(line)
            // The heads of the accounts are read by their indexes alone, and told among the reads.
            assert.isAtMost(read, 20 * limit + (who.includes("2,000") ? 4_000 : 10), line)
          }
        }
      }).pipe(Effect.provide(oneConnection(target, "auto")))
    })
  )

  it.effect("the unread count is the items' after a storm, and a batch takes two statements an item at most", () =>
    Effect.gen(function* () {
      const target = yield* ManyItems
      yield* Effect.gen(function* () {
        const [store, sql] = [yield* InboxStore, yield* SqlClient.SqlClient]
        const page = yield* store.list(all, { ...noFilter, limit: 200, after: Option.none() })
        const [viral] = page.items.filter(({ threadKey }) => threadKey === "viral")
        const items = page.items.filter(({ threadKey }) => threadKey !== "viral")
        const upToSeq = 1_000_000
        const accounts = Option.getOrThrow(yield* (yield* SocialAccounts).find(busy, loud))
        const act = (
          n: number
        ): Effect.Effect<unknown, unknown, InboxStore | IngestStore | SecureRandom.SecureRandom> => {
          const item = items[(n * 7) % items.length]
          if (item === undefined || n % 5 < 2) {
            return ingest(accounts, [posted({ externalId: `storm ${n % 40}`, threadKey: `storm ${n % 3}` })])
          }
          if (n % 5 === 2)
            return store.markBatch(n % 2 === 0 ? all : scopeOf("many"), { upToSeq, limit: 100, at: noon })
          if (n % 5 === 3) return store.markRead(all, item.id, noon)
          return store.moveThread(
            all,
            item.id,
            (item, before) => decideMove(item, before, { status: "resolved", assignedTo: undefined }),
            noon
          )
        }
        const [took] = yield* Effect.timed(
          Effect.forEach(
            Array.from({ length: 400 }, (_, n) => n),
            act,
            { concurrency: 16, discard: true }
          )
        )
        yield* Effect.log(`400 changes, 16 at once: ${Duration.format(took)}`)
        for (const [who, scope] of Object.entries(scopes)) {
          const { ms, result: counted } = yield* costOf(store.countUnread(scope))
          const user = scope.scope._tag === "ManagedUserScope" ? scope.scope.externalUserId : ""
          const [row] = yield* sql`SELECT count(*)::int AS count FROM items i
            JOIN social_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
            WHERE i.kind = 'live' AND NOT i.is_read AND NOT i.is_own AND a.status <> 'disconnected'
              AND (${user} = '' OR a.external_user_id = ${user})`
          yield* Effect.log(`${who}: ${counted} unread, counted in ${ms} ms`)
          assert.deepStrictEqual(row, { count: counted })
        }
        assert.deepStrictEqual(yield* (yield* UnreadCounters).compare({ repair: false }), [])

        const batch = Array.from({ length: 1_000 }, (_, n) =>
          posted({ externalId: `batch ${n}`, threadKey: `b ${n % 99}` })
        )
        let statements = 0
        const [ingestTook] = yield* ingest(accounts, batch).pipe(
          Effect.provideService(Statement.CurrentTransformer, (statement) =>
            Effect.sync(() => {
              statements += 1
              return statement
            })
          ),
          Effect.timed
        )
        const [markTook, marked] = yield* Effect.timed(store.markBatch(all, { upToSeq, limit: 1_000, at: noon }))
        yield* Effect.log(
          `1,000 items in ${Duration.format(ingestTook)} by ${statements} statements; ` +
            `${marked} marked in ${Duration.format(markTook)}`
        )
        assert.isAtMost(statements, 20)
        assert.strictEqual(marked, 1_000)

        // One row is written, however many items there are.
        if (viral === undefined) return yield* Effect.die(new Error("no item of the large thread"))
        const [moveTook, moved] = yield* Effect.timed(
          Effect.exit(
            store.moveThread(
              all,
              viral.id,
              (item, before) => decideMove(item, before, { status: "resolved", assignedTo: undefined }),
              noon
            )
          )
        )
        yield* Effect.log(`a thread of 100,000 items moved in ${Duration.format(moveTook)}`)
        assert.strictEqual(moved._tag, "Success")
      }).pipe(
        Effect.provide([
          PgAdapters.layerTarget(target, { migrate: false }).pipe(Layer.provideMerge(layerNetworks)),
          SecureRandom.layerWebCrypto
        ])
      )
    })
  )

  it.effect("and a million replies, nothing that a worker or a sweep does reads more than a few of either", () =>
    Effect.gen(function* () {
      const target = yield* ManyItems
      // While the account's items come in.
      const now = DateTime.makeUnsafe("2026-06-04T20:00:00.000Z")
      const { account, unknown } = yield* fillOperations(target, now)
      for (const plans of ["force_generic_plan", "force_custom_plan"]) {
        const found = yield* Effect.gen(function* () {
          const [store, inbox, retention] = [yield* OutboundStore, yield* InboxStore, yield* RetentionStore]
          const query = { ...noFilter, threadKey: Option.some("viral"), limit: 1, after: Option.none() }
          const [answered] = (yield* inbox.list(all, query)).items
          const fresh = yield* makeOperation(account, now, { key: "new" })
          const claimed = (sources: ReadonlyArray<Source>, limit: number) =>
            store.claim({
              sources,
              limit,
              token: plans,
              now,
              leaseNow: now,
              leaseUntil: DateTime.add(now, { seconds: 15 })
            })
          const [held] = yield* claimed(["ig_comment"], 1)
          if (held === undefined || answered === undefined) return yield* Effect.die(new Error("nothing is there"))
          const keep = Option.none<DateTime.Utc>()
          return yield* findCostly(["outbound_operations", "items"], {
            submit: store.submit(fresh, () => Result.succeed(fresh)),
            "submit what its key made before": store.submit(fresh, () => Result.succeed(fresh)),
            find: store.find(all, unknown.id),
            "find what is answered": Effect.flatMap(inbox.findAnswered(all, answered.id), Effect.fromOption),
            claim: claimed(["ig_comment"], 16),
            "claim of a network without any": claimed(["x_reply"], 16),
            reconcile: store.reconcile(held, ["r1", "r2"], ({ operation }) => ({ operation, leaseUntil: keep })),
            hasten: store.hasten(unknown),
            "store an own item": ingest(account, [posted({ externalId: `own ${plans}`, isOwn: true })], { now }),
            "find an item of the network": Effect.flatMap(IngestStore, (items) =>
              items.findItemId(unknown.workspaceId, unknown.accountId, { source: unknown.source, externalId: "e1" })
            ),
            depth: store.depth,
            purge: retention.purgeRows(now, 20)
          })
        }).pipe(Effect.provide(oneConnection(target, plans)))
        assert.deepStrictEqual(found, [])
      }
    })
  )
})
