import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Source } from "@loopbox/core/networks/Source"
import { type ThreadName, threadOf } from "@loopbox/core/items/StoredItem"
import { untouched, type WorkState } from "@loopbox/core/items/Thread"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { emptyTally, type TallyChange, type ThreadTally } from "@loopbox/core/threads/ThreadTally"
import { isNamedByKey, namedRows } from "../../rows/oneByOne.ts"
import { toAssignee } from "../../rows/ItemRow.ts"
import { makeInsertRows } from "../../rows/insertRows.ts"
import { all } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import { IngestRaced } from "./IngestRaced.ts"
import {
  LockedRow,
  newestJoins,
  tallyColumns,
  toTally,
  toTallyColumns,
  toWork,
  workColumns
} from "../../rows/ThreadRow.ts"

const SizeRow = Schema.Struct({ source: Source, thread_key: Schema.String, is_large: Schema.Boolean })

const nameOf = (row: Pick<typeof SizeRow.Type, "source" | "thread_key">) =>
  threadOf({ source: row.source, threadKey: row.thread_key })

interface AccountKey {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

const lockedRows = all(LockedRow)

/** A change of one unread counter. */
export interface UnreadChange {
  readonly accountId: SocialAccountId
  readonly source: Source
  readonly delta: number
}

/** Locked threads, by `threadOf`. */
export interface LockedThreads {
  readonly states: ReadonlyMap<string, WorkState>
  /** Of those whose items are counted; the others were written by a version that counts none, and wait for the worker. */
  readonly tallies: ReadonlyMap<string, ThreadTally>
  /** Those whose items have no copy of the state. */
  readonly large: ReadonlySet<string>
  /** Those that have no row yet, which is nothing to lock: another unit may make it meanwhile. */
  readonly absent: ReadonlySet<string>
}

/**
 * How many items have a copy of their thread's state, for the lists' indexes. A move writes all of them, 0.1 ms each; a
 * list by state looks at every thread that has more, which are at most 500 in a million items.
 */
export const LargestWithCopies = Context.Reference<number>("@loopbox/adapters-postgres/LargestWithCopies", {
  defaultValue: () => 2_000
})

/** A unit may reopen hundreds of threads, and each of their items that has a copy is written. */
export const moveTimeout = Duration.seconds(30)

/** Columns that are written with what a unit changes of a thread. */
const talliedColumns = [
  "source",
  "thread_key",
  "items",
  "id",
  "item_count",
  "unread_count",
  "last_item_at",
  "last_item_id",
  "last_inbound_at",
  "participants",
  "created_at"
]

/** What a thread begins with, beside its tally. */
const asBegun = { status: "open", assignee: "", is_kept: true }

/** In place of the tally of a thread that is not kept. */
const uncounted = { item_count: 0, unread_count: 0, participants: [] }

const columnsOf = (threads: ReadonlyArray<ThreadName>) => ({
  sources: threads.map(({ source }) => source),
  keys: threads.map(({ threadKey }) => storable(threadKey))
})

/** As it is stored. */
const storedName = ({ source, threadKey }: ThreadName): ThreadName => ({
  source,
  threadKey: storable(threadKey).toWellFormed()
})

const toLocked = (wanted: ReadonlyArray<string>, rows: ReadonlyArray<typeof LockedRow.Type>): LockedThreads => {
  const states = new Map(rows.map((row): [string, WorkState] => [nameOf(row), toWork(row)]))
  const tallies = new Map(
    rows.filter((row) => row.is_kept).map((row): [string, ThreadTally] => [nameOf(row), toTally(row)])
  )
  const absent = new Set(wanted.filter((name) => !states.has(name)))
  for (const name of absent) {
    states.set(name, untouched)
    tallies.set(name, emptyTally)
  }
  return { states, tallies, large: new Set(rows.filter((row) => row.is_large).map(nameOf)), absent }
}

/**
 * Threads and counters, in transactions of their callers.
 *
 * Locked threads are written by INSERT … ON CONFLICT, which looks each up by its key. An UPDATE that is joined to their
 * names is planned by what the planner believes of the account's size, and reads all of its threads where that is wrong.
 */
export const makeThreads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const insertRows = makeInsertRows(sql)
  const changed = sql.literal(
    talliedColumns
      .slice(3)
      .map((name) => `${name} = excluded.${name}`)
      .join(", ")
  )
  const columns = sql.literal(`${workColumns}, ${tallyColumns}`)
  // Written out in statements: a distributed database knows no type of a parameter that stands behind ON CONFLICT only.
  const largest = Math.trunc(yield* LargestWithCopies)

