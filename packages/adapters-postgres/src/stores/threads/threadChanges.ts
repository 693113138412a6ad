import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { threadUpdated } from "@loopbox/core/items/decideMove"
import { decideRead } from "@loopbox/core/items/decideRead"
import type { InboxItem } from "@loopbox/core/items/InboxItem"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { threadOf } from "@loopbox/core/items/StoredItem"
import { untouched } from "@loopbox/core/items/Thread"
import { SocialAccountId, type ThreadId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Networks } from "@loopbox/core/networks/Networks"
import { Source } from "@loopbox/core/networks/Source"
import { foldLabel, isSameLabels } from "@loopbox/core/threads/judgeLabels"
import type { DecideThread, ThreadItemsQuery } from "@loopbox/core/threads/ThreadStore"
import { accountColumnsOf, isThreadOf, makeToShown, ShownRow, shownWithThread } from "../../rows/ItemRow.ts"
import { makeInsertRows } from "../../rows/insertRows.ts"
import { all, at, first } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import { shownThreadColumns, shownThreadJoins, ShownThreadRow, toShownThread } from "../../rows/ThreadRow.ts"
import type { Append } from "../inbox/EventLog.ts"
import { makeScope } from "../inbox/scope.ts"
import { makeTellThreads } from "../inbox/tellThreads.ts"
import { makeThreads } from "../inbox/threads.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

const NamedRow = Schema.Struct({
  workspace_id: WorkspaceId,
  account_id: SocialAccountId,
  source: Source,
  thread_key: Schema.String,
  unread_count: Schema.Int
})

const LabelRow = Schema.Struct({ label: Schema.String, open_threads: Schema.Int })

/** What identifies a thread, and how much is unread in it. */
interface Named {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
  readonly source: Source
  readonly threadKey: string
  readonly unread: number
}

const toNamed = (row: typeof NamedRow.Type): Named => ({
  workspaceId: row.workspace_id,
  accountId: row.account_id,
  source: row.source,
  threadKey: row.thread_key,
  unread: row.unread_count
})

