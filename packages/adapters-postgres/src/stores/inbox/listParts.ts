import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Networks } from "@loopbox/core/networks/Networks"
import type { ItemQuery } from "@loopbox/core/inbox/InboxStore"
import { accountColumnsOf, isLargeThreadOf, newestInboundOf, shownColumnsOf } from "../../rows/ItemRow.ts"
import { at } from "../../rows/rows.ts"
import { storable } from "../../rows/text.ts"
import type { ListPlan } from "./listPlan.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

/** Parts of statements that have nothing to do with each other's order. */
export const makeListParts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const newestInbound = inWorkspace(sql, newestInboundOf(yield* Networks, "f"))
  const isLargeThread = inWorkspace(sql, isLargeThreadOf("f"))
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

  /** The scope's accounts now, as a condition on `social_accounts a`. */
  const accounts = ({ query, scope: { scope } }: ListPlan) => {
    const owned = scope._tag === "ManagedUserScope" ? [sql`a.external_user_id = ${storable(scope.externalUserId)}`] : []
    const named = Option.toArray(Option.map(query.accountId, (id) => sql`a.id = ${id}`))
    return sql`a.workspace_id = ${scope.workspaceId} AND a.status <> 'disconnected' ${and([...owned, ...named])}`
  }

  /** The same for all of a workspace: few of its accounts are hidden, and their index has no others. */
  const isShown = ({ scope: { scope } }: ListPlan, accountId: string) => sql`${sql.literal(accountId)} <> ALL (ARRAY(
    SELECT id FROM social_accounts WHERE workspace_id = ${scope.workspaceId} AND status = 'disconnected'))`

  /** The rows that were found, as readers see them; `more`: what their account `a` has to be. */
  const shown = ({ scope: { scope } }: ListPlan, more: ReadonlyArray<Fragment> = []) => sql`
    SELECT ${sql.literal(shownColumnsOf("f"))}, ${newestInbound(scope.workspaceId)}, ${sql.literal(accountColumnsOf("a"))},
      f.is_end, f.is_match
    FROM found f
    JOIN social_accounts a ON a.workspace_id = ${scope.workspaceId} AND a.id = f.account_id ${and(more)}
    LEFT JOIN threads t ON ${isLargeThread(scope.workspaceId)}
    ${order("f")}`

  return { shown, order, limit, and, matches, within, accounts, isShown }
})
