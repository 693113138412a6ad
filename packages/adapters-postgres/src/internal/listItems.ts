import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { networkOf, type Source } from "@loopbox/core/connectors/Source"
import type { ItemPosition } from "@loopbox/core/inbox/InboxItem"
import type { ItemPage, ItemQuery, ItemScope } from "@loopbox/core/inbox/InboxStore"
import { accountColumnsOf, readColumnsOf, toAssignee, toShown } from "./ItemRow.ts"
import { type ListedRow, listedRows } from "./ListedRow.ts"
import { at } from "./rows.ts"
import { storable } from "./text.ts"

/** Rows that a filter without an index of its own may read, in pages (design §4). */
const readsPerItem = 20

/** Whether a query is for all accounts, which have indexes of their own, or for those of a user or of an id. */
const isOfAccounts = ({ scope }: ItemScope, query: ItemQuery): boolean =>
  scope._tag === "ManagedUserScope" || Option.isSome(query.accountId)

interface Conditions {
  /** Answered by the index, so that every row read is a row given. */
  readonly driving: ReadonlyArray<Fragment>
  /** Judged on the rows that the index gives. */
  readonly remaining: ReadonlyArray<Fragment>
}

const makeConditions = Effect.map(SqlClient, (sql) => {
  /** The narrowest filter first; one of them has an index, the others are judged on its rows. */
  const filtersOf = (query: ItemQuery): ReadonlyArray<Fragment> => [
    ...Option.toArray(Option.map(query.threadKey, (key) => sql`i.thread_key = ${storable(key)}`)),
    ...Option.toArray(Option.map(query.assignedTo, (name) => sql`i.assignee = ${storable(toAssignee(name))}`)),
    ...Option.toArray(Option.map(query.threadStatus, (status) => sql`i.thread_status = ${status}`)),
    ...Option.toArray(Option.map(query.isRead, (isRead) => (isRead ? sql`i.is_read` : sql`NOT i.is_read`)))
  ]

  return (query: ItemQuery): Conditions => {
    const filters = filtersOf(query)
    const isOwn = Option.toArray(Option.map(query.isOwn, (own) => (own ? sql`i.is_own` : sql`NOT i.is_own`)))
    // What is read already has no index: it is nearly all of a large inbox.
    const hasIndex = filters.length > 1 || !Option.contains(query.isRead, true)
    return hasIndex
      ? { driving: filters.slice(0, 1), remaining: [...filters.slice(1), ...isOwn] }
      : { driving: [], remaining: [...filters, ...isOwn] }
  }
})

/** What a statement is built from. */
interface Plan extends Conditions {
  readonly scope: ItemScope
  readonly query: ItemQuery
  readonly sources: ReadonlyArray<Source>
  /** Rows of the last, outermost limit: one more than asked. */
  readonly wanted: number
  readonly most: number
}

