import { InboxStore, type ItemQuery, noFilter } from "@loopbox/core/inbox/InboxStore"
import { IngestStore } from "@loopbox/core/inbox/IngestStore"
import { decideMove } from "@loopbox/core/items/decideMove"
import { edited, noon, posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { findCostly, oneConnection } from "../rowsRead.ts"
import { testDatabase } from "../../testDatabase.ts"

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => from + n)

const comment = (n: number, thread = `t${n}`) =>
  posted({ externalId: `c${n}`, threadKey: thread, source: "ig_comment", receivedAt: noon })

const tables = ["items", "threads"]
const newest: ItemQuery = { ...noFilter, limit: 50, after: Option.none() }

describe("an account that grows faster than the planner's statistics", () => {
  it.effect("has its items looked up by their keys, by plans that were made when it was empty", () =>
    Effect.gen(function* () {
      // Counted by one server: a distributed database's rows are read on others.
      const target = yield* testDatabase("alone")
      const found = yield* Effect.gen(function* () {
        const [sql, store] = [yield* SqlClient.SqlClient, yield* InboxStore]
        for (const table of tables) yield* sql`ALTER TABLE ${sql(table)} SET (autovacuum_enabled = off)`
        const { id } = yield* makeInboxWorkspace()
        const account = yield* connect(id, {})
        const scope = scopeOf(id)
        // So that what comes two rounds later reopens some.
        const resolveNewest = Effect.gen(function* () {
          const { items } = yield* store.list(scope, { ...newest, limit: 30 })
          yield* Effect.forEach(items, (item) =>
            store.moveThread(
              scope,
              item.id,
              (item, before) => decideMove(item, before, { status: "resolved", assignedTo: undefined }),
              noon
            )
          )
        })
        const keys = numbers(10).map((n) => ({ source: "ig_comment" as const, externalId: `c${n}` }))
        const calls = (from: number) => ({
          "store new ones": ingest(
            account,
            numbers(10, from).map((n) => comment(n))
          ),
          "store what is known": ingest(
            account,
            numbers(10, from).map((n) => comment(n))
          ),
          "change some": ingest(
            account,
            numbers(10, from).map((n) => edited(n + 1, "Changed", { externalId: `c${n}` }))
          ),
          "answer in threads that are known": ingest(
            account,
            numbers(10, from + 10).map((n) => comment(n, `t${n - 10}`))
          ),
          "reopen some": ingest(
            account,
            numbers(10, from + 20).map((n) => comment(n, `t${n - 220}`))
          ),
          "find their threads": Effect.flatMap(IngestStore, (items) => items.findThreadKeys(id, account.id, keys))
        })
        // Often enough that PostgreSQL keeps a plan for all that come after.
        for (const round of numbers(8)) {
          yield* Effect.all(Object.values(calls(round * 100)), { discard: true })
          yield* resolveNewest
        }
        for (const thousand of numbers(6, 1)) {
          yield* ingest(
            account,
            numbers(1_000, thousand * 1_000).map((n) => comment(n))
          )
        }
        return yield* findCostly(tables, calls(900))
      }).pipe(Effect.provide(oneConnection(target, "auto")))
      assert.deepStrictEqual(found, [])
    })
  )
})