/** Reading threads and their items. */
const makeReads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const networks = yield* Networks
  const within = yield* makeScope
  const named = sql.literal("t.workspace_id, t.account_id, t.source, t.thread_key, t.unread_count")
  const columns = inWorkspace(sql, shownThreadColumns)
  const joins = inWorkspace(sql, shownThreadJoins)
  const itemColumns = sql.literal(
    `${shownWithThread("i")}, t.last_inbound_at AS newest_inbound_at, ${accountColumnsOf("a")}`
  )
  const isThread = sql.literal(isThreadOf("i"))

  const isFound = (scope: ItemScope, id: ThreadId) => sql`t.workspace_id = ${scope.scope.workspaceId} AND t.id = ${id}
    AND t.is_kept AND t.last_item_at IS NOT NULL AND t.source = ANY(${Array.from(scope.sources)}::text[])
    AND ${within.accounts(scope)}`

  const findName = Effect.fnUntraced(function* (scope: ItemScope, id: ThreadId, isLocked: boolean) {
    const row = yield* first(NamedRow)(sql`SELECT ${named} FROM threads t
      JOIN social_accounts a ON a.workspace_id = t.workspace_id AND a.id = t.account_id
      WHERE ${isFound(scope, id)} ${sql.literal(isLocked ? "FOR NO KEY UPDATE OF t" : "")}`)
    return Option.map(row, toNamed)
  })

  const find = Effect.fnUntraced(function* (scope: ItemScope, id: ThreadId, now: DateTime.Utc) {
    const row = yield* first(ShownThreadRow)(sql`SELECT ${columns(scope.scope.workspaceId)}
      FROM threads t ${joins(scope.scope.workspaceId)} WHERE ${isFound(scope, id)}`)
    return Option.map(row, (one) => toShownThread(networks, one, now))
  })

  /** Columns of the items of a thread, as readers see them. */
  const itemsOf = ({ accountId, source, threadKey, workspaceId }: Named) => sql`SELECT ${itemColumns} FROM items i
    JOIN threads t ON ${isThread}
    JOIN social_accounts a ON a.workspace_id = i.workspace_id AND a.id = i.account_id
    WHERE i.workspace_id = ${workspaceId} AND i.account_id = ${accountId} AND i.source = ${source}
      AND i.thread_key = ${storable(threadKey)} AND i.kind = 'live'`

  const listItems = Effect.fnUntraced(function* (
    scope: ItemScope,
    id: ThreadId,
    { after, limit, order }: ThreadItemsQuery,
    now: DateTime.Utc
  ) {
    const thread = yield* findName(scope, id, false)
    if (Option.isNone(thread)) return Option.none()
    const [direction, sign] = order === "newest" ? ["DESC", "<"] : ["ASC", ">"]
    const behind = Option.match(after, {
      onNone: () => sql.literal(""),
      onSome: (place) => sql`AND (i.received_at, i.id) ${sql.literal(sign)} (${at(place.receivedAt)}, ${place.id})`
    })
    const rows = yield* all(ShownRow)(sql`${itemsOf(thread.value)} ${behind}
      ORDER BY ${sql.literal(`i.received_at ${direction}, i.id ${direction}`)} LIMIT ${sql.literal(`${limit + 1}`)}`)
    const items = rows.slice(0, limit).map(makeToShown(networks, now))
    const last = rows.length > limit ? items[items.length - 1] : undefined
    const next = Option.map(Option.fromUndefinedOr(last), (item) => ({ receivedAt: item.receivedAt, id: item.id }))
    return Option.some({ items, next })
  })

  /** Unread items, the newest first, locked; the thread is locked already, so that its count says how many there are. */
  const unreadOf = Effect.fnUntraced(function* (thread: Named, limit: number, now: DateTime.Utc) {
    const count = Math.min(limit, thread.unread)
    if (count <= 0) return []
    const rows = yield* all(ShownRow)(sql`${itemsOf(thread)} AND NOT i.is_read AND NOT i.is_own
      ORDER BY i.received_at DESC, i.id DESC LIMIT ${sql.literal(`${count}`)} FOR NO KEY UPDATE OF i`)
    return rows.map(makeToShown(networks, now))
  })

  const labels = (scope: ItemScope, limit: number) =>
    Effect.map(
      all(LabelRow)(sql`SELECT (array_agg(t.label ORDER BY t.labeled_at, t.id))[1] AS label,
          (count(*) FILTER (WHERE NOT t.is_resolved))::int AS open_threads
        FROM thread_labels t JOIN social_accounts a ON a.workspace_id = t.workspace_id AND a.id = t.account_id
        WHERE t.workspace_id = ${scope.scope.workspaceId} AND t.last_item_at IS NOT NULL
          AND t.source = ANY(${Array.from(scope.sources)}::text[]) AND ${within.accounts(scope)}
        GROUP BY t.folded ORDER BY open_threads DESC, t.folded LIMIT ${sql.literal(`${limit}`)}`),
      (rows) => rows.map(({ label, open_threads: openThreads }) => ({ label, openThreads }))
    )

  return { findName, find, listItems, labels, unreadOf }
})

