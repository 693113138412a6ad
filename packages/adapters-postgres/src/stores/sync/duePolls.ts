import type * as DateTime from "effect/DateTime"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Network } from "@loopbox/core/networks/Source"
import type { Among } from "../../connection/allWorkspaces.ts"
import { at } from "../../rows/rows.ts"

export interface DuePolls {
  readonly network: Network
  readonly now: DateTime.Utc
  readonly leaseNow: DateTime.Utc
  /** Which workspaces. */
  readonly among: Among
  readonly within: Among
  readonly limit: Fragment
}

/**
 * Accounts that are to be polled, those that have waited longest first, without a lock.
 *
 * The account is looked up for each row. Of a backlog the planner expects a few rows, so that it would join all of it with
 * all accounts, and sort it, for the few that are wanted; so it walks the index of times and ends.
 */
export const duePolls = (sql: SqlClient, { among, leaseNow, limit, network, now, within }: DuePolls): Fragment => {
  const status = sql`(SELECT a.status FROM social_accounts a
    WHERE a.workspace_id = p.workspace_id AND a.id = p.account_id AND a.erased_at IS NULL ${within("a.workspace_id")})`
  return sql`SELECT p.workspace_id, p.account_id FROM account_polls p
    WHERE p.network = ${network} AND p.wake_at <= ${at(now)} AND (p.lease_until IS NULL OR p.lease_until <= ${at(leaseNow)})
      AND (((p.due_at <= ${at(now)} OR p.hint_due_at <= ${at(now)}) AND ${status} = 'connected')
        OR (${status} IS NOT NULL AND EXISTS (SELECT 1 FROM sync_tasks t
          WHERE t.workspace_id = p.workspace_id AND t.account_id = p.account_id AND t.result IS NULL ${within("t.workspace_id")})))
      ${among("p.workspace_id")}
    ORDER BY p.wake_at, p.workspace_id, p.account_id ${limit}`
}
