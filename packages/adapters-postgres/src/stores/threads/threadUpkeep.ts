import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { threadUpdated } from "@loopbox/core/items/decideMove"
import { threadOf } from "@loopbox/core/items/StoredItem"
import { threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Source } from "@loopbox/core/networks/Source"
import { all, at, claimLimit } from "../../rows/rows.ts"
import { byWorkspace, makeOverAll } from "../../connection/allWorkspaces.ts"
import { findSqlError, isUnavailable } from "../../connection/storeFailure.ts"
import { sharedTurn } from "../../connection/accountTurn.ts"
import { countJoin, newestJoins } from "../../rows/ThreadRow.ts"
import { EventLog } from "../inbox/EventLog.ts"
import { makeTellThreads } from "../inbox/tellThreads.ts"
import { makeThreads } from "../inbox/threads.ts"

const KeyRow = Schema.Struct({
  workspace_id: WorkspaceId,
  account_id: SocialAccountId,
  source: Source,
  thread_key: Schema.String
})
type KeyRow = typeof KeyRow.Type

const LeftRow = Schema.Struct({ workspace_id: WorkspaceId })

const putOffFor = Duration.minutes(1)

/** Somebody holds what the statement waited for, or it took too long: so it may be again. */
const isTimeout = (error: SqlError): boolean =>
  error.reason._tag === "LockTimeoutError" || error.reason._tag === "StatementTimeoutError"

const keys = "t.workspace_id, t.account_id, t.source, t.thread_key"

const byAccount = (rows: ReadonlyArray<KeyRow>): ReadonlyArray<readonly [KeyRow, ReadonlyArray<KeyRow>]> => {
  const accounts = new Map<string, [KeyRow, Array<KeyRow>]>()
  for (const row of rows) {
    const found = accounts.get(row.account_id)
    if (found === undefined) accounts.set(row.account_id, [row, [row]])
    else found[1].push(row)
  }
  return Array.from(accounts.values())
}

