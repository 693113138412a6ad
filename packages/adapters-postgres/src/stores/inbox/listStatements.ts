import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { carriedColumnsOf, listedColumnsOf } from "../../rows/ItemRow.ts"
import type { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { makeListParts } from "./listParts.ts"
import { isOfAccounts, type ListPlan } from "./listPlan.ts"

/**
 * Branches: runs of items that an index has in the list's order, each with its newest one. They are merged by it. The
 * scope's accounts, which own them now, are read in the same statement.
 */
const makeBranches = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accounts, and, isShown, limit, order, within } = yield* makeListParts

  const itemsOf = ({ query, scope: { scope } }: ListPlan, branch: Fragment, more: ReadonlyArray<Fragment>) => sql`
    FROM items i
    WHERE i.workspace_id = ${scope.workspaceId} AND ${branch} AND i.kind = 'live' ${and([...within(query), ...more])}
    ${order("i")}`

  /** One for each account and source. */
  const ofAccounts = (plan: ListPlan) => sql`
    SELECT a.id AS account_id, s.source, NULL::text AS thread_key, h.received_at, h.id
    FROM social_accounts a
    JOIN unnest(${plan.sources}::text[], ${plan.networks}::text[]) AS s (source, network)
      ON s.network = a.network
    CROSS JOIN LATERAL (SELECT i.received_at, i.id
      ${itemsOf(plan, sql`i.account_id = a.id AND i.source = s.source`, plan.driving)} LIMIT 1) h
    WHERE ${accounts(plan)}`

  /** One for each large thread that is in the state that is asked for. */
  const ofLargeThreads = (plan: ListPlan, state: ReadonlyArray<Fragment>) => {
    const isOfThread = sql`i.account_id = t.account_id AND i.source = t.source AND i.thread_key = t.thread_key`
    const isOfScope = isOfAccounts(plan)
      ? sql`t.account_id IN (SELECT a.id FROM social_accounts a WHERE ${accounts(plan)})`
      : isShown(plan, "t.account_id")
    return sql`
      SELECT t.account_id, t.source, t.thread_key, h.received_at, h.id FROM threads t
      CROSS JOIN LATERAL (SELECT i.received_at, i.id ${itemsOf(plan, isOfThread, [])} LIMIT 1) h
      WHERE t.workspace_id = ${plan.scope.scope.workspaceId} AND t.is_large
        AND t.source = ANY(${plan.sources}::text[]) AND ${isOfScope} ${and(state)}`
  }

  /** A workspace's other items have an index of their own. */
  const kindsOf = (plan: ListPlan): ReadonlyArray<Fragment> => [
    ...(isOfAccounts(plan) ? [ofAccounts(plan)] : []),
    ...Option.toArray(Option.map(plan.large, (state) => ofLargeThreads(plan, state)))
  ]

  /** The branches with the newest heads. */
  const heads = (plan: ListPlan, count: number) => sql`
    SELECT h.* FROM (${kindsOf(plan).reduce((left, right) => sql`${left} UNION ALL ${right}`)}) h
    ${order("h")} ${limit(count)}`

  /** Columns of the newest items of one `branch b`; the part for branches of the other kind reads nothing. */
  const items = (plan: ListPlan, columns: Fragment, more: ReadonlyArray<Fragment>, count: Fragment) => {
    const isOf = sql`i.account_id = b.account_id AND i.source = b.source`
    const parts = [
      ...(isOfAccounts(plan) ? [itemsOf(plan, isOf, [...plan.driving, sql`b.thread_key IS NULL`, ...more])] : []),
      ...(Option.isSome(plan.large) ? [itemsOf(plan, sql`${isOf} AND i.thread_key = b.thread_key`, more)] : [])
    ]
    return parts
      .map((part) => sql`(SELECT ${columns} ${part} LIMIT ${count})`)
      .reduce((left, right) => sql`${left} UNION ALL ${right}`)
  }

  return { heads, items }
})

/** The two ways in which branches are merged: CTEs that end in `merged`, and `cut`, where they have to end. */
const makeMerging = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { limit, order } = yield* makeListParts
  const { heads, items } = yield* makeBranches
  const columns = sql.literal(listedColumnsOf("i"))

  /**
   * A branch whose newest item is older than a page's worth of others' gives nothing to the page, and none gives what
   * is older than the last of those newest ones.
   */
  const byNewest = (plan: ListPlan) => {
    const { wanted } = plan
    const isNewEnough = sql`(i.received_at, i.id) >= (fl.received_at, fl.id)`
    return sql`
      branch AS MATERIALIZED (${heads(plan, wanted)}),
      floor AS MATERIALIZED (
        SELECT coalesce(max(l.received_at), '-infinity'::timestamptz) AS received_at, coalesce(max(l.id), '') AS id
        FROM (SELECT b.received_at, b.id FROM branch b ${order("b")} OFFSET ${wanted - 1}::bigint LIMIT 1) l
      ),
      merged AS MATERIALIZED (
        SELECT x.* FROM branch b CROSS JOIN floor fl
          CROSS JOIN LATERAL (${items(plan, columns, [isNewEnough], sql.literal(`${wanted}`))}) x
        ${order("x")} ${limit(wanted)}
      ),
      cut AS MATERIALIZED (SELECT m.received_at, m.id FROM merged m WHERE false)`
  }

  /**
   * With filters that no index has. The reads are shared out among the branches; the page ends where the first of them
   * was cut off, for nothing is known of what it has behind.
   */
  const byShare = (plan: ListPlan) => {
    const numbered = sql`${columns}, row_number() OVER (${order("i")}) AS place`
    return sql`
      branch AS MATERIALIZED (${heads(plan, plan.most)}),
      share AS MATERIALIZED (SELECT greatest(1, ${plan.most}::bigint / greatest(1, count(*))) AS rows FROM branch),
      merged AS MATERIALIZED (
        SELECT x.* FROM branch b
          CROSS JOIN LATERAL (${items(plan, numbered, [], sql.literal("(SELECT rows FROM share)"))}) x
      ),
      cut AS MATERIALIZED (
        SELECT m.received_at, m.id FROM merged m WHERE m.place = (SELECT rows FROM share) ${order("m")} LIMIT 1
      )`
  }

  return (plan: ListPlan) => (plan.remaining.length === 0 ? byNewest(plan) : byShare(plan))
})

