import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { at } from "../../rows/rows.ts"
import { ownTurn } from "../../connection/accountTurn.ts"

/** A condition of `change`, where the account's row is not locked yet: it waits for its turn. */
export const isOwnTurn = "(SELECT is_own FROM turn)"

/**
 * Changes an account to one that is not connected, and takes it out of the queue of polls; `change` gives rows if it did.
 *
 * Otherwise it would stay due for ever, and every claim would scan it. A sync that waits for the account still gets a
 * result. New credentials put it back (`putSealed`). Its health is judged now.
 *
 * The turn is asked for beside the change, for a distributed database takes no such function as the condition of one.
 */
export const makeEndPolls = Effect.map(
  SqlClient,
  (sql) => (account: { readonly workspaceId: WorkspaceId; readonly id: SocialAccountId }, change: Fragment) =>
    Effect.flatMap(
      DateTime.now,
      (now) => sql`WITH turn AS MATERIALIZED (
          SELECT ${sql.literal(ownTurn("q"))} AS is_own FROM social_accounts q
          WHERE q.workspace_id = ${account.workspaceId} AND q.id = ${account.id}
        ), changed AS (${change}), judged AS (
          UPDATE account_health h SET due_at = least(h.due_at, ${at(now)})
          WHERE h.workspace_id = ${account.workspaceId} AND h.account_id = ${account.id} AND h.due_at IS NOT NULL
            AND EXISTS (SELECT 1 FROM changed)
        )
        UPDATE account_polls p SET due_at = NULL, hint_due_at = NULL, wake_at = CASE WHEN EXISTS (SELECT 1 FROM sync_tasks t
            WHERE t.workspace_id = ${account.workspaceId} AND t.account_id = ${account.id} AND t.result IS NULL)
          THEN p.wake_at END
        WHERE p.workspace_id = ${account.workspaceId} AND p.account_id = ${account.id}
          AND EXISTS (SELECT 1 FROM changed)`
    )
)
