import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { examineStatistics } from "../../src/operations/statistics.ts"
import { layerStores } from "../testDatabase.ts"

layer(layerStores({}, "alone"), { excludeTestServices: true })("Large tables without statistics", (it) => {
  it.effect("are found by their names, and counted if asked; small ones are not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const table of ["author_profiles", "workspaces"]) {
        yield* sql`ALTER TABLE ${sql(table)} SET (autovacuum_enabled = false)`
      }
      yield* sql`INSERT INTO workspaces (id, name, plan, created_at)
        SELECT 'ws_' || n, 'name', 'growth', now() FROM generate_series(1, 10) n`
      yield* sql`INSERT INTO author_profiles (workspace_id, account_id, person_id, source, attempts)
        SELECT 'ws_1', 'acc_' || repeat('0', 60), lpad(n::text, 60, '0'), 'ig_comment', 0 FROM generate_series(1, 60000) n`
      assert.deepStrictEqual(yield* examineStatistics({ mend: false }), ["author_profiles"])
      assert.deepStrictEqual(yield* examineStatistics({ mend: true }), ["author_profiles"])
      assert.deepStrictEqual(yield* examineStatistics({ mend: false }), [])
    })
  )
})