/** Reading threads, and what readers change of them, in transactions of their callers. */
export const makeThreadChanges = Effect.gen(function* () {
  const sql = yield* SqlClient
  const reads = yield* makeReads
  const threads = yield* makeThreads
  const tell = yield* makeTellThreads
  const insertRows = makeInsertRows(sql)

  const change = Effect.fnUntraced(function* (
    scope: ItemScope,
    id: ThreadId,
    decide: DecideThread,
    moment: DateTime.Utc,
    append: Append
  ) {
    const thread = yield* reads.findName(scope, id, true)
    if (Option.isNone(thread)) return Option.none()
    const { states } = yield* threads.lock(thread.value, [thread.value])
    const decided = yield* Effect.fromResult(decide(thread.value, states.get(threadOf(thread.value)) ?? untouched))
    if (decided.events.length > 0) yield* threads.move(thread.value, [{ ...thread.value, state: decided.thread }])
    const shown = yield* reads.find(scope, id, moment)
    yield* append(yield* tell(thread.value, decided.events, moment), moment)
    return shown
  })

  /** The labels' rows of a locked thread; of one that it keeps, the time of its first use stays. */
  const writeLabels = Effect.fnUntraced(function* (
    { accountId, source, threadKey, workspaceId }: Named,
    labels: ReadonlyArray<string>
  ) {
    const kept = labels.map(storable)
    const isThread = sql`workspace_id = ${workspaceId} AND account_id = ${accountId} AND source = ${source}
      AND thread_key = ${storable(threadKey)}`
    yield* sql`UPDATE threads SET labels = ${kept}::text[] WHERE ${isThread}`
    yield* sql`DELETE FROM thread_labels WHERE ${isThread} AND folded <> ALL(${kept.map(foldLabel)}::text[])`
    yield* sql`INSERT INTO thread_labels (workspace_id, account_id, source, thread_key, folded, label, id, last_item_at,
        is_resolved)
      SELECT t.workspace_id, t.account_id, t.source, t.thread_key, n.folded, n.label, t.id, t.last_item_at,
        t.status = 'resolved'
      FROM (SELECT * FROM threads WHERE ${isThread}) t
      CROSS JOIN unnest(${kept.map(foldLabel)}::text[], ${kept}::text[]) AS n (folded, label)
      ON CONFLICT (workspace_id, account_id, source, thread_key, folded) DO UPDATE SET label = excluded.label`
  })

  const setLabels = Effect.fnUntraced(function* (
    scope: ItemScope,
    id: ThreadId,
    labels: ReadonlyArray<string>,
    moment: DateTime.Utc,
    append: Append
  ) {
    const thread = yield* reads.findName(scope, id, true)
    if (Option.isNone(thread)) return Option.none()
    const before = yield* reads.find(scope, id, moment)
    if (Option.exists(before, (found) => isSameLabels(found.labels, labels.map(storable)))) return before
    yield* writeLabels(thread.value, labels)
    const after = yield* reads.find(scope, id, moment)
    const events = Option.toArray(Option.map(after, (found) => threadUpdated(thread.value, found)))
    yield* append(yield* tell(thread.value, events, moment), moment)
    return after
  })

  // All of them are there, and locked. An UPDATE that is joined to their keys reads all of an account that is taken for small.
  const mark = ({ accountId, workspaceId }: Named, items: ReadonlyArray<InboxItem>) =>
    insertRows({
      workspaceId,
      table: "items",
      as: "i",
      columns: ["account_id", "source", "external_id", "kind"],
      rows: items.map(({ externalId, source }) => ({
        account_id: accountId,
        source,
        external_id: externalId,
        kind: "alias"
      })),
      rest: sql`ON CONFLICT (workspace_id, account_id, source, external_id)
        DO UPDATE SET is_read = true, rev = coalesce(i.rev, 0) + 1`
    })

  const markRead = Effect.fnUntraced(function* (
    scope: ItemScope,
    id: ThreadId,
    limit: number,
    moment: DateTime.Utc,
    append: Append
  ) {
    const thread = yield* reads.findName(scope, id, true)
    if (Option.isNone(thread)) return Option.none()
    const changes = (yield* reads.unreadOf(thread.value, limit, moment)).flatMap((item) =>
      Option.toArray(decideRead(item))
    )
    if (changes.length === 0) return Option.some(0)
    const { accountId, source, workspaceId } = thread.value
    const delta = changes.reduce((sum, { unread }) => sum + unread, 0)
    yield* mark(
      thread.value,
      changes.map(({ item }) => item)
    )
    yield* threads.countIn(thread.value, thread.value, delta)
    yield* threads.count(workspaceId, [{ accountId, source, delta }])
    yield* append(
      changes.flatMap(({ events }) => events),
      moment
    )
    return Option.some(changes.length)
  })

  return { find: reads.find, listItems: reads.listItems, labels: reads.labels, change, setLabels, markRead }
})
