import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { listedColumnsOf } from "../../rows/ItemRow.ts"
import { listedRows } from "../../rows/ListedRow.ts"
import { one } from "../../rows/rows.ts"
import { makeListParts } from "./listParts.ts"
import { foundOf, type ListPlan } from "./listPlan.ts"

const RareRow = Schema.Struct({ is_rare: Schema.Boolean })

/** Items that have all words of a search, at most, for which they are read by the index of words and put into order. */
const mostHits = 5_000

/** Where more than one in a hundred of the newest items has them, more than that have them in a workspace that is large. */
const sample = { newest: 2_000, most: 20 } as const

/**
 * The list of a search for words that few items have: all of them are read by the index of words, and put into the list's
 * order. That index has no order of its own, so that words of many items are not for it: see docs/decisions/0016.
 */
export const makeSearchRare = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { accounts, and, limit, order, shown, within } = yield* makeListParts
  const columns = sql.literal(listedColumnsOf("i"))

  /** Only the index of words leads here: the mark of the workspace stands before each of them. */
  const hits = (words: string) => sql`SELECT w.workspace_id, w.account_id, w.source, w.external_id, w.received_at, w.id
    FROM item_words w WHERE w.words @@ ${words}::tsquery ${limit(mostHits + 1)}`

  /** Whether few enough items have the words. The index takes as long as there are items with them to count any. */
  const isRare = ({ scope: { scope } }: ListPlan, words: string) => sql`SELECT CASE
      WHEN (SELECT count(*) FILTER (WHERE n.words @@ ${words}::tsquery) FROM (
        SELECT i.words FROM item_words i WHERE i.workspace_id = ${scope.workspaceId} ${order("i")} ${limit(sample.newest)}
      ) n) > ${sample.most}::bigint THEN false
      ELSE (SELECT count(*) <= ${mostHits}::bigint FROM (${hits(words)}) h)
    END AS is_rare`

  const list = (plan: ListPlan, words: string) => {
    const { query, scope, sources, wanted } = plan
    const { workspaceId } = scope.scope
    return sql`
      WITH hits AS MATERIALIZED (${hits(words)}),
      found AS MATERIALIZED (
        SELECT i.*, true AS is_match, false AS is_end FROM (
          SELECT i.* FROM hits i WHERE i.workspace_id = ${workspaceId} AND i.source = ANY(${sources}::text[])
            AND i.account_id IN (SELECT a.id FROM social_accounts a WHERE ${accounts(plan)}) ${and(within(query))}
        ) h CROSS JOIN LATERAL (
          SELECT ${columns} FROM items i WHERE i.workspace_id = ${workspaceId} AND i.account_id = h.account_id
            AND i.source = h.source AND i.external_id = h.external_id AND i.kind = 'live' ${and(plan.whole)}
        ) i ${order("h")} ${limit(wanted)}
      ) ${shown(plan)}`
  }

  /** The rows of the list; none where too many items have the words. */
  return Effect.fnUntraced(function* (plan: ListPlan, words: string) {
    // Whatever the planner takes the words for, it is never better to read all items of all workspaces.
    yield* sql`SELECT set_config('enable_seqscan', 'off', true)`
    const { is_rare: isRareEnough } = yield* one(RareRow)(isRare(plan, words))
    return isRareEnough ? Option.some(foundOf(yield* listedRows(list(plan, words)))) : Option.none()
  }, sql.withTransaction)
})
