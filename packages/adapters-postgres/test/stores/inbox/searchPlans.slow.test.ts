import { PgAdapters } from "@loopbox/adapters-postgres"
import { ManagedUserScope, WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { InboxStore, type ItemQuery, noFilter } from "@loopbox/core/inbox/InboxStore"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { noThreadFilter, ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { layerNetworks, sources } from "@loopbox/testing/fixtures/networks"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Statement from "effect/sql/Statement"
import { busy, loud, rich } from "./manyItems.ts"
import { fillManyWords } from "./manyWords.ts"
import { manyThreadsDatabase } from "../threads/manyThreadsDatabase.ts"

class SearchedItems extends Context.Service<SearchedItems, PgAdapters.Target>()("test/SearchedItems") {
  static readonly layer = Layer.effect(SearchedItems, Effect.tap(manyThreadsDatabase, fillManyWords))
}

const all: ItemScope = { scope: new WorkspaceScope({ workspaceId: busy }), sources: new Set(sources) }
const ofUser: ItemScope = {
  scope: new ManagedUserScope({ workspaceId: busy, externalUserId: rich }),
  sources: new Set(sources)
}

/** Of a million items numbered in the order of time: how many have it, and where. */
const searches = {
  "comment (all)": "comment",
  "co (all, by a prefix)": "co",
  "99 (11,111 of the newest)": "99",
  "post 1 (111,112 of the oldest)": "post 1",
  "123 (1,111)": "123",
  "654321 (1)": "654321",
  "absent (none)": "absent"
} as const

const scopes: Record<string, readonly [ItemScope, Partial<ItemQuery>]> = {
  workspace: [all, {}],
  "workspace, unread": [all, { isRead: Option.some(false) }],
  "a user with 600,000 items": [ofUser, {}],
  "one account": [all, { accountId: Option.some(loud) }]
}

const Explained = Schema.Struct({
  "QUERY PLAN": Schema.NonEmptyArray(
    Schema.Struct({
      "Execution Time": Schema.Number,
      Plan: Schema.Struct({ "Shared Hit Blocks": Schema.Number, "Shared Read Blocks": Schema.Number })
    })
  )
})

/** What all statements of a call cost: EXPLAIN of exactly what was sent. */
const costOf = Effect.fnUntraced(function* <A, E, R>(call: Effect.Effect<A, E, R>) {
  const sent: Array<readonly [string, ReadonlyArray<unknown>]> = []
  const result = yield* call.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        sent.push(statement.compile())
        return statement
      })
    )
  )
  const sql = yield* SqlClient.SqlClient
  const plans = yield* Effect.forEach(
    sent.filter(([text]) => !text.startsWith("SET LOCAL")),
    ([text, values]) =>
      Effect.gen(function* () {
        yield* sql`SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`
        const [row] = yield* sql.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values)
        const [plan] = (yield* Schema.decodeUnknownEffect(Explained)(row))["QUERY PLAN"]
        return {
          ms: plan["Execution Time"],
          buffers: plan.Plan["Shared Hit Blocks"] + plan.Plan["Shared Read Blocks"]
        }
      }).pipe(sql.withTransaction)
  )
  return {
    result,
    buffers: plans.reduce((sum, { buffers }) => sum + buffers, 0),
    ms: plans.map(({ ms }) => Math.round(ms))
  }
})

/**
 * Pages of 8 KiB that a page of a search may touch: 1,000 items in order with their words or the words of 5,000, then 5,000
 * that the index finds, or the words of 30,000.
 */
const mostBuffers = 60_000

/** Of threads: the words of all items of 8,500 of them, of which one has 100,000 and 20 have 5,000 each. */
const mostOfThreads = 200_000

const stores = Layer.unwrap(Effect.map(SearchedItems, (target) => PgAdapters.layerTarget(target))).pipe(
  Layer.provideMerge(SearchedItems.layer),
  Layer.provideMerge(layerNetworks)
)

layer(stores, { excludeTestServices: true, timeout: "15 minutes" })(
  "Searching a million items and their threads",
  (it) => {
    for (const [who, [scope, filter]] of Object.entries(scopes)) {
      for (const [name, q] of Object.entries(searches)) {
        it.effect(`reads a bounded part of them: ${who}, ${name}`, () =>
          Effect.gen(function* () {
            const store = yield* InboxStore
            const query = { ...noFilter, ...filter, limit: 50, after: Option.none(), search: parseSearch(q) }
            yield* store.list(scope, query)
            const { buffers, ms, result } = yield* costOf(store.list(scope, query))
            yield* Effect.logInfo(
              `${who}, ${name}: ${result.items.length} items, ${buffers} buffers, ${ms.join(" + ")} ms`
            )
            assert.isBelow(buffers, mostBuffers)
            if (who === "workspace" && q !== "post 1") {
              assert.strictEqual(result.items.length, q === "absent" ? 0 : q === "654321" ? 1 : 50)
            }
          })
        )
      }
    }

    for (const [who, scope] of [
      ["workspace", all],
      ["a user with 600,000 items", ofUser]
    ] as const) {
      for (const [name, q] of Object.entries(searches)) {
        it.effect(`reads a bounded part of their threads: ${who}, ${name}`, () =>
          Effect.gen(function* () {
            const store = yield* ThreadStore
            const query = { ...noThreadFilter, limit: 25, after: Option.none(), search: parseSearch(q) }
            yield* store.list(scope, query)
            const { buffers, ms, result } = yield* costOf(store.list(scope, query))
            yield* Effect.logInfo(
              `threads, ${who}, ${name}: ${result.threads.length} threads, ${buffers} buffers, ${ms.join(" + ")} ms`
            )
            assert.isBelow(buffers, mostOfThreads)
            if (who === "workspace" && q !== "post 1") {
              assert.strictEqual(result.threads.length, q === "absent" ? 0 : q === "654321" ? 1 : 25)
            }
          })
        )
      }
    }
  }
)
