import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Source } from "@loopbox/core/networks/Source"
import type { AssigneeNotAllowed } from "@loopbox/core/items/ThreadErrors"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import type { MarkBatch } from "@loopbox/core/inbox/InboxStore"
import { threadOf } from "@loopbox/core/items/StoredItem"
import { stateOf, untouched, type WorkState } from "@loopbox/core/items/Thread"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import type { ThreadChange } from "@loopbox/core/items/decideMove"
import { decideReadBatch, type MarkedItems, type ReadChange } from "@loopbox/core/items/decideRead"
import { type InboxItemId, SocialAccountId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { itemOfHit } from "./itemLookUp.ts"
import { type Append, EventLog } from "./EventLog.ts"
import { Networks } from "@loopbox/core/networks/Networks"
import {
  accountColumnsOf,
  isThreadOf,
  newestInboundOf,
  ShownRow,
  shownWithThread,
  toShown
} from "../../rows/ItemRow.ts"
import { makeInsertRows } from "../../rows/insertRows.ts"
import { first, one } from "../../rows/rows.ts"
import { makeScope } from "./scope.ts"
import { makeWorkspaceLock } from "../../connection/workspaceLock.ts"
import { makeTellThreads } from "./tellThreads.ts"
import { makeThreads } from "./threads.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

const MarkedThread = Schema.Struct({
  account_id: SocialAccountId,
  source: Source,
  thread_key: Schema.String,
  items: Schema.Int,
  counted: Schema.Int
})

const MarkedRow = Schema.Struct({ due: Schema.Int, marked: Schema.Array(MarkedThread) })

/** Maximum number of reads in one batch: concurrent calls may have marked the items that were read first. */
const looksAtMost = 20

/** Reading one item, and the changes that readers make, in transactions of their callers. */
export const makeItemChanges = Effect.gen(function* () {
  const sql = yield* SqlClient
  const insertRows = makeInsertRows(sql)
  const networks = yield* Networks
  const within = yield* makeScope
  const threads = yield* makeThreads
  const log = yield* EventLog
  const tell = yield* makeTellThreads
  const marking = yield* makeWorkspaceLock("mark", "marks")

  const inScope = (scope: ItemScope, id: InboxItemId) => sql`
    FROM items i JOIN threads t ON ${sql.literal(isThreadOf("i"))}
    JOIN social_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
    WHERE i.workspace_id = ${scope.scope.workspaceId} AND i.id = ${id} AND i.kind = 'live'
      AND i.source = ANY(${Array.from(scope.sources)}::text[]) AND ${within.accounts(scope)}`

  const columns = inWorkspace(
    sql,
    `${shownWithThread("i")}, ${newestInboundOf(networks, "i")}, ${accountColumnsOf("a")}`
  )

  const find = Effect.fnUntraced(function* (scope: ItemScope, id: InboxItemId) {
    const now = yield* DateTime.now
    const row = yield* first(ShownRow)(sql`SELECT ${columns(scope.scope.workspaceId)} ${inScope(scope, id)}`)
    return Option.map(row, (found) => toShown(networks, found, now))
  })

  const setRead = Effect.fnUntraced(function* (
    scope: ItemScope,
    id: InboxItemId,
    decide: (item: InboxItem) => Option.Option<ReadChange>,
    moment: DateTime.Utc,
    append: Append
  ) {
    // The thread first, whose unread items are counted; it stays as it is told in the event until that has its number.
    const row = yield* first(ShownRow)(sql`SELECT ${columns(scope.scope.workspaceId)} ${inScope(scope, id)}
      FOR NO KEY UPDATE OF t FOR NO KEY UPDATE OF i`)
    if (Option.isNone(row)) return false
    const change = decide(toShown(networks, row.value, moment))
    if (Option.isNone(change)) return true
    const { events, item, unread } = change.value
    const { accountId, externalId, source, workspaceId } = item
    yield* sql`UPDATE items SET is_read = ${item.isRead}, rev = coalesce(rev, 0) + 1
      WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
      AND source = ${source} AND external_id = ${externalId}`
    yield* threads.countIn(item, item, unread)
    yield* threads.count(workspaceId, [{ accountId, source, delta: unread }])
    yield* append(events, moment)
    return true
  })

  const moveThread = Effect.fnUntraced(function* (
    scope: ItemScope,
    id: InboxItemId,
    move: (item: InboxItem, before: WorkState) => Result.Result<ThreadChange, AssigneeNotAllowed>,
    moment: DateTime.Utc,
    append: Append
  ) {
    const named = yield* find(scope, id)
    if (Option.isNone(named)) return named
    const { accountId, source, threadKey, workspaceId } = named.value
    const thread = { workspaceId, accountId, source, threadKey }
    const { states } = yield* threads.lock(thread, [thread])
    // Read again: it may have been deleted or moved while this waited for the lock of the thread.
    const item = yield* find(scope, id)
    if (Option.isNone(item)) return Option.none()
    const change = yield* Effect.fromResult(move(item.value, states.get(threadOf(thread)) ?? untouched))
    if (change.events.length === 0) return item
    yield* threads.move(thread, [{ source, threadKey, state: change.thread }])
    yield* append(yield* tell(thread, change.events, moment), moment)
    return Option.some({ ...item.value, thread: stateOf(change.thread) })
  })

  /**
   * `kind = 'live'` in other words, by which no index of live items answers: where the planner takes a workspace's unread items
   * for few, it would read all of them for each that is named.
   */
  const isLiveUnindexed = "i.kind NOT IN ('awaited', 'deleted', 'alias')"

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
          SELECT i.account_id, i.source, i.external_id, i.thread_key FROM items i
          LEFT JOIN events e ON e.workspace_id = ${workspaceId} AND e.new_item_id = i.id
          WHERE i.workspace_id = ${workspaceId} AND i.account_id = c.account_id AND i.source = c.source
            AND i.kind = 'live' AND NOT i.is_read AND (e.seq IS NULL OR e.seq <= ${upToSeq}::bigint)
          ORDER BY i.received_at, i.id LIMIT ${limit}::bigint
        ) d LIMIT ${limit}::bigint
      ), held AS MATERIALIZED (
        SELECT t.account_id FROM (SELECT DISTINCT account_id, source, thread_key FROM due) d
        CROSS JOIN LATERAL (
          SELECT * FROM threads WHERE workspace_id = ${workspaceId} AND account_id = d.account_id
            AND source = d.source AND thread_key = d.thread_key OFFSET 0
        ) t ORDER BY t.account_id, t.source, t.thread_key FOR NO KEY UPDATE OF t
      ), locked AS MATERIALIZED (
        SELECT i.account_id, i.source, i.external_id FROM (
          SELECT * FROM due WHERE (SELECT count(*) FROM held) >= 0 ORDER BY account_id, source, external_id
        ) h CROSS JOIN LATERAL (${itemOfHit(sql, workspaceId)}) i
        WHERE i.kind = 'live' AND NOT i.is_read FOR NO KEY UPDATE OF i
      ), marked AS (
        UPDATE items i SET is_read = true, rev = coalesce(i.rev, 0) + 1 FROM locked l
        WHERE i.workspace_id = ${workspaceId} AND i.account_id = l.account_id AND i.source = l.source
          AND i.external_id = l.external_id AND ${sql.literal(isLiveUnindexed)} AND NOT i.is_read
        RETURNING i.account_id, i.source, i.thread_key, i.is_own
      ), sums AS (
        SELECT account_id, source, thread_key, count(*)::int AS items,
          (count(*) FILTER (WHERE NOT is_own))::int AS counted
        FROM marked GROUP BY account_id, source, thread_key
      )
      SELECT (SELECT count(*)::int FROM due) AS due,
        (SELECT coalesce(jsonb_agg(jsonb_build_object(
          'account_id', s.account_id, 'source', s.source, 'thread_key', s.thread_key, 'items', s.items, 'counted', s.counted)), '[]'::jsonb) FROM sums s) AS marked`)
  }

  /** In the threads, which are locked: by itself, for a distributed database takes no INSERT among others. */
  const countMarked = (workspaceId: WorkspaceId, marked: ReadonlyArray<typeof MarkedThread.Type>) => {
    const counted = marked.filter((thread) => thread.counted > 0)
    if (counted.length === 0) return Effect.void
    return insertRows({
      workspaceId,
      table: "threads",
      as: "t",
      columns: ["account_id", "source", "thread_key", "status", "assignee", "unread_count"],
      rows: counted.map(({ account_id, counted: unread_count, source, thread_key }) => ({
        account_id,
        source,
        thread_key,
        status: "open",
        assignee: "",
        unread_count
      })),
      rest: sql`ON CONFLICT (workspace_id, account_id, source, thread_key)
        DO UPDATE SET unread_count = t.unread_count - excluded.unread_count`
    })
  }

  const markBatch = Effect.fnUntraced(function* (scope: ItemScope, { at, limit, upToSeq }: MarkBatch) {
    const { workspaceId } = scope.scope
    const batch = (append: Append) =>
      Effect.gen(function* () {
        const found: Array<MarkedItems> = []
        let left = limit
        for (let look = 0; look < looksAtMost && left > 0; look++) {
          const { due, marked } = yield* markSome(scope, upToSeq, left)
          yield* countMarked(workspaceId, marked)
          for (const some of Map.groupBy(marked, ({ account_id, source }) => `${account_id} ${source}`).values()) {
            const [first] = some
            if (first === undefined) continue
            const items = some.reduce((sum, one) => sum + one.items, 0)
            const counted = some.reduce((sum, one) => sum + one.counted, 0)
            found.push({ accountId: first.account_id, source: first.source, items, counted })
            left -= items
          }
          if (due === 0) break
        }
        const { events, marked, unread } = decideReadBatch(scope.scope, upToSeq, found)
        if (marked === 0) return 0
        yield* threads.count(workspaceId, unread)
        yield* append(events, at)
        return marked
      })
    return yield* log
      .transaction(workspaceId, (append) => Effect.andThen(marking.lock(workspaceId), batch(append)))
      .pipe(marking.turn(workspaceId))
  })

  return { find, setRead, moveThread, markBatch }
})
