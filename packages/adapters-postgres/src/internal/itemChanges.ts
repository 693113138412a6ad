import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Source } from "@loopbox/core/connectors/Source"
import type { AssigneeNotAllowed } from "@loopbox/core/inbox/InboxErrors"
import type { InboxItem } from "@loopbox/core/inbox/InboxItem"
import type { ItemScope, MarkBatch } from "@loopbox/core/inbox/InboxStore"
import { isSameThread, type ThreadState } from "@loopbox/core/inbox/Thread"
import { unreadDelta } from "@loopbox/core/inbox/unreadDelta"
import { threadOf } from "@loopbox/core/inbox/StoredItem"
import { type InboxItemId, SocialAccountId } from "@loopbox/core/kernel/Ids"
import { type Append, EventLog } from "./EventLog.ts"
import { accountColumnsOf, isThreadOf, ShownRow, shownWithThread, toShown } from "./ItemRow.ts"
import { first, one } from "./rows.ts"
import { makeScope } from "./scope.ts"
import { makeWorkspaceLock } from "./submitLock.ts"
import { makeThreads } from "./threads.ts"

const MarkedRow = Schema.Struct({
  due: Schema.Int,
  marked: Schema.Array(
    Schema.Struct({ account_id: SocialAccountId, source: Source, items: Schema.Int, counted: Schema.Int })
  )
})

/** Looks for more, in one batch, when others were faster: then fewer were marked than are left. */
const looksAtMost = 20

