import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { at, first, UpsertedRow } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"

/** Creates managed users, by themselves or with an account. */
export const makeManagedUserRows = Effect.gen(function* () {
  const sql = yield* SqlClient
  const audit = yield* makeAppendAudit
  return {
    /**
     * Makes a user exist. The share of the workspace's row keeps an erasure waiting, and so does the user's own row, which
     * is written also when it is known: an account that it is given in this transaction is not left behind.
     */
    put: Effect.fnUntraced(function* (workspaceId: WorkspaceId, externalUserId: string, moment: DateTime.Utc) {
      const row = yield* first(UpsertedRow)(sql`
      INSERT INTO managed_users AS u (workspace_id, external_user_id, created_at)
      SELECT id, ${storable(externalUserId)}::text, ${at(moment)}::timestamptz FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE
      ON CONFLICT (workspace_id, external_user_id) DO UPDATE SET created_at = u.created_at
      RETURNING xmax = 0 AS is_new`)
      if (Option.isNone(row)) return "absent" as const
      if (!row.value.is_new) return "known" as const
      yield* audit(workspaceId, { action: "managed_user.created", targetId: externalUserId })
      return "created" as const
    })
  }
})
