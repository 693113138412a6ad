import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { isSettledByIndex } from "@loopbox/core/search/indexWords"
import { matchesSearch, type SearchQuery } from "@loopbox/core/search/SearchQuery"
import { type ListedThreadRow, listedThreads } from "../../rows/ListedThreadRow.ts"
import { all, plain } from "../../rows/rows.ts"
import { shownThreadColumns, shownThreadJoins } from "../../rows/ThreadRow.ts"
import { makeRareWords } from "../inbox/rareWords.ts"
import { makeSearching } from "../inbox/searching.ts"
import { type FoundThreads, foundOf, makeRuns, makeThreadStatement, placeOf, type ThreadPlan } from "./threadRuns.ts"
import { inWorkspace } from "../../rows/inWorkspace.ts"

/** Threads that are looked at first, and where many items have the words, but none of the threads at the top. */
const near = 500
const far = 8_000

/** Items, and notes, of a thread whose texts are compared where the index alone can't tell; the newest that it finds. */
const mostTexts = 100

const TextRow = Schema.Struct({ place: Schema.Int, body: Schema.String, author_name: plain.text })

/** Threads of few items and notes that have the words: all of them are found by the index of words, and put into order. */
const makeFindRare = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { hits, isRare, noteHits } = yield* makeRareWords
  const { conditionsOf, isOfScope, order } = yield* makeRuns
  const columns = inWorkspace(sql, shownThreadColumns)
  const joins = inWorkspace(sql, shownThreadJoins)

  const list = (plan: ThreadPlan, words: string) => {
    const { workspaceId } = plan.scope.scope
    return sql`
      WITH hits AS MATERIALIZED (${hits(workspaceId, words)}),
      noted AS MATERIALIZED (${noteHits(workspaceId, words)}),
      found AS MATERIALIZED (
        SELECT t.*, true AS is_match, false AS is_end FROM (
          SELECT t.account_id, t.source, t.thread_key FROM hits t
          WHERE t.workspace_id = ${workspaceId} AND t.source = ANY(${plan.sources}::text[]) AND ${isOfScope(plan)}
          UNION
          SELECT t.account_id, t.source, t.thread_key FROM noted n
          JOIN threads t ON t.workspace_id = ${workspaceId} AND t.id = n.thread_id AND t.account_id = n.account_id
          WHERE t.source = ANY(${plan.sources}::text[]) AND ${isOfScope(plan)}
        ) h CROSS JOIN LATERAL (
          SELECT t.* FROM threads t WHERE t.workspace_id = ${workspaceId} AND t.account_id = h.account_id
            AND t.source = h.source AND t.thread_key = h.thread_key AND t.last_item_at IS NOT NULL
            ${conditionsOf(plan)} OFFSET 0
        ) t ${order("t")} LIMIT ${sql.literal(`${plan.wanted}`)}
      )
      SELECT ${columns(workspaceId)}, t.is_match, t.is_end FROM found t ${joins(workspaceId)}
      ${order("t")}`
  }

  return Effect.fnUntraced(function* (plan: ThreadPlan, words: string) {
    return (yield* isRare(plan.scope.scope.workspaceId, words, "threads"))
      ? Option.some(foundOf(yield* listedThreads(list(plan, words), "unprepared")))
      : Option.none()
  })
})

/** Leaves out threads that the index of words found by mistake: where the parts of a word lie is not kept. */
export const makeKeepSearched = Effect.map(SqlClient, (sql) => {
  const decode = all(TextRow)
  const texts = (workspaceId: WorkspaceId, words: string, rows: ReadonlyArray<ListedThreadRow>) => sql`
    SELECT h.place::integer AS place, i.body, i.author_name
    FROM unnest(${rows.map((row) => row.account_id)}::text[], ${rows.map(({ source }) => source)}::text[],
      ${rows.map((row) => row.thread_key)}::text[]) WITH ORDINALITY AS h (account_id, source, thread_key, place)
    CROSS JOIN LATERAL (
      SELECT w.external_id FROM item_words w WHERE w.workspace_id = ${workspaceId} AND w.account_id = h.account_id
        AND w.source = h.source AND w.thread_key = h.thread_key AND (w.words @@ ${words}::tsquery) IS TRUE
      ORDER BY w.received_at DESC, w.id DESC LIMIT ${sql.literal(`${mostTexts}`)}
    ) w
    JOIN items i ON i.workspace_id = ${workspaceId} AND i.account_id = h.account_id AND i.source = h.source
      AND i.external_id = w.external_id AND i.kind = 'live'
    UNION ALL
    SELECT h.place::integer, n.text, NULL
    FROM unnest(${rows.map((row) => row.account_id)}::text[],
      ${rows.map((row) => placeOf(row).id)}::text[]) WITH ORDINALITY AS h (account_id, thread_id, place)
    CROSS JOIN LATERAL (
      SELECT n.text FROM thread_notes n WHERE n.workspace_id = ${workspaceId} AND n.account_id = h.account_id
        AND n.thread_id = h.thread_id AND (n.words @@ ${words}::tsquery) IS TRUE
      ORDER BY n.created_at DESC, n.id DESC LIMIT ${sql.literal(`${mostTexts}`)}
    ) n`

  return Effect.fnUntraced(function* (
    workspaceId: WorkspaceId,
    search: SearchQuery,
    words: string,
    rows: ReadonlyArray<ListedThreadRow>
  ) {
    if (rows.length === 0 || isSettledByIndex(search)) return rows
    const found = (yield* decode(texts(workspaceId, words, rows))).filter(({ author_name, body }) =>
      matchesSearch(search, author_name === null ? [body] : [body, author_name])
    )
    const places = new Set(found.map(({ place }) => place))
    return rows.filter((_, n) => places.has(n + 1))
  })
})

/**
 * A page of a search (docs/decisions/0016). Threads of rare words are found first, for a thread is judged by reading the
 * words of all its items, until one has them; others by a walk from the newest on, after which the page may be short.
 */
export const makeSearchThreads = Effect.gen(function* () {
  const statementOf = yield* makeThreadStatement
  const findRare = yield* makeFindRare
  const searching = yield* makeSearching

  return Effect.fnUntraced(function* (plan: ThreadPlan, words: string) {
    const walk = (some: ThreadPlan, most: number) =>
      Effect.map(listedThreads(statementOf({ ...some, most, words: Option.some(words) })), foundOf)
    const rare = yield* findRare(plan, words)
    if (Option.isSome(rare)) return rare.value
    const newest = yield* walk(plan, near)
    if (newest.rows.length >= plan.wanted || Option.isNone(newest.end)) return newest
    const older = yield* walk({ ...plan, query: { ...plan.query, after: newest.end } }, far)
    const found: FoundThreads = { rows: [...newest.rows, ...older.rows], end: older.end }
    return found
  }, searching)
})
