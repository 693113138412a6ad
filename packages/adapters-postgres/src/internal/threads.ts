import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Source } from "@loopbox/core/connectors/Source"
import { type ThreadName, threadOf } from "@loopbox/core/inbox/StoredItem"
import { type ThreadState, ThreadStatus } from "@loopbox/core/inbox/Thread"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { toAssignee, toThread } from "./ItemRow.ts"
import { all } from "./rows.ts"
import { storable } from "./text.ts"

const ThreadRow = Schema.Struct({
  source: Source,
  thread_key: Schema.String,
  thread_status: ThreadStatus,
  assignee: Schema.String
})

interface AccountKey {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

/** A change of one unread counter. */
export interface UnreadChange {
  readonly accountId: SocialAccountId
  readonly source: Source
  readonly delta: number
}

/** A thread of 100,000 items takes longer than a request's statement: each of its items is written. */
export const moveTimeout = Duration.seconds(30)

/** Threads and counters, in transactions of their callers. */
export const makeThreads = Effect.gen(function* () {
  const sql = yield* SqlClient

  /**
   * Locks threads, in their order, and gives their states by `threadOf`; one that has no row gets one, so that there is
   * something to lock before its first item is there.
   */
  const lock = Effect.fnUntraced(function* (
    { accountId, workspaceId }: AccountKey,
    threads: ReadonlyArray<ThreadName>
  ) {
    const named = Array.from(new Map(threads.map((thread) => [threadOf(thread), thread])).values())
    if (named.length === 0) return new Map<string, ThreadState>()
    const rows = yield* all(ThreadRow)(sql`
      INSERT INTO threads AS t (workspace_id, account_id, source, thread_key, status, assignee)
      SELECT ${workspaceId}::text, ${accountId}::text, n.source, n.thread_key, 'open', ''
      FROM unnest(${named.map(({ source }) => source)}::text[],
        ${named.map(({ threadKey }) => storable(threadKey))}::text[]) AS n (source, thread_key)
      ORDER BY n.source COLLATE "C", n.thread_key COLLATE "C"
      ON CONFLICT (workspace_id, account_id, source, thread_key) DO UPDATE SET status = t.status
      RETURNING t.source, t.thread_key, t.status AS thread_status, t.assignee`)
    return new Map(
      rows.map((row): [string, ThreadState] => [
        threadOf({ source: row.source, threadKey: row.thread_key }),
        toThread(row)
      ])
    )
  })

  /** Gives a locked thread, and every item of it, another state. */
  const move = Effect.fnUntraced(function* (
    { accountId, source, threadKey, workspaceId }: AccountKey & ThreadName,
    { assignedTo, status }: ThreadState
  ) {
    const assignee = storable(toAssignee(assignedTo))
    yield* sql`SELECT set_config('statement_timeout', ${`${Duration.toMillis(moveTimeout)}`}, true)`
    yield* sql`UPDATE threads SET status = ${status}, assignee = ${assignee}
      WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND source = ${source}
        AND thread_key = ${storable(threadKey)}`
    yield* sql`
      WITH locked AS MATERIALIZED (
        SELECT external_id FROM items
        WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND source = ${source}
          AND thread_key = ${storable(threadKey)} AND kind = 'live'
        ORDER BY external_id FOR NO KEY UPDATE
      )
      UPDATE items i SET thread_status = ${status}, assignee = ${assignee} FROM locked l
      WHERE i.workspace_id = ${workspaceId} AND i.account_id = ${accountId} AND i.source = ${source}
        AND i.external_id = l.external_id AND i.kind = 'live'`
  })

  /** Adds to counters, in their order. */
  const count = Effect.fnUntraced(function* (workspaceId: WorkspaceId, changes: ReadonlyArray<UnreadChange>) {
    const real = changes.filter(({ delta }) => delta !== 0)
    if (real.length === 0) return
    yield* sql`
      INSERT INTO unread_counters AS c (workspace_id, account_id, source, unread)
      SELECT ${workspaceId}::text, n.account_id, n.source, n.delta
      FROM unnest(${real.map(({ accountId }) => accountId)}::text[], ${real.map(({ source }) => source)}::text[],
        ${real.map(({ delta }) => delta)}::integer[]) AS n (account_id, source, delta)
      ORDER BY n.account_id COLLATE "C", n.source COLLATE "C"
      ON CONFLICT (workspace_id, account_id, source) DO UPDATE SET unread = c.unread + excluded.unread`
  })

  return { lock, move, count }
})
