import { InboxEvents } from "@loopbox/core/feed/InboxEvents"
import { noon } from "@loopbox/testing/fixtures/activities"
import { connect, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { findCostly, oneConnection } from "../stores/rowsRead.ts"
import { testDatabase } from "../testDatabase.ts"
import { fillAccount } from "./largeAccounts.ts"

const before = DateTime.add(noon, { hours: 1 })

describe("Sweeping old events", () => {
  it.effect("reads each of them about once, however many there are (M5)", () =>
    Effect.gen(function* () {
      // Counted by one server: a distributed database's rows are read on others.
      const target = yield* testDatabase("alone")
      const found = yield* Effect.gen(function* () {
        const events = yield* InboxEvents
        const { id } = yield* makeInboxWorkspace()
        yield* fillAccount(yield* connect(id, {}), 7_500)
        return yield* findCostly(["events"], {
          first: events.removeOlder(before, 500),
          second: events.removeOlder(before, 500)
        })
      }).pipe(Effect.provide(oneConnection(target, "force_generic_plan")))
      assert.deepStrictEqual(found, [])
    }).pipe(Effect.scoped)
  )

  it.effect("passes over a workspace whose oldest stand behind a young one (M5)", () =>
    Effect.gen(function* () {
      const target = yield* testDatabase()
      yield* Effect.gen(function* () {
        const [events, sql] = [yield* InboxEvents, yield* SqlClient.SqlClient]
        const [blocked, free] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
        yield* fillAccount(yield* connect(blocked.id, {}), 3)
        yield* fillAccount(yield* connect(free.id, { at: DateTime.add(noon, { minutes: 1 }) }), 3)
        // The clock of who wrote the first of them ran ahead.
        yield* sql`UPDATE events SET at = ${DateTime.toDateUtc(before)} WHERE workspace_id = ${blocked.id} AND seq = 1`
        assert.strictEqual(yield* events.removeOlder(before, 100), 3)
        assert.deepStrictEqual(yield* events.range(free.id), { last: 3, removed: 3 })
        assert.deepStrictEqual(yield* events.range(blocked.id), { last: 3, removed: 0 })
      }).pipe(Effect.provide(oneConnection(target, "auto")))
    }).pipe(Effect.scoped)
  )
})
