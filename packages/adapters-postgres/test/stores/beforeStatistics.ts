import type { PgAdapters } from "@loopbox/adapters-postgres"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { testDatabase } from "../testDatabase.ts"

/** What reads too much of a database of its own, planned in this way. */
type FindCostly = (target: PgAdapters.Target, plans: string) => Effect.Effect<ReadonlyArray<string>, unknown>

/** A test for each of these and for each way of planning: nothing reads too much before `rows` have statistics. */
export const beforeStatistics = (rows: string, costly: Readonly<Record<string, FindCostly>>): void => {
  for (const plans of ["force_generic_plan", "force_custom_plan"]) {
    describe(`Before the first statistics of ${rows} (${plans})`, () => {
      for (const [name, find] of Object.entries(costly)) {
        it.effect(name, () =>
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* find(yield* testDatabase("alone"), plans), [])
          })
        )
      }
    })
  }
}
