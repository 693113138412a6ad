import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all } from "../../rows/rows.ts"
import { byStoredId, storable } from "../../rows/text.ts"

const UserRow = Schema.Struct({ external_user_id: Schema.String })

/**
 * Makes what shares an owner's row until the end of the caller's transaction: an erasure waits, and then finds what was
 * stored; or it was before. First of all locks but the workspace's, as an erasure has it.
 */
export const makeHoldOwner = Effect.gen(function* () {
  const sql = yield* SqlClient

  /** Whether the managed user is there, or without one the workspace. */
  const holdOwner = (workspaceId: WorkspaceId, externalUserId: Option.Option<string>) =>
    Effect.map(
      Option.match(externalUserId, {
        onNone: () => sql`SELECT 1 FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE`,
        onSome: (user) => sql`SELECT 1 FROM managed_users
          WHERE workspace_id = ${workspaceId} AND external_user_id = ${storable(user)} FOR KEY SHARE`
      }),
      (rows) => rows.length > 0
    )

  /** Of managed users those that are there. */
  const holdUsers = (workspaceId: WorkspaceId, users: ReadonlyArray<string>) =>
    Effect.map(
      users.length === 0
        ? Effect.succeed([])
        : all(UserRow)(sql`SELECT external_user_id FROM managed_users
            WHERE workspace_id = ${workspaceId} AND external_user_id = ANY(${users.map(storable)}::text[])
            ORDER BY external_user_id FOR KEY SHARE`),
      (rows): ReadonlySet<string> =>
        new Set(
          byStoredId(
            users,
            rows,
            (row) => row.external_user_id,
            () => true
          ).keys()
        )
    )

  return { holdOwner, holdUsers }
})
