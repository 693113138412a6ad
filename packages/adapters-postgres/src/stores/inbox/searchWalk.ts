import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { ItemPosition } from "@loopbox/core/items/InboxItem"
import { InboxItemId } from "@loopbox/core/kernel/Ids"
import { listedColumnsOf } from "../../rows/ItemRow.ts"
import { listedRows } from "../../rows/ListedRow.ts"
import { plain, shaped } from "../../rows/rows.ts"
import { itemOfHit } from "./itemLookUp.ts"
import { makeListParts } from "./listParts.ts"
import { type Found, isOfAccounts, type ListPlan } from "./listPlan.ts"

const WalkedRow = Schema.Struct({
  account_id: Schema.String,
  source: Schema.String,
  external_id: Schema.String,
  received_at: plain.moment,
  id: InboxItemId,
  is_hit: Schema.Boolean,
  /** The last row that was looked at, where there may be more behind it. */
  is_last: Schema.Boolean
})
type WalkedRow = typeof WalkedRow.Type

/** How far a walk goes. */
export interface Steps {
  /** Words of items that are looked at. */
  readonly looked: number
  /** Items that have the words, which are read and judged by the other filters. */
  readonly judged: number
}

const endOf = (walked: ReadonlyArray<WalkedRow>, { judged }: Steps): Option.Option<ItemPosition> => {
  const last = walked[walked.length - 1]
  return last !== undefined && (last.is_last || walked.length >= judged)
    ? Option.some({ receivedAt: DateTime.fromDateUnsafe(last.received_at), id: last.id })
    : Option.none()
}

/**
 * The list of a search, found by the words of the workspace's items, from the newest on. Looking at an item's words costs
 * a thirtieth of reading the item.
 */
export const makeSearchWalk = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accounts, and, isShown, limit, order, shown, within } = yield* makeListParts
  const columns = sql.literal(listedColumnsOf("i"))
  const decode = shaped(WalkedRow)

  const hitsOf = (plan: ListPlan, words: string, { judged, looked }: Steps) => {
    const isOfScope = isOfAccounts(plan)
      ? sql`i.account_id IN (SELECT a.id FROM social_accounts a WHERE ${accounts(plan)})`
      : isShown(plan, "i.account_id")
    return sql`SELECT i.account_id, i.source, i.external_id, i.received_at, i.id, i.is_hit, i.is_last FROM (
        SELECT i.*, row_number() OVER (${order("i")}) = ${looked}::bigint AS is_last FROM (
          SELECT i.account_id, i.source, i.external_id, i.received_at, i.id,
            i.words @@ ${words}::tsquery AND i.source = ANY(${plan.sources}::text[]) AND ${isOfScope} AS is_hit
          FROM item_words i WHERE i.workspace_id = ${plan.scope.scope.workspaceId} ${and(within(plan.query))}
          ${order("i")} ${limit(looked)}
        ) i
      ) i WHERE i.is_hit OR i.is_last ${order("i")} ${limit(judged)}`
  }

  const listOf = (plan: ListPlan, hits: ReadonlyArray<WalkedRow>) => sql`
    WITH found AS MATERIALIZED (
      SELECT i.*, true AS is_match, false AS is_end FROM (
        SELECT * FROM unnest(${hits.map((hit) => hit.account_id)}::text[], ${hits.map(({ source }) => source)}::text[],
          ${hits.map((hit) => hit.external_id)}::text[]) WITH ORDINALITY AS h (account_id, source, external_id, place)
        ORDER BY h.place
      ) h CROSS JOIN LATERAL (
        SELECT ${columns} FROM (${itemOfHit(sql, plan.scope.scope.workspaceId)}) i WHERE i.kind = 'live' ${and(plan.whole)}
      ) i ORDER BY h.place ${limit(plan.wanted)}
    ) ${shown(plan)}`

  return Effect.fnUntraced(function* (plan: ListPlan, words: string, steps: Steps) {
    const walked = yield* decode(hitsOf(plan, words, steps))
    const hits = walked.filter((row) => row.is_hit)
    const found: Found = {
      rows: hits.length === 0 ? [] : yield* listedRows(listOf(plan, hits)),
      end: endOf(walked, steps)
    }
    return found
  })
})
