import { PollStore } from "@loopbox/core/sync/PollStore"
import { noon } from "@loopbox/testing/fixtures/activities"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { LooksBehind } from "../../../src/rows/fairTurns.ts"
import { findCostly, oneConnection } from "../rowsRead.ts"
import { testDatabase } from "../../testDatabase.ts"

const later = DateTime.add(noon, { hours: 2 })

const idOf = (prefix: string, n: string) => `'${prefix}_0' || lpad((${n})::text, 25, '0')`

/** 300 workspaces of 100 accounts each, all due: of each account the planner expects less than a row. */
const fill = [
  `INSERT INTO social_accounts (workspace_id, id, network, network_account_id, name, status, permissions, created_at)
    SELECT ${idOf("ws", "w")}, ${idOf("acc", "w * 100 + n")}, 'instagram', 'n' || n, '', 'connected', '[]', '2026-01-01Z'
    FROM generate_series(1, 300) w, generate_series(0, 99) n`,
  `INSERT INTO account_polls (workspace_id, account_id, network, due_at, wake_at)
    SELECT workspace_id, id, network, created_at, created_at FROM social_accounts`,
  "ANALYZE social_accounts",
  "ANALYZE account_polls",
  "ANALYZE sync_tasks"
]

describe("Many accounts that are due", () => {
  for (const plans of ["force_generic_plan", "force_custom_plan"]) {
    it.effect(`are claimed from their beginning, and not all looked at (${plans})`, () =>
      Effect.gen(function* () {
        // Counted by one server: a distributed database's rows are read on others.
        const target = yield* testDatabase("alone")
        const found = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const polls = yield* PollStore
          yield* Effect.forEach(fill, (text) => sql.unsafe(text), { discard: true })
          const due = {
            limit: 8,
            leaseNow: later,
            leaseUntil: DateTime.add(later, { minutes: 1 }),
            now: later,
            network: "instagram",
            isAutomatic: true
          } as const
          // The one look behind the backlog, for the turns of workspaces, is made here.
          assert.strictEqual((yield* polls.claim({ ...due, token: "t" })).length, 8)
          return yield* findCostly(["account_polls", "social_accounts"], { next: polls.claim({ ...due, token: "u" }) })
        }).pipe(Effect.provide(oneConnection(target, plans)), Effect.provideService(LooksBehind, 0.000_001))
        assert.deepStrictEqual(found, [])
      })
    )
  }
})
