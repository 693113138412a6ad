import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import { type ThreadName, threadOf } from "@loopbox/core/items/StoredItem"
import { type InboxThread, threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import { withThreads } from "@loopbox/core/items/threading/withThreads"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Networks } from "@loopbox/core/networks/Networks"
import { namedRows } from "../../rows/oneByOne.ts"
import { all } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import { makeToShownThread, shownThreadColumns, shownThreadJoins, ShownThreadRow } from "../../rows/ThreadRow.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

/**
 * Adds threads to the events of their transaction that tell of them, read as they are after its changes.
 *
 * One that is not kept yet is in none.
 */
export const makeTellThreads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const networks = yield* Networks
  const columns = inWorkspace(sql, shownThreadColumns)
  const joins = inWorkspace(sql, shownThreadJoins)

  const find = (
    { accountId, workspaceId }: { readonly workspaceId: WorkspaceId; readonly accountId: SocialAccountId },
    threads: ReadonlyArray<ThreadName>
  ) =>
    all(ShownThreadRow)(sql`SELECT ${columns(workspaceId)}
      FROM ${namedRows(sql, {
        source: threads.map(({ source }) => source),
        thread_key: threads.map(({ threadKey }) => storable(threadKey))
      })} n
      CROSS JOIN LATERAL (
        SELECT * FROM threads WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
          AND source = n.source AND thread_key = n.thread_key AND is_kept OFFSET 0
      ) t ${joins(workspaceId)}`)

  return Effect.fnUntraced(function* (
    account: { readonly workspaceId: WorkspaceId; readonly accountId: SocialAccountId },
    events: ReadonlyArray<InboxEvent>,
    now: DateTime.Utc
  ) {
    const named = new Map(
      events.flatMap((event) => (event._tag === "ThreadUpdated" ? [[threadOf(event), event] as const] : []))
    )
    if (named.size === 0) return events
    const rows = yield* find(account, Array.from(named.values()))
    const threads = new Map(
      rows.map(makeToShownThread(networks, now)).map((thread): [string, InboxThread] => [thread.id, thread])
    )
    return withThreads(events, (thread) => Option.fromUndefinedOr(threads.get(threadIdOf(thread))))
  })
})
