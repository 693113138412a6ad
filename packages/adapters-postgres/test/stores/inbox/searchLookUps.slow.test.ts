import { PgAdapters } from "@loopbox/adapters-postgres"
import { WorkspaceScope } from "@loopbox/core/access/InboxScope"
import { InboxStore, noFilter } from "@loopbox/core/inbox/InboxStore"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { parseSearch } from "@loopbox/core/search/SearchQuery"
import { sources } from "@loopbox/testing/fixtures/networks"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { findCostly, oneConnection } from "../rowsRead.ts"
import { testDatabase } from "../../testDatabase.ts"

const idOf = (prefix: string, n: string) => `'${prefix}_0' || lpad((${n})::text, 25, '0')`
const asked = WorkspaceId.make(`ws_0${"1".padStart(25, "0")}`)

/** 200 workspaces of one account with 100 items each: of every account the planner expects one item, if any. */
const fill = [
  `INSERT INTO social_accounts (workspace_id, id, network, network_account_id, name, status, permissions, created_at)
    SELECT ${idOf("ws", "n")}, ${idOf("acc", "n")}, 'instagram', 'n' || n, '', 'connected', '[]', '2026-01-01Z'
    FROM generate_series(1, 200) n`,
  `INSERT INTO items (workspace_id, account_id, source, external_id, kind, id, thread_key, thread_status, assignee, is_read,
      is_own, is_hidden, received_at, created_at, body, attachments, detail, rev, worded)
    SELECT a.workspace_id, a.id, 'ig_comment', 'e' || n, 'live', 'itm_0' || lpad(right(a.id, 5) || lpad(n::text, 3, '0'), 25, '0'), 't' || n, 'open', '',
      false, false, false, timestamptz '2026-06-01Z' + make_interval(secs => n), '2026-06-01Z', 'shoes', '[]',
      '{"bodyVersion": 0, "postedVersion": 0, "hiding": null, "replyTargetId": "", "summons": null, "operationTag": null,
        "isStandby": false}', 0, 1
    FROM social_accounts a, generate_series(1, 100) n`,
  `INSERT INTO item_words (workspace_id, account_id, source, external_id, thread_key, id, received_at, words)
    SELECT workspace_id, account_id, source, external_id, thread_key, id, received_at,
      array_to_tsvector(ARRAY[right(workspace_id, 8) || ':shoes'])
    FROM items`,
  "VACUUM ANALYZE"
]

describe("Among many workspaces", () => {
  for (const plans of ["force_generic_plan", "force_custom_plan"]) {
    it.effect(
      `a search reads what it has found, and not all of an account for each (${plans})`,
      () =>
        Effect.gen(function* () {
          // Counted by one server: a distributed database's rows are read on others.
          const target = yield* testDatabase("alone")
          yield* PgAdapters.withLongRunningClient(
            target,
            {},
            SqlClient.SqlClient.use((sql) => Effect.forEach(fill, (text) => sql.unsafe(text), { discard: true }))
          )
          const found = yield* Effect.gen(function* () {
            const store = yield* InboxStore
            const scope = { scope: new WorkspaceScope({ workspaceId: asked }), sources: new Set(sources) }
            const query = { ...noFilter, limit: 50, after: Option.none() }
            const search = (q: string, count: number) =>
              Effect.map(store.list(scope, { ...query, search: parseSearch(q) }), ({ items }) =>
                assert.strictEqual(items.length, count)
              )
            return yield* findCostly(["items"], { "a common word": search("shoes", 50) })
          }).pipe(Effect.provide(oneConnection(target, plans)))
          assert.deepStrictEqual(found, [])
        }),
      60_000
    )
  }
})
