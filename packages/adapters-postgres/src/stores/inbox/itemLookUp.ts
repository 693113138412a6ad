import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * A query for one item of an account, to be joined LATERAL: `source` and `externalId` are columns of what stands before.
 *
 * OFFSET 0 keeps it a query of its own, so that each item is looked up by its key. Joined plainly, the planner may take
 * the account's items for few, read all of them and join afterwards: 10 ms instead of 0.1 ms in an account of 11,000.
 */
export const itemOf = (
  sql: SqlClient,
  { accountId, workspaceId }: { readonly workspaceId: WorkspaceId; readonly accountId: SocialAccountId },
  source: string,
  externalId: string
) => sql`SELECT * FROM items WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
  AND source = ${sql.literal(source)} AND external_id = ${sql.literal(externalId)} OFFSET 0`
