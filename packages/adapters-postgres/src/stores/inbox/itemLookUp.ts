import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { SqlClient } from "effect/sql/SqlClient"
import { isNamedByKey, namedRows } from "../../rows/oneByOne.ts"

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

/** A query for the thread of items `i` of one account, to be joined LATERAL: as `itemOf`. */
export const threadOfItem = (sql: SqlClient, workspaceId: WorkspaceId) => sql`SELECT * FROM threads
  WHERE workspace_id = ${workspaceId} AND account_id = i.account_id AND source = i.source
    AND thread_key = i.thread_key OFFSET 0`

/** Whether words `w` are of the item that `n` names. */
export const areWordsOf = isNamedByKey("w", "n", ["account_id", "source", "external_id"])

/** Items `i` of an account that are named, in the order of locks. */
export const itemsNamed = (
  sql: SqlClient,
  key: { readonly workspaceId: WorkspaceId; readonly accountId: SocialAccountId },
  items: ReadonlyArray<{ readonly source: string; readonly external_id: string }>
) => sql`(
    SELECT * FROM ${namedRows(sql, {
      source: items.map(({ source }) => source),
      external_id: items.map(({ external_id }) => external_id)
    })} u
    ORDER BY source COLLATE "C", external_id COLLATE "C"
  ) n CROSS JOIN LATERAL (${itemOf(sql, key, "n.source", "n.external_id")}) i`

/**
 * A query for the item of a search's hit `h`, to be joined LATERAL.
 *
 * What else is asked of the item stays outside. With `kind = 'live'` inside, the indexes of lists can serve it too, and
 * where there are many workspaces the planner takes an account's items for one, whichever index leads to them: it then
 * read all of an account for each hit.
 */
export const itemOfHit = (sql: SqlClient, workspaceId: WorkspaceId) => sql`SELECT * FROM items
  WHERE workspace_id = ${workspaceId} AND account_id = h.account_id AND source = h.source
    AND external_id = h.external_id OFFSET 0`