const makeStatements = Effect.map(SqlClient, (sql) => {
  const order = (table: string) => sql.literal(`ORDER BY ${table}.received_at DESC, ${table}.id DESC`)
  const limit = (count: number) => sql.literal(`LIMIT ${Math.trunc(count)}`)
  const none = sql.literal("")
  const and = (parts: ReadonlyArray<Fragment>) => (parts.length === 0 ? none : sql`AND ${sql.and(parts)}`)
  const matches = (parts: ReadonlyArray<Fragment>) => (parts.length === 0 ? sql.literal("true") : sql.and(parts))

  /** Bounds of the keyset and of time: they narrow the index, too. */
  const within = ({ after, receivedAfter, receivedBefore }: ItemQuery) => [
    ...Option.toArray(
      Option.map(after, ({ id, receivedAt }) => sql`(i.received_at, i.id) < (${at(receivedAt)}, ${id})`)
    ),
    ...Option.toArray(Option.map(receivedAfter, (moment) => sql`i.received_at >= ${at(moment)}`)),
    ...Option.toArray(Option.map(receivedBefore, (moment) => sql`i.received_at < ${at(moment)}`))
  ]

  /** The rows that were found, as readers see them. */
  const shown = ({ scope: { scope } }: Plan, isMatch: Fragment) => sql`
    SELECT ${sql.literal(readColumnsOf("f"))}, ${sql.literal(accountColumnsOf("a"))}, f.is_end, ${isMatch} AS is_match
    FROM found f
    JOIN social_accounts a ON a.workspace_id = ${scope.workspaceId} AND a.id = f.account_id
    ${order("f")}`

  /**
   * All accounts of a workspace. Each source has its place in the index; their union is merged row by row, so that no
   * more are read than are given: for the planner to see that, order and limit stand at each of them and at the union.
   * Items of accounts that are disconnected are passed over.
   */
  const ofWorkspace = (plan: Plan) => {
    const { driving, most, query, remaining, sources, wanted } = plan
    const { workspaceId } = plan.scope.scope
    const branches = sources.map(
      (source) => sql`(SELECT ${sql.literal(readColumnsOf("i"))} FROM items i
        WHERE i.workspace_id = ${workspaceId} AND i.source = ${source} AND i.kind = 'live'
          ${and([...driving, ...within(query)])} ${order("i")} ${limit(most)})`
    )
    const union = branches.reduce((left, right) => sql`${left} UNION ALL ${right}`)
    const isMatch = matches([
      ...remaining,
      sql`i.account_id <> ALL (ARRAY(SELECT id FROM social_accounts
        WHERE workspace_id = ${workspaceId} AND status = 'disconnected'))`
    ])
    return sql`
      WITH found AS MATERIALIZED (
        SELECT * FROM (
          SELECT i.*, ${isMatch} AS is_match, row_number() OVER (${order("i")}) = ${most}::bigint AS is_end
          FROM (SELECT u.* FROM (${union}) u ${order("u")} ${limit(most)}) i
        ) i WHERE i.is_match OR i.is_end ${order("i")} ${limit(wanted)}
      ) ${shown(plan, sql`f.is_match`)}`
  }

  /** The accounts of a scope now, each with its sources: read in the statement that reads their items. */
  const branches = (plan: Plan, heads: number) => {
    const { driving, query, sources } = plan
    const { scope } = plan.scope
    const owned = scope._tag === "ManagedUserScope" ? [sql`a.external_user_id = ${storable(scope.externalUserId)}`] : []
    const named = Option.toArray(Option.map(query.accountId, (id) => sql`a.id = ${id}`))
    return sql`branch AS MATERIALIZED (
      SELECT a.id AS account_id, s.source, h.received_at, h.id
      FROM social_accounts a
      JOIN unnest(${sources}::text[], ${sources.map(networkOf)}::text[]) AS s (source, network)
        ON s.network = a.network
      CROSS JOIN LATERAL (
        SELECT i.received_at, i.id FROM items i
        WHERE i.workspace_id = ${scope.workspaceId} AND i.account_id = a.id AND i.source = s.source
          AND i.kind = 'live' ${and([...driving, ...within(query)])} ${order("i")} LIMIT 1
      ) h
      WHERE a.workspace_id = ${scope.workspaceId} AND a.status <> 'disconnected' ${and([...owned, ...named])}
      ${order("h")} ${limit(heads)}
    )`
  }

  const itemsOfBranch = ({ driving, query, scope: { scope } }: Plan, more: ReadonlyArray<Fragment>) => sql`
    FROM items i
    WHERE i.workspace_id = ${scope.workspaceId} AND i.account_id = b.account_id AND i.source = b.source
      AND i.kind = 'live' ${and([...driving, ...within(query), ...more])} ${order("i")}`

  /**
   * Some accounts, merged by their newest items: an account whose newest is older than a page's worth of others' gives
   * nothing to the page, and none gives what is older than the last of those newest ones.
   */
  const ofAccounts = (plan: Plan) => {
    const { wanted } = plan
    const isNewEnough = sql`(i.received_at, i.id) >= (fl.received_at, fl.id)`
    return sql`
      WITH ${branches(plan, wanted)},
      floor AS MATERIALIZED (
        SELECT coalesce(max(l.received_at), '-infinity'::timestamptz) AS received_at, coalesce(max(l.id), '') AS id
        FROM (SELECT b.received_at, b.id FROM branch b ${order("b")} OFFSET ${wanted - 1}::bigint LIMIT 1) l
      ),
      found AS MATERIALIZED (
        SELECT x.*, false AS is_end FROM branch b CROSS JOIN floor fl CROSS JOIN LATERAL (
          SELECT ${sql.literal(readColumnsOf("i"))} ${itemsOfBranch(plan, [isNewEnough])} ${limit(wanted)}
        ) x ${order("x")} ${limit(wanted)}
      ) ${shown(plan, sql.literal("true"))}`
  }

  /**
   * The same with filters that no index has. The reads are shared out among the accounts; the page ends where the
   * first of them was cut off, for nothing is known of what it has behind.
   */
  const ofAccountsFiltered = (plan: Plan) => {
    const { most, remaining, wanted } = plan
    return sql`
      WITH ${branches(plan, most)},
      share AS MATERIALIZED (SELECT greatest(1, ${most}::bigint / greatest(1, count(*))) AS rows FROM branch),
      looked AS MATERIALIZED (
        SELECT x.* FROM branch b CROSS JOIN LATERAL (
          SELECT ${sql.literal(readColumnsOf("i"))}, row_number() OVER (${order("i")}) AS place
          ${itemsOfBranch(plan, [])} LIMIT (SELECT rows FROM share)
        ) x
      ),
      cut AS MATERIALIZED (
        SELECT l.received_at, l.id FROM looked l WHERE l.place = (SELECT rows FROM share) ${order("l")} LIMIT 1
      ),
      found AS MATERIALIZED (
        SELECT i.*, ${matches(remaining)} AS is_match, coalesce(i.id = c.id, false) AS is_end
        FROM looked i LEFT JOIN cut c ON true
        WHERE i.id = c.id
          OR (${matches(remaining)} AND (c.id IS NULL OR (i.received_at, i.id) > (c.received_at, c.id)))
        ${order("i")} ${limit(wanted)}
      ) ${shown(plan, sql`f.is_match`)}`
  }

  return (plan: Plan) => {
    if (!isOfAccounts(plan.scope, plan.query)) return ofWorkspace(plan)
    return plan.remaining.length === 0 ? ofAccounts(plan) : ofAccountsFiltered(plan)
  }
})