/** The statement of a list's page. */
export const makeListStatements = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accounts, and, isShown, limit, matches, order, shown, within } = yield* makeListParts
  const merging = yield* makeMerging
  const columns = sql.literal(listedColumnsOf("i"))

  /** Of the merged branches nothing is given from behind the cut. */
  const isBeforeCut = sql.literal(`(i.received_at, i.id) >= (
    coalesce((SELECT c.received_at FROM cut c), '-infinity'::timestamptz), coalesce((SELECT c.id FROM cut c), ''))`)
  const isCut = sql.literal("coalesce(i.id = (SELECT c.id FROM cut c), false)")

  /**
   * All accounts of a workspace. Each source has its place in the index; their union is merged row by row, so that no
   * more are read than are given: for the planner to see that, order and limit stand at each of them and at the union.
   * Items of accounts that are disconnected are passed over.
   */
  const ofWorkspace = (asked: ListPlan) => {
    const hasMerged = Option.isSome(asked.large)
    // One half for the items that the index has, the other for those of large threads.
    const plan = hasMerged ? { ...asked, most: Math.ceil(asked.most / 2) } : asked
    const { driving, most, query, remaining, sources, wanted } = plan
    const { workspaceId } = plan.scope.scope
    const ofSources = sources.map(
      (source) => sql`(SELECT ${columns} FROM items i
        WHERE i.workspace_id = ${workspaceId} AND i.source = ${source} AND i.kind = 'live'
          ${and([...driving, ...within(query)])} ${order("i")} ${limit(most)})`
    )
    const parts = hasMerged
      ? [...ofSources, sql`(SELECT ${sql.literal(carriedColumnsOf("i"))} FROM merged i ${order("i")})`]
      : ofSources
    const union = parts.reduce((left, right) => sql`${left} UNION ALL ${right}`)
    const isMatch = matches([...remaining, isShown(plan, "i.account_id")])
    const isLast = sql`row_number() OVER (${order("i")}) = ${most}::bigint`
    return sql`
      WITH ${hasMerged ? sql`${merging(plan)},` : sql.literal("")} found AS MATERIALIZED (
        SELECT * FROM (
          SELECT i.*, ${isMatch} AS is_match, ${hasMerged ? sql`(${isLast} OR ${isCut})` : isLast} AS is_end
          FROM (SELECT u.* FROM (${union}) u ${order("u")} ${limit(most)}) i
          ${hasMerged ? sql`WHERE ${isBeforeCut}` : sql.literal("")}
        ) i WHERE i.is_match OR i.is_end ${order("i")} ${limit(wanted)}
      ) ${shown(plan)}`
  }

  /**
   * One account: the newest of each of its sources, and of these the newest. Items stand in it once, for a distributed database
   * plans each mention of them, on two servers, with every call.
   */
  const ofAccount = (plan: ListPlan, accountId: SocialAccountId) => {
    const { driving, query, sources, wanted } = plan
    return sql`
      WITH found AS MATERIALIZED (
        SELECT i.* FROM (VALUES ${sql.csv(sources.map((source) => sql`(${source}::text)`))}) s (source)
          CROSS JOIN LATERAL (
            SELECT ${columns}, true AS is_match, false AS is_end FROM items i
            WHERE i.workspace_id = ${plan.scope.scope.workspaceId} AND i.account_id = ${accountId} AND i.source = s.source
              AND i.kind = 'live' ${and([...driving, ...within(query)])} ${order("i")} ${limit(wanted)}
          ) i ${order("i")} ${limit(wanted)}
      ) ${shown(plan, [accounts(plan)])}`
  }

  const ofAccounts = (plan: ListPlan) => {
    const isMatch = matches(plan.remaining)
    return sql`
      WITH ${merging(plan)}, found AS MATERIALIZED (
        SELECT i.*, ${isMatch} AS is_match, ${isCut} AS is_end FROM merged i
        WHERE ${isBeforeCut} AND (${isCut} OR ${isMatch}) ${order("i")} ${limit(plan.wanted)}
      ) ${shown(plan)}`
  }

  return (plan: ListPlan) => {
    const { large, query, remaining } = plan
    // With a filter that no index has, or threads that are read one by one, reads are shared out among the branches.
    if (Option.isSome(query.accountId) && remaining.length === 0 && Option.isNone(large)) {
      return ofAccount(plan, query.accountId.value)
    }
    return isOfAccounts(plan) ? ofAccounts(plan) : ofWorkspace(plan)
  }
})