  /**
   * Locks threads, in their order. One that has no row has nothing to lock: who writes it first is decided by `keep`. A row
   * made only to be locked would be written twice, with all of its indexes, for each thread that begins.
   */
  const lock = Effect.fnUntraced(function* (
    { accountId, workspaceId }: AccountKey,
    threads: ReadonlyArray<ThreadName>
  ) {
    const wanted = new Map(threads.map(storedName).map((thread) => [threadOf(thread), thread]))
    if (wanted.size === 0) return toLocked([], [])
    const { keys, sources } = columnsOf(Array.from(wanted.values()))
    // Rows are locked as they are found, so that names are sorted in the order of locks first.
    const rows = yield* lockedRows(sql`SELECT t.source, t.thread_key, t.is_large, ${columns}
      FROM (
        SELECT * FROM ${namedRows(sql, { source: sources, thread_key: keys })} u
        ORDER BY source COLLATE "C", thread_key COLLATE "C"
      ) n CROSS JOIN LATERAL (
        SELECT * FROM threads WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
          AND source = n.source AND thread_key = n.thread_key OFFSET 0
      ) t FOR NO KEY UPDATE OF t`)
    return toLocked(Array.from(wanted.keys()), rows)
  })

  /** Brings the items' copies of locked threads' states up to date: the state, or none if the thread is a large one. */
  const copy = Effect.fnUntraced(function* (
    { accountId, workspaceId }: AccountKey,
    threads: ReadonlyArray<ThreadName>
  ) {
    if (threads.length === 0) return
    const { keys, sources } = columnsOf(threads)
    // By INSERT, too, for an UPDATE cannot be joined LATERAL. All rows are there, and none can go while its thread is
    // locked; the row of an alias needs no other column.
    yield* sql`
      INSERT INTO items AS i (workspace_id, account_id, source, external_id, kind, thread_status, assignee)
      SELECT w.id, ${accountId}::text, x.source, x.external_id, 'alias',
        CASE WHEN NOT t.is_large THEN t.status END, CASE WHEN NOT t.is_large THEN t.assignee END
      FROM workspaces w CROSS JOIN ${namedRows(sql, { source: sources, thread_key: keys })} n
      CROSS JOIN LATERAL (
        SELECT * FROM threads WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
          AND source = n.source AND thread_key = n.thread_key OFFSET 0
      ) t
      CROSS JOIN LATERAL (
        SELECT x.source, x.external_id FROM items x WHERE x.workspace_id = ${workspaceId}
          AND x.account_id = ${accountId} AND x.kind = 'live'
          AND ${sql.literal(isNamedByKey("x", "t", ["source", "thread_key"]))} OFFSET 0
      ) x
      WHERE w.id = ${workspaceId}
      ORDER BY x.source, x.external_id
      ON CONFLICT (workspace_id, account_id, source, external_id) DO UPDATE
        SET thread_status = excluded.thread_status, assignee = excluded.assignee WHERE i.kind = 'live'`
  })

  /** Gives locked threads other states: to the thread alone if it is a large one, else to each of its items, too. */
  const move = Effect.fnUntraced(function* (
    key: AccountKey,
    threads: ReadonlyArray<ThreadName & { readonly state: WorkState }>
  ) {
    if (threads.length === 0) return
    const rows = yield* all(SizeRow)(
      insertRows({
        workspaceId: key.workspaceId,
        table: "threads",
        as: "t",
        columns: ["account_id", "source", "thread_key", "status", "assignee", "snoozed_until"],
        rows: threads.map(({ source, state, threadKey }) => ({
          account_id: key.accountId,
          source,
          thread_key: threadKey,
          status: state.status,
          assignee: toAssignee(state.assignedTo),
          snoozed_until: Option.getOrNull(Option.map(state.snoozedUntil, DateTime.formatIso))
        })),
        rest: sql`ON CONFLICT (workspace_id, account_id, source, thread_key) DO UPDATE
          SET status = excluded.status, assignee = excluded.assignee, snoozed_until = excluded.snoozed_until
          RETURNING t.source, t.thread_key, t.is_large`
      })
    )
    const large = new Set(rows.filter((row) => row.is_large).map(nameOf))
    yield* sql`SET LOCAL statement_timeout = ${sql.literal(`${Duration.toMillis(moveTimeout)}`)}`
    yield* copy(
      key,
      threads.filter((thread) => !large.has(threadOf(thread)))
    )
  })

