import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { listedColumnsOf } from "../../rows/ItemRow.ts"
import { listedRows } from "../../rows/ListedRow.ts"
import { itemOfHit } from "./itemLookUp.ts"
import { makeListParts } from "./listParts.ts"
import { foundOf, type ListPlan } from "./listPlan.ts"
import { makeRareWords } from "./rareWords.ts"

/**
 * The list of a search for words that few items have: all of them are read by the index of words, and put into the list's
 * order (docs/decisions/0016).
 */
export const makeSearchRare = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accounts, and, limit, order, shown, within } = yield* makeListParts
  const { hits, isRare } = yield* makeRareWords
  const columns = sql.literal(listedColumnsOf("i"))

  const list = (plan: ListPlan, words: string) => {
    const { query, scope, sources, wanted } = plan
    const { workspaceId } = scope.scope
    return sql`
      WITH hits AS MATERIALIZED (${hits(workspaceId, words)}),
      found AS MATERIALIZED (
        SELECT i.*, true AS is_match, false AS is_end FROM (
          SELECT i.* FROM hits i WHERE i.workspace_id = ${workspaceId} AND i.source = ANY(${sources}::text[])
            AND i.account_id IN (SELECT a.id FROM social_accounts a WHERE ${accounts(plan)}) ${and(within(query))}
        ) h CROSS JOIN LATERAL (
          SELECT ${columns} FROM (${itemOfHit(sql, workspaceId)}) i WHERE i.kind = 'live' ${and(plan.whole)}
        ) i ${order("h")} ${limit(wanted)}
      ) ${shown(plan)}`
  }

  /** The rows of the list; none where too many items have the words. */
  return Effect.fnUntraced(function* (plan: ListPlan, words: string) {
    return (yield* isRare(plan.scope.scope.workspaceId, words, "items"))
      ? Option.some(foundOf(yield* listedRows(list(plan, words), "unprepared")))
      : Option.none()
  })
})
