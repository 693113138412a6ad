import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { storable } from "../../rows/text.ts"

/**
 * A scope as a condition on `social_accounts a`: the accounts that it owns now, none of them disconnected.
 *
 * Part of each statement that reads or changes items, so that a moved account is out of scope at once.
 */
export const makeScope = Effect.map(SqlClient, (sql) => ({
  accounts: ({ scope }: ItemScope): Fragment =>
    scope._tag === "WorkspaceScope"
      ? sql`a.workspace_id = ${scope.workspaceId} AND a.status <> 'disconnected'`
      : sql`a.workspace_id = ${scope.workspaceId} AND a.status <> 'disconnected'
          AND a.external_user_id = ${storable(scope.externalUserId)}`
}))
