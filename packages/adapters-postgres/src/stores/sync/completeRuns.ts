import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { SyncId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { decideRunEnd } from "@loopbox/core/sync/decideRun"
import { makeHoldOwner } from "../access/holdOwner.ts"
import type { Append } from "../inbox/EventLog.ts"
import { all, at, optional } from "../../rows/rows.ts"

const OwnerRow = Schema.Struct({ external_user_id: Schema.String })
const CompletedRow = Schema.Struct({
  id: SyncId,
  external_user_id: optional(Schema.String),
  new_items: Schema.Int,
  is_erased: Schema.Boolean
})

/**
 * Makes what completes those of some runs that wait for no account any more, in a transaction of the caller. The end of a
 * run whose user is erased is told to nobody, also where somebody else has the name by now.
 */
export const makeCompleteRuns = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { holdUsers } = yield* makeHoldOwner

  /** The users of runs who are there: held before the runs, as an erasure locks them. */
  const holdOwners = Effect.fnUntraced(function* (workspaceId: WorkspaceId, ids: ReadonlyArray<SyncId>) {
    const rows = yield* all(OwnerRow)(sql`SELECT DISTINCT external_user_id FROM sync_runs
      WHERE workspace_id = ${workspaceId} AND id = ANY(${ids}::text[]) AND external_user_id IS NOT NULL`)
    return yield* holdUsers(
      workspaceId,
      rows.map((row) => row.external_user_id)
    )
  })

  return Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    ids: ReadonlyArray<SyncId>,
    moment: DateTime.Utc,
    append: Append
  ) {
    const owners = yield* holdOwners(workspaceId, ids)
    // Locks the runs: of two accounts that end at once, the later one must see that the other has ended.
    yield* sql`SELECT 1 FROM sync_runs WHERE workspace_id = ${workspaceId} AND id = ANY(${ids}::text[])
      ORDER BY id FOR NO KEY UPDATE`
    const done = yield* all(CompletedRow)(sql`
      UPDATE sync_runs r SET completed_at = ${at(moment)}
      WHERE r.workspace_id = ${workspaceId} AND r.id = ANY(${ids}::text[]) AND r.completed_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM sync_tasks t
          WHERE t.workspace_id = ${workspaceId} AND t.run_id = r.id AND t.result IS NULL)
      RETURNING r.id, r.external_user_id, (SELECT coalesce(sum((t.result ->> 'newItems')::int), 0)::int
        FROM sync_tasks t WHERE t.workspace_id = ${workspaceId} AND t.run_id = r.id) AS new_items,
        EXISTS (SELECT 1 FROM erasures e WHERE e.workspace_id = ${workspaceId} AND e.kind = 'managed_user'
          AND e.external_user_id = r.external_user_id AND e.asked_at >= r.created_at) AS is_erased`)
    const told = done.filter(
      (row) =>
        !row.is_erased && Option.match(row.external_user_id, { onNone: () => true, onSome: (user) => owners.has(user) })
    )
    yield* append(
      told.flatMap((row) => decideRunEnd({ id: row.id, externalUserId: row.external_user_id }, row.new_items)),
      moment
    )
  })
})
