import { ThreadStore } from "@loopbox/core/threads/ThreadStore"
import { noon, posted } from "@loopbox/testing/fixtures/activities"
import { connect, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { findCostly, oneConnection } from "../rowsRead.ts"
import { testDatabase } from "../../testDatabase.ts"

const after = (minutes: number) => DateTime.add(noon, { minutes })

describe("Snoozes beside an erasure", () => {
  it.effect.each(["force_generic_plan", "force_custom_plan"])(
    "of others come back while an account that has many waits to be removed, by the index (%s)",
    (plans) =>
      Effect.gen(function* () {
        // Counted by one server: a distributed database's rows are read on others.
        const target = yield* testDatabase("alone")
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const store = yield* ThreadStore
          const [large, other] = [yield* makeInboxWorkspace(), yield* makeInboxWorkspace()]
          const hidden = yield* connect(large.id, { networkAccountId: "large" })
          const shown = yield* connect(other.id, { networkAccountId: "other" })
          yield* ingest(
            hidden,
            Array.from({ length: 100 }, (_, n) => posted({ externalId: `c${n}`, account: "large" }))
          )
          yield* ingest(shown, [posted({ externalId: "c", account: "other" })])
          const snooze = (id: string, until: DateTime.Utc) =>
            sql`UPDATE threads SET snoozed_until = ${DateTime.toDateUtc(until)} WHERE workspace_id = ${id}`
          yield* snooze(large.id, after(1))
          yield* snooze(other.id, after(2))
          // Neither snoozed nor looked at.
          yield* sql`INSERT INTO threads (workspace_id, account_id, source, thread_key, status, assignee, id, is_kept)
            SELECT ${other.id}::text, ${shown.id}::text, 'ig_comment', 't' || n, 'open', '', 't' || n, true
            FROM generate_series(1, 5000) n`
          yield* sql`ANALYZE`
          const at = DateTime.toDateUtc(noon)
          yield* sql`UPDATE social_accounts SET status = 'disconnected', disconnected_at = ${at}, erased_at = ${at}
            WHERE workspace_id = ${large.id}`
          const costly = yield* findCostly(["threads"], { wake: store.wakeDue(after(3), 100) })
          assert.deepStrictEqual(costly, [])
          const left = yield* sql`SELECT workspace_id FROM threads WHERE snoozed_until IS NOT NULL
            GROUP BY workspace_id`
          assert.deepStrictEqual(left, [{ workspace_id: large.id }])
        }).pipe(Effect.provide(oneConnection(target, plans)))
      }).pipe(Effect.scoped)
  )
})