/** What the worker does with threads: it ends snoozes, and counts what versions before this one wrote. */
export const makeThreadUpkeep = Effect.gen(function* () {
  const sql = yield* SqlClient
  const few = yield* claimLimit
  const overAll = yield* makeOverAll
  const log = yield* EventLog
  const threads = yield* makeThreads
  const tell = yield* makeTellThreads

  /** An account that is erased loses its threads just now. */
  const hold = (workspaceId: WorkspaceId, accountId: SocialAccountId) => sql`SELECT 1 FROM social_accounts
    WHERE workspace_id = ${workspaceId} AND id = ${accountId} AND erased_at IS NULL
      AND ${sql.literal(sharedTurn("social_accounts"))} FOR SHARE`

  /** Under the threads' locks: another process may have ended some, or a caller snoozed one anew. */
  const wakeAccount = (of: KeyRow, rows: ReadonlyArray<KeyRow>, now: DateTime.Utc) => {
    const key = { workspaceId: of.workspace_id, accountId: of.account_id }
    return log.transaction(
      key.workspaceId,
      Effect.fnUntraced(function* (append) {
        if ((yield* hold(key.workspaceId, key.accountId)).length === 0) return 0
        const named = rows.map(({ source, thread_key: threadKey }) => ({ source, threadKey }))
        const { states } = yield* threads.lock(key, named)
        const woken = named.flatMap((thread) => {
          const state = states.get(threadOf(thread))
          if (state === undefined || !Option.exists(state.snoozedUntil, (until) => at(until) <= at(now))) return []
          return [{ ...thread, state: { ...state, snoozedUntil: Option.none() } }]
        })
        yield* threads.move(key, woken)
        const events = woken.map(({ state, ...thread }) =>
          threadUpdated({ ...thread, accountId: key.accountId }, state)
        )
        yield* append(yield* tell(key, events, now), now)
        return woken.length
      })
    )
  }

  /** Accounts of which a thread could not be woken, and until when they are left alone: they would stand before all others. */
  const putOff = new Map<SocialAccountId, DateTime.Utc>()

  /** A thread with an item of a newer version, or an account that is held for long, keeps nobody else's asleep. */
  const wakeApart = (of: KeyRow, rows: ReadonlyArray<KeyRow>, now: DateTime.Utc) =>
    Effect.catchCause(wakeAccount(of, rows, now), (cause) => {
      const error = findSqlError(cause)
      const isAway = error !== undefined && isUnavailable(error)
      if (Cause.hasInterrupts(cause) || (isAway && !isTimeout(error))) return Effect.failCause(cause)
      putOff.set(of.account_id, DateTime.addDuration(now, putOffFor))
      // Not one after the other of a database that answers nothing in time: the next look begins with the others.
      if (isAway) return Effect.failCause(cause)
      return Effect.logError("snoozes of an account could not be ended; they are tried again in a minute", cause).pipe(
        Effect.annotateLogs({ account_id: of.account_id }),
        Effect.as(0)
      )
    })

  const wakeDue = Effect.fnUntraced(function* (now: DateTime.Utc, limit: number) {
    for (const [id, until] of putOff) if (!DateTime.isGreaterThan(until, now)) putOff.delete(id)
    const others = putOff.size === 0 ? sql`` : sql`AND t.account_id <> ALL(${Array.from(putOff.keys())}::text[])`
    // Those of an account that is hidden stay due until they are removed: before all others, if they are many. Not a join, which
    // would read all threads of an account where few are thought to be due.
    const due = yield* overAll("threads.snoozed", (among, within) =>
      all(KeyRow)(sql`SELECT ${sql.literal(keys)} FROM threads t
        WHERE t.snoozed_until <= ${at(now)} ${others} ${among("t.workspace_id")} AND (SELECT a.erased_at IS NULL FROM social_accounts a
          WHERE a.workspace_id = t.workspace_id AND a.id = t.account_id ${within("a.workspace_id")})
        ORDER BY t.snoozed_until ${few(limit)}`)
    )
    const woken = yield* Effect.forEach(byAccount(due), ([of, rows]) => wakeApart(of, rows, now))
    return woken.reduce((sum, count) => sum + count, 0)
  })

  /** Locks some that were never counted. What another process has locked is left to it. */
  const lockUncounted = (workspaceId: WorkspaceId, limit: number) => sql`SELECT ${sql.literal(keys)} FROM threads t
    WHERE t.workspace_id = ${workspaceId} AND NOT t.is_kept ${few(limit)} FOR NO KEY UPDATE OF t SKIP LOCKED`

  /**
   * Takes some notes of an older version's writes, and locks their threads. Whatever was noted is committed, so that who
   * counts afterwards, under the lock, sees it.
   */
  const lockNoted = (workspaceId: WorkspaceId, limit: number) => sql`
    WITH noted AS MATERIALIZED (
      SELECT n.account_id, n.id, n.source, n.thread_key FROM thread_recounts n
      WHERE n.workspace_id = ${workspaceId} ${few(limit)} FOR UPDATE SKIP LOCKED
    ), taken AS (
      DELETE FROM thread_recounts r USING noted n
      WHERE r.workspace_id = ${workspaceId} AND r.account_id = n.account_id AND r.id = n.id
    )
    SELECT ${sql.literal(keys)} FROM (SELECT DISTINCT account_id, source, thread_key FROM noted) n
    JOIN threads t ON t.workspace_id = ${workspaceId} AND t.account_id = n.account_id AND t.source = n.source
      AND t.thread_key = n.thread_key
    ORDER BY t.account_id, t.source, t.thread_key FOR NO KEY UPDATE OF t`

  /** Counts locked threads from their items. */
  const count = (workspaceId: WorkspaceId, rows: ReadonlyArray<KeyRow>) => sql`
    INSERT INTO threads AS t (workspace_id, account_id, source, thread_key, status, assignee, id, is_kept, item_count,
      unread_count, created_at, last_item_at, last_item_id, last_inbound_at, participants)
    SELECT n.workspace_id, n.account_id, n.source, n.thread_key, 'open', '', n.id, true, c.items, c.unread, c.created_at,
      l.received_at, l.id, o.received_at, p.participants
    FROM (
      SELECT ${workspaceId}::text COLLATE "C" AS workspace_id, u.* FROM unnest(
        ${rows.map((row) => row.account_id)}::text[], ${rows.map((row) => row.source)}::text[],
        ${rows.map((row) => row.thread_key)}::text[],
        ${rows.map((row) => threadIdOf({ accountId: row.account_id, source: row.source, threadKey: row.thread_key }))}::text[]
      ) AS u (account_id, source, thread_key, id)
    ) n
    ${sql.literal(`${countJoin} ${newestJoins}`)}
    ON CONFLICT (workspace_id, account_id, source, thread_key) DO UPDATE SET id = excluded.id, is_kept = true,
      item_count = excluded.item_count, unread_count = excluded.unread_count,
      created_at = least(t.created_at, excluded.created_at), last_item_at = excluded.last_item_at,
      last_item_id = excluded.last_item_id, last_inbound_at = excluded.last_inbound_at,
      participants = excluded.participants`

  /** Counts what a statement locks, of each workspace that has any left. */
  const countLocked = Effect.fnUntraced(function* (
    left: ReadonlyArray<typeof LeftRow.Type>,
    lock: (workspaceId: WorkspaceId, limit: number) => ReturnType<typeof lockNoted>
  ) {
    let counted = 0
    for (const [workspaceId, some] of byWorkspace(left)) {
      counted += yield* Effect.gen(function* () {
        const rows = yield* all(KeyRow)(lock(workspaceId, some.length))
        if (rows.length > 0) yield* count(workspaceId, rows)
        return rows.length
      }).pipe(sql.withTransaction)
    }
    return counted
  })

  const countLeft = Effect.fnUntraced(function* (limit: number) {
    // In the order of an index that has none but these: before the first statistics half of all threads are thought to be.
    const uncounted = yield* overAll("threads.uncounted", (among) =>
      all(LeftRow)(sql`SELECT workspace_id FROM threads WHERE NOT is_kept ${among("workspace_id")}
        ORDER BY workspace_id, account_id, source, thread_key ${few(limit)}`)
    )
    const noted = yield* overAll("threads.noted", (among) =>
      all(LeftRow)(sql`SELECT workspace_id FROM thread_recounts WHERE true ${among("workspace_id")} ${few(limit)}`)
    )
    return (yield* countLocked(uncounted, lockUncounted)) + (yield* countLocked(noted, lockNoted))
  })

  return { wakeDue, countLeft }
})