/** Reading one item, and the changes that readers make, in transactions of their callers. */
export const makeItemChanges = Effect.gen(function* () {
  const sql = yield* SqlClient
  const within = yield* makeScope
  const threads = yield* makeThreads
  const log = yield* EventLog
  const marking = yield* makeWorkspaceLock("mark", 2)

  const inScope = (scope: ItemScope, id: InboxItemId) => sql`
    FROM items i JOIN threads t ON ${sql.literal(isThreadOf("i"))}
    JOIN social_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
    WHERE i.workspace_id = ${scope.scope.workspaceId} AND i.id = ${id} AND i.kind = 'live'
      AND i.source = ANY(${Array.from(scope.sources)}::text[]) AND ${within.accounts(scope)}`

  const columns = sql.literal(`${shownWithThread("i")}, ${accountColumnsOf("a")}`)

  const find = Effect.fnUntraced(function* (scope: ItemScope, id: InboxItemId) {
    return Option.map(yield* first(ShownRow)(sql`SELECT ${columns} ${inScope(scope, id)}`), toShown)
  })

  const markRead = Effect.fnUntraced(function* (
    scope: ItemScope,
    id: InboxItemId,
    moment: DateTime.Utc,
    append: Append
  ) {
    // The thread stays as it is told in the event until that has its number.
    const row = yield* first(ShownRow)(sql`SELECT ${columns} ${inScope(scope, id)}
      FOR SHARE OF t FOR NO KEY UPDATE OF i`)
    if (Option.isNone(row)) return false
    const before = toShown(row.value)
    if (before.isRead) return true
    const { accountId, externalId, source, workspaceId } = before
    const after: InboxItem = { ...before, isRead: true }
    yield* sql`UPDATE items SET is_read = true WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
      AND source = ${source} AND external_id = ${externalId}`
    yield* threads.count(workspaceId, [{ accountId, source, delta: unreadDelta(before, after) }])
    yield* append([{ _tag: "ItemUpdated", accountId, source, item: after }], moment)
    return true
  })

  const moveThread = Effect.fnUntraced(function* (
    scope: ItemScope,
    id: InboxItemId,
    move: (thread: ThreadState) => Result.Result<ThreadState, AssigneeNotAllowed>,
    moment: DateTime.Utc,
    append: Append
  ) {
    const named = yield* find(scope, id)
    if (Option.isNone(named)) return named
    const { accountId, source, threadKey, workspaceId } = named.value
    const thread = { workspaceId, accountId, source, threadKey }
    const { states } = yield* threads.lock(thread, [thread])
    // Once more, for it may have been deleted or moved while the thread was waited for.
    const item = yield* find(scope, id)
    const before = states.get(threadOf(thread))
    if (Option.isNone(item) || before === undefined) return Option.none()
    const after = yield* Effect.fromResult(move(before))
    if (isSameThread(before, after)) return item
    yield* threads.move(thread, [{ source, threadKey, state: after }])
    yield* append([{ _tag: "ThreadUpdated", accountId, source, threadKey, ...after }], moment)
    return Option.some({ ...item.value, thread: after })
  })

  /**
   * The oldest unread items of an account first, so that what came after the number is met last. The counters, which
   * are exact, say which accounts have any.
   */
  const markSome = (scope: ItemScope, upToSeq: number, limit: number) => {
    const { workspaceId } = scope.scope
    return one(MarkedRow)(sql`
      WITH due AS MATERIALIZED (
        SELECT d.* FROM (
          SELECT c.account_id, c.source FROM unread_counters c
          JOIN social_accounts a ON a.workspace_id = c.workspace_id AND a.id = c.account_id
          WHERE c.workspace_id = ${workspaceId} AND c.unread > 0
            AND c.source = ANY(${Array.from(scope.sources)}::text[]) AND ${within.accounts(scope)}
          ORDER BY c.account_id, c.source
        ) c CROSS JOIN LATERAL (
          SELECT i.account_id, i.source, i.external_id FROM items i
          LEFT JOIN events e ON e.workspace_id = i.workspace_id AND e.new_item_id = i.id
          WHERE i.workspace_id = ${workspaceId} AND i.account_id = c.account_id AND i.source = c.source
            AND i.kind = 'live' AND NOT i.is_read AND (e.seq IS NULL OR e.seq <= ${upToSeq}::bigint)
          ORDER BY i.received_at, i.id LIMIT ${limit}::bigint
        ) d LIMIT ${limit}::bigint
      ), locked AS MATERIALIZED (
        SELECT i.account_id, i.source, i.external_id FROM due d
        JOIN items i ON i.workspace_id = ${workspaceId} AND i.account_id = d.account_id AND i.source = d.source
          AND i.external_id = d.external_id
        WHERE i.kind = 'live' AND NOT i.is_read
        ORDER BY i.account_id, i.source, i.external_id FOR NO KEY UPDATE OF i
      ), marked AS (
        UPDATE items i SET is_read = true FROM locked l
        WHERE i.workspace_id = ${workspaceId} AND i.account_id = l.account_id AND i.source = l.source
          AND i.external_id = l.external_id AND i.kind = 'live' AND NOT i.is_read
        RETURNING i.account_id, i.source, i.is_own
      ), sums AS (
        SELECT account_id, source, count(*)::int AS items, (count(*) FILTER (WHERE NOT is_own))::int AS counted
        FROM marked GROUP BY account_id, source
      )
      SELECT (SELECT count(*)::int FROM due) AS due,
        (SELECT coalesce(jsonb_agg(to_jsonb(s)), '[]'::jsonb) FROM sums s) AS marked`)
  }

  const markBatch = Effect.fnUntraced(function* (scope: ItemScope, { at, limit, upToSeq }: MarkBatch) {
    const { workspaceId, ...user } = scope.scope
    const externalUserId = user._tag === "ManagedUserScope" ? Option.some(user.externalUserId) : Option.none()
    const batch = (append: Append) =>
      Effect.gen(function* () {
        const counts = new Map<string, { accountId: SocialAccountId; source: Source; delta: number }>()
        let marked = 0
        for (let look = 0; look < looksAtMost && marked < limit; look++) {
          const found = yield* markSome(scope, upToSeq, limit - marked)
          for (const { account_id: accountId, counted, items, source } of found.marked) {
            marked += items
            const key = `${accountId} ${source}`
            counts.set(key, { accountId, source, delta: (counts.get(key)?.delta ?? 0) - counted })
          }
          if (found.due === 0) break
        }
        if (marked === 0) return 0
        yield* threads.count(workspaceId, Array.from(counts.values()))
        yield* append([{ _tag: "ItemsRead", externalUserId, upToSeq, marked: Option.some(marked) }], at)
        return marked
      })
    return yield* log
      .transaction(workspaceId, (append) => Effect.andThen(marking.lock(workspaceId), batch(append)))
      .pipe(marking.turn(workspaceId))
  })

  return { find, markRead, moveThread, markBatch }
})