  /**
   * Adds to the sizes of locked threads, and writes what they keep of their items. One that becomes large has its items'
   * copies removed; what is added to it has to come without. Gives the names of all that are large now. Fails where
   * another unit has begun one of these threads meanwhile.
   */
  const keep = Effect.fnUntraced(function* (
    key: AccountKey,
    before: LockedThreads,
    changes: ReadonlyArray<TallyChange>
  ) {
    if (changes.length === 0) return before.large
    const rowOf = ({ added, name, tally }: TallyChange) => {
      const { id, ...kept } = toTallyColumns({ ...name, accountId: key.accountId }, tally)
      const own = { account_id: key.accountId, source: name.source, thread_key: storable(name.threadKey), id }
      // What is not kept stays as it is, until it is counted.
      const tallied = before.tallies.has(threadOf(name)) ? kept : uncounted
      return { ...asBegun, ...own, items: added, is_large: added > largest, ...tallied }
    }
    const write = (some: ReadonlyArray<TallyChange>, onConflict: Fragment) =>
      some.length === 0
        ? Effect.succeed([])
        : all(SizeRow)(
            insertRows({
              workspaceId: key.workspaceId,
              table: "threads",
              as: "t",
              columns: ["account_id", "status", "assignee", "is_kept", "is_large", ...talliedColumns],
              rows: some.map(rowOf),
              order: ["source", "thread_key"],
              rest: sql`ON CONFLICT (workspace_id, account_id, source, thread_key) DO ${onConflict}
                RETURNING t.source, t.thread_key, t.is_large`
            })
          )
    // Begun in their order, after all locks of threads that are there, and those of others are not waited for: so no two units
    // can wait for each other.
    const isFresh = ({ name }: TallyChange) => before.absent.has(threadOf(storedName(name)))
    const fresh = changes.filter(isFresh)
    const first = yield* write(fresh, sql`NOTHING`)
    if (first.length < fresh.length) return yield* new IngestRaced()
    const known = yield* write(
      changes.filter((change) => !isFresh(change)),
      sql`UPDATE SET items = t.items + excluded.items,
        is_large = t.is_large OR t.items + excluded.items > ${sql.literal(`${largest}`)}, ${changed}`
    )
    const rows = [...first, ...known]
    const large = new Set(rows.filter((row) => row.is_large).map(nameOf))
    yield* copy(
      key,
      changes
        .map(({ name }) => name)
        .filter((thread) => large.has(threadOf(thread)) && !before.large.has(threadOf(thread)))
    )
    return new Set([...before.large, ...large])
  })

  /** Reads anew from the items who and what is newest in locked threads, where that was taken away. */
  const look = Effect.fnUntraced(function* (key: AccountKey, threads: ReadonlyArray<ThreadName>) {
    if (threads.length === 0) return
    const { keys, sources } = columnsOf(threads)
    yield* sql`
      INSERT INTO threads AS t (workspace_id, account_id, source, thread_key, status, assignee, last_item_at,
        last_item_id, last_inbound_at, participants)
      SELECT n.workspace_id, n.account_id, n.source, n.thread_key, 'open', '', l.received_at, l.id, o.received_at,
        p.participants
      FROM (
        SELECT ${key.workspaceId}::text COLLATE "C" AS workspace_id, ${key.accountId}::text COLLATE "C" AS account_id, u.*
        FROM unnest(${sources}::text[], ${keys}::text[]) AS u (source, thread_key)
      ) n ${sql.literal(newestJoins)}
      ON CONFLICT (workspace_id, account_id, source, thread_key) DO UPDATE SET last_item_at = excluded.last_item_at,
        last_item_id = excluded.last_item_id, last_inbound_at = excluded.last_inbound_at,
        participants = excluded.participants`
  })

  /** Adds to what is unread in a locked thread. One that is not kept is counted later anyway. */
  const countIn = ({ accountId, workspaceId }: AccountKey, { source, threadKey }: ThreadName, delta: number) =>
    delta === 0
      ? Effect.void
      : sql`UPDATE threads SET unread_count = unread_count + ${delta}::integer
          WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND source = ${source}
            AND thread_key = ${storable(threadKey)}`

  /** Adds to counters, in their order. */
  const count = Effect.fnUntraced(function* (workspaceId: WorkspaceId, changes: ReadonlyArray<UnreadChange>) {
    const real = changes.filter(({ delta }) => delta !== 0)
    if (real.length === 0) return
    yield* insertRows({
      workspaceId,
      table: "unread_counters",
      as: "c",
      columns: ["account_id", "source", "unread"],
      rows: real.map(({ accountId, delta, source }) => ({ account_id: accountId, source, unread: delta })),
      order: ["account_id", "source"],
      rest: sql`ON CONFLICT (workspace_id, account_id, source) DO UPDATE SET unread = c.unread + excluded.unread`
    })
  })

  return { lock, move, keep, look, countIn, count }
})
