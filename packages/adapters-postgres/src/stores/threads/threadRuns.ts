import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { type ThreadPosition, threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import { foldLabel } from "@loopbox/core/threads/judgeLabels"
import type { ThreadStage } from "@loopbox/core/threads/ThreadStage"
import type { ThreadQuery } from "@loopbox/core/threads/ThreadStore"
import type { PlacedThreadRow } from "../../rows/ListedThreadRow.ts"
import { namedRows } from "../../rows/oneByOne.ts"
import { at } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import { shownThreadColumns, shownThreadJoins } from "../../rows/ThreadRow.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

/** As the indexes have it, letter by letter (migration 0026). */
const bucketOf = `((CASE WHEN t.status = 'resolved' THEN 8 WHEN t.snoozed_until IS NOT NULL THEN 12
  WHEN t.status = 'assigned' THEN 4 ELSE 0 END) + (CASE WHEN t.assignee = '' THEN 0 ELSE 2 END)
  + (CASE WHEN t.unread_count > 0 THEN 1 ELSE 0 END))`

const firstBucket: Readonly<Record<ThreadStage, number>> = { open: 0, assigned: 4, resolved: 8, snoozed: 12 }

/** The buckets in which a filter's threads lie; none: it asks for all of them. */
const bucketsOf = ({ assignedTo, isUnread, stage }: ThreadQuery): Option.Option<ReadonlyArray<number>> => {
  const isNobodys = Option.exists(assignedTo, Option.isNone)
  if (Option.isNone(stage) && Option.isNone(isUnread) && !isNobodys) return Option.none()
  const unread = Option.match(isUnread, { onNone: () => [0, 1], onSome: (is) => [is ? 1 : 0] })
  const stages = Option.match(stage, { onNone: () => Object.values(firstBucket), onSome: (one) => [firstBucket[one]] })
  return Option.some(
    stages.flatMap((first) => (isNobodys ? [0] : [0, 2]).flatMap((n) => unread.map((u) => first + n + u)))
  )
}

/** What statements have found for a page. */
export interface FoundThreads {
  /** Rows of the page in its order, and maybe more behind them. */
  readonly rows: ReadonlyArray<PlacedThreadRow>
  /** Where the next page begins if all rows are on this one; `none`: nothing is behind them. */
  readonly end: Option.Option<ThreadPosition>
}

export const placeOf = (row: PlacedThreadRow): ThreadPosition => ({
  lastItemAt: DateTime.fromDateUnsafe(row.received_at),
  id: threadIdOf({ accountId: row.account_id, source: row.source, threadKey: row.thread_key })
})

/** What one statement has found, with the end among its rows. */
export const foundOf = (rows: ReadonlyArray<PlacedThreadRow>): FoundThreads => ({
  rows: rows.filter((row) => row.is_match),
  end: Option.map(Option.fromUndefinedOr(rows.findLast((row) => row.is_end)), placeOf)
})

/** What a statement is built from. */
export interface ThreadPlan {
  readonly scope: ItemScope
  readonly query: ThreadQuery
  readonly sources: ReadonlyArray<string>
  readonly networks: ReadonlyArray<string>
  /** One more than asked. */
  readonly wanted: number
  /** Threads that may be read where not each of them is given. */
  readonly most: number
  /** What is searched for, as a `tsquery`. */
  readonly words: Option.Option<string>
}

/** The runs of a list: those parts of an index that have the list's order. */
export const makeRuns = Effect.map(SqlClient, (sql) => {
  const none = sql.literal("")
  const order = (table: string) => sql.literal(`ORDER BY ${table}.last_item_at DESC, ${table}.id DESC`)

  const isOfAccounts = ({ query, scope: { scope } }: ThreadPlan) =>
    scope._tag === "ManagedUserScope" || Option.isSome(query.accountId)

  /** The name that an index of assignees is asked for. */
  const nameOf = ({ query }: ThreadPlan) =>
    Option.isSome(query.label) ? Option.none() : Option.flatten(query.assignedTo)

  /** Whether a run has only threads of one bucket. */
  const isBucketed = ({ query }: ThreadPlan) =>
    Option.isNone(query.label) && Option.isNone(Option.flatten(query.assignedTo)) && Option.isSome(bucketsOf(query))

  const behind = ({ query }: ThreadPlan) =>
    Option.match(query.after, {
      onNone: () => none,
      onSome: ({ id, lastItemAt }) => sql`AND (t.last_item_at, t.id) < (${at(lastItemAt)}, ${id})`
    })

  /** A run `r` in the index that has it, in order: of threads, or of their labels. */
  const runOf = (plan: ThreadPlan) => {
    const name = nameOf(plan)
    const { label } = plan.query
    return sql`FROM ${sql.literal(Option.isSome(label) ? "thread_labels" : "threads")} t
      WHERE t.workspace_id = ${plan.scope.scope.workspaceId} AND t.source = r.source AND t.last_item_at IS NOT NULL
        ${isOfAccounts(plan) ? sql`AND t.account_id = r.account_id` : none}
        ${Option.isSome(label) ? sql`AND t.folded = ${foldLabel(storable(label.value))}` : none}
        ${isBucketed(plan) ? sql`AND ${sql.literal(bucketOf)} = r.bucket` : none}
        ${Option.isSome(name) ? sql`AND t.assignee = ${storable(name.value)} AND t.assignee <> ''` : none}
        ${behind(plan)} ${order("t")}`
  }

  /** The first threads of a run `r`, as many as its share is; those of labels are looked up one by one. */
  const threadsOf = (plan: ThreadPlan) =>
    Option.isNone(plan.query.label)
      ? sql`SELECT t.* ${runOf(plan)} LIMIT (SELECT rows FROM share)`
      : sql`SELECT t.* FROM (
            SELECT t.account_id, t.source, t.thread_key ${runOf(plan)} LIMIT (SELECT rows FROM share)
          ) l CROSS JOIN LATERAL (
            SELECT * FROM threads WHERE workspace_id = ${plan.scope.scope.workspaceId} AND account_id = l.account_id
              AND source = l.source AND thread_key = l.thread_key OFFSET 0
          ) t`

  const accountsOf = ({ query, scope: { scope } }: ThreadPlan) => sql`a.workspace_id = ${scope.workspaceId}
    AND a.status <> 'disconnected'
    ${scope._tag === "ManagedUserScope" ? sql`AND a.external_user_id = ${storable(scope.externalUserId)}` : none}
    ${Option.match(query.accountId, { onNone: () => none, onSome: (id) => sql`AND a.id = ${id}` })}`

  /** Every run, if only by its name. */
  const names = (plan: ThreadPlan) => {
    const buckets = isBucketed(plan) ? Option.getOrElse(bucketsOf(plan.query), () => [0]) : [0]
    const named = sql`${namedRows(sql, { source: plan.sources, network: plan.networks })} s
      CROSS JOIN unnest(${buckets}::integer[]) AS b (bucket)`
    return isOfAccounts(plan)
      ? sql`SELECT a.id AS account_id, s.source, b.bucket FROM social_accounts a
          JOIN (SELECT * FROM ${named}) AS s (source, network, bucket) ON s.network = a.network
          CROSS JOIN LATERAL (SELECT s.bucket) AS b WHERE ${accountsOf(plan)}`
      : sql`SELECT NULL::text AS account_id, s.source, b.bucket FROM ${named}`
  }

  /** Whether an item or a note of thread `t` has the words. By the thread's index, whatever the planner takes the words for. */
  const searched = ({ scope, words }: ThreadPlan) =>
    Option.toArray(
      Option.map(
        words,
        (asked) => sql`(EXISTS (SELECT 1 FROM item_words w WHERE w.workspace_id = ${scope.scope.workspaceId}
          AND w.account_id = t.account_id AND w.source = t.source AND w.thread_key = t.thread_key
          AND (w.words @@ ${asked}::tsquery) IS TRUE)
          OR EXISTS (SELECT 1 FROM thread_notes n WHERE n.workspace_id = ${scope.scope.workspaceId}
            AND n.account_id = t.account_id AND n.thread_id = t.id AND (n.words @@ ${asked}::tsquery) IS TRUE))`
      )
    )

  const inBuckets = (buckets: ReadonlyArray<number>) => sql`${sql.literal(bucketOf)} = ANY(${buckets}::integer[])`

  /** What the run's threads are judged by, where the index does not. */
  const matchOf = (plan: ThreadPlan): Option.Option<Fragment> => {
    const { query } = plan
    const buckets = isBucketed(plan) ? [] : Option.toArray(bucketsOf(query)).map(inBuckets)
    const name = Option.isSome(query.label) ? Option.toArray(Option.flatten(query.assignedTo)) : []
    const names = name.map((one) => sql`t.assignee = ${storable(one)}`)
    const parts = [...buckets, ...names, ...searched(plan)]
    return parts.length === 0 ? Option.none() : Option.some(sql.and(parts))
  }

  /** The filters as conditions on any thread `t`, but for its account, its source and the search. */
  const conditionsOf = (plan: ThreadPlan) => {
    const name = Option.flatten(plan.query.assignedTo)
    const labeled = Option.match(plan.query.label, {
      onNone: () => none,
      onSome: (
        label
      ) => sql`AND EXISTS (SELECT 1 FROM thread_labels l WHERE l.workspace_id = ${plan.scope.scope.workspaceId}
        AND l.account_id = t.account_id AND l.source = t.source AND l.thread_key = t.thread_key
        AND l.folded = ${foldLabel(storable(label))})`
    })
    return sql`${labeled} ${Option.match(bucketsOf(plan.query), { onNone: () => none, onSome: (all) => sql`AND ${inBuckets(all)}` })}
      ${Option.isSome(name) ? sql`AND t.assignee = ${storable(name.value)} AND t.assignee <> ''` : none} ${behind(plan)}`
  }

  const isOfScope = (plan: ThreadPlan) =>
    sql`t.account_id IN (SELECT a.id FROM social_accounts a WHERE ${accountsOf(plan)})`

  return { conditionsOf, isOfAccounts, isOfScope, names, runOf, threadsOf, matchOf, order }
})

/** The statement of a page: runs are merged by their newest threads, and nothing is given from behind a run's end. */
export const makeThreadStatement = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { isOfAccounts, matchOf, names, order, runOf, threadsOf } = yield* makeRuns
  const columns = inWorkspace(sql, shownThreadColumns)
  const joins = inWorkspace(sql, shownThreadJoins)

  return (plan: ThreadPlan) => {
    const { most, scope, wanted, words } = plan
    // Of each run; in a search it costs more to judge a thread than to read on.
    const fewest = Option.isSome(words) ? Math.min(wanted, 4) : wanted
    const match = matchOf(plan)
    // Threads of accounts that are disconnected are passed over; of a user's there are none in the runs.
    const hidden = isOfAccounts(plan)
      ? sql`SELECT NULL::text AS id WHERE false`
      : sql`SELECT id FROM social_accounts WHERE workspace_id = ${scope.scope.workspaceId} AND status = 'disconnected'`
    const isExact = Option.isSome(match) ? sql`false` : sql`NOT EXISTS (SELECT 1 FROM hidden)`
    return sql`
      WITH hidden AS MATERIALIZED (${hidden}),
      run AS MATERIALIZED (
        SELECT h.* FROM (
          SELECT r.account_id, r.source, r.bucket, n.last_item_at, n.id FROM (${names(plan)}) r
          CROSS JOIN LATERAL (SELECT t.last_item_at, t.id ${runOf(plan)} LIMIT 1) n
        ) h ${order("h")} LIMIT (SELECT CASE WHEN ${isExact} THEN ${wanted}::bigint ELSE ${most}::bigint END)
      ),
      share AS MATERIALIZED (
        SELECT CASE WHEN ${isExact} THEN ${wanted}::bigint
          ELSE greatest(${fewest}::bigint, ${most}::bigint / greatest(1, count(*))) END AS rows FROM run
      ),
      merged AS MATERIALIZED (
        SELECT t.*, row_number() OVER (PARTITION BY t.run ${order("t")}) AS place FROM (
          SELECT x.*, r.run FROM (SELECT *, row_number() OVER () AS run FROM run) r
          CROSS JOIN LATERAL (${threadsOf(plan)}) x
        ) t
      ),
      cut AS MATERIALIZED (
        SELECT m.last_item_at, m.id FROM merged m
        WHERE m.place = (SELECT rows FROM share) AND NOT (${isExact}) ${order("m")} LIMIT 1
      ),
      found AS MATERIALIZED (
        SELECT * FROM (
          SELECT t.*, ${Option.getOrElse(match, () => sql`true`)}
            AND t.account_id NOT IN (SELECT id FROM hidden) AS is_match,
            coalesce(t.id = (SELECT c.id FROM cut c), false) AS is_end
          FROM merged t
        ) t
        WHERE (t.is_match OR t.is_end) AND (t.last_item_at, t.id) >= (
          coalesce((SELECT c.last_item_at FROM cut c), '-infinity'::timestamptz), coalesce((SELECT c.id FROM cut c), ''))
        ${order("t")} LIMIT ${sql.literal(`${wanted}`)}
      )
      SELECT ${columns(scope.scope.workspaceId)}, t.is_match, t.is_end FROM found t ${joins(scope.scope.workspaceId)} ${order("t")}`
  }
})