const position = ({ id, received_at }: ListedRow): ItemPosition => ({
  receivedAt: DateTime.fromDateUnsafe(received_at),
  id
})

const toItemPage = (rows: ReadonlyArray<ListedRow>, limit: number): ItemPage => {
  const found = rows.filter((row) => row.is_match)
  const page = found.slice(0, limit)
  const last = found.length > limit ? page[page.length - 1] : rows.findLast((row) => row.is_end)
  return { items: page.map(toShown), next: Option.map(Option.fromUndefinedOr(last), position) }
}

/** A list's page, in one statement (design §4). */
export const makeListItems = Effect.gen(function* () {
  const conditionsOf = yield* makeConditions
  const statementOf = yield* makeStatements
  return Effect.fnUntraced(function* (scope: ItemScope, query: ItemQuery) {
    const sources = Array.from(scope.sources).filter((source) =>
      Option.match(query.source, { onNone: () => true, onSome: (asked) => asked === source })
    )
    const isEmpty =
      sources.length === 0 ||
      Option.exists(Option.all([query.receivedAfter, query.receivedBefore]), ([from, to]) =>
        DateTime.isGreaterThanOrEqualTo(from, to)
      )
    if (isEmpty) return { items: [], next: Option.none() }
    const { limit } = query
    const statement = statementOf({
      ...conditionsOf(query),
      scope,
      query,
      sources,
      wanted: limit + 1,
      most: limit * readsPerItem
    })
    return toItemPage(yield* listedRows(statement), limit)
  })
})
