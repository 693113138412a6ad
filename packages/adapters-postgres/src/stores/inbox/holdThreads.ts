import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { namedRows } from "../../rows/oneByOne.ts"

interface Named {
  readonly source: string
  readonly thread_key: string
}

/** Makes what keeps threads of an account as they are until the end of the transaction, in the order of locks. */
export const makeHoldThreads = Effect.map(
  SqlClient,
  (sql) =>
    (
      { accountId, workspaceId }: { readonly workspaceId: WorkspaceId; readonly accountId: SocialAccountId },
      threads: ReadonlyArray<Named>
    ) =>
      sql`SELECT 1 FROM (
        SELECT DISTINCT source COLLATE "C" AS source, thread_key COLLATE "C" AS thread_key FROM ${namedRows(sql, {
          source: threads.map(({ source }) => source),
          thread_key: threads.map(({ thread_key }) => thread_key)
        })} u
        ORDER BY source, thread_key
      ) n CROSS JOIN LATERAL (
        SELECT * FROM threads WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
          AND source = n.source AND thread_key = n.thread_key OFFSET 0
      ) t FOR SHARE OF t`
)
