import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { type SocialAccountId, SyncId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { batchWait, limitBatch } from "./erasingBatches.ts"
import { makeStoreCall } from "../connection/storeFailure.ts"
import { all } from "../rows/rows.ts"
import { EventLog } from "../stores/inbox/EventLog.ts"
import { makeCompleteRuns } from "../stores/sync/completeRuns.ts"

const RunIdRow = Schema.Struct({ run_id: SyncId })

/**
 * Makes what takes an account that is hidden out of the runs that wait for it, in a transaction of its own: one that
 * waited for nothing else is completed there, with its event.
 *
 * Its poll goes first, for who begins a run, or ends the poll, holds it: no run waits for the account afterwards.
 */
export const makeEndTasks = Effect.gen(function* () {
  const sql = yield* SqlClient
  const log = yield* EventLog
  const storeCall = yield* makeStoreCall
  const completeRuns = yield* makeCompleteRuns

  return Effect.fnUntraced(
    function* (workspaceId: WorkspaceId, accountId: SocialAccountId) {
      yield* log.transaction(
        workspaceId,
        Effect.fnUntraced(function* (append) {
          yield* limitBatch(sql)
          const own = sql`workspace_id = ${workspaceId} AND account_id = ${accountId}`
          const polls = yield* sql`DELETE FROM account_polls WHERE ${own} AND EXISTS (SELECT 1 FROM social_accounts a
            WHERE a.workspace_id = ${workspaceId} AND a.id = ${accountId} AND a.erased_at IS NOT NULL) RETURNING 1`
          if (polls.length === 0) return
          const ended = yield* all(RunIdRow)(
            sql`DELETE FROM sync_tasks WHERE ${own} AND result IS NULL RETURNING run_id`
          )
          if (ended.length === 0) return
          const ids = ended.map(({ run_id }) => run_id)
          yield* completeRuns(workspaceId, ids, yield* DateTime.now, append)
        })
      )
    },
    storeCall("accounts.purge", "unknown", batchWait)
  )
})
