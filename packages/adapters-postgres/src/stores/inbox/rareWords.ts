import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { one } from "../../rows/rows.ts"

const RareRow = Schema.Struct({ is_rare: Schema.Boolean })

/** Items that have all words of a search, at most, for which they are read by the index of words and put into order. */
const mostHits = 5_000

/** Where more than one in a hundred of the newest items has them, more than that have them in a workspace that is large. */
const sample = { newest: 2_000, most: 20 } as const

/** Words of few items, for which the index of words is read: it has no order, so that others are not for it. */
export const makeRareWords = Effect.gen(function* () {
  const sql = yield* SqlClient
  const decode = one(RareRow)

  /**
   * Only the index of words leads here: the mark of the workspace stands before each of them. Sent unprepared, so that the
   * plan is made for these words and this workspace: by one that is made for any, all of a large workspace would be read.
   */
  const hits = (
    workspaceId: WorkspaceId,
    words: string
  ) => sql`SELECT w.workspace_id, w.account_id, w.source, w.external_id, w.thread_key,
      w.received_at, w.id
    FROM item_words w WHERE w.workspace_id = ${workspaceId} AND w.words @@ ${words}::tsquery LIMIT ${sql.literal(`${mostHits + 1}`)}`

  const noteHits = (workspaceId: WorkspaceId, words: string) => sql`SELECT n.account_id, n.thread_id
    FROM thread_notes n WHERE n.workspace_id = ${workspaceId} AND n.words @@ ${words}::tsquery
    LIMIT ${sql.literal(`${mostHits + 1}`)}`

  /**
   * Whether few enough items have the words, and notes where threads are searched. The index takes as long as there are
   * items with them to count any.
   */
  const isRare = Effect.fnUntraced(function* (workspaceId: WorkspaceId, words: string, what: "items" | "threads") {
    const areFewNotes =
      what === "items"
        ? sql`true`
        : sql`(SELECT count(*) <= ${mostHits}::bigint FROM (${noteHits(workspaceId, words)}) n)`
    const { is_rare } = yield* decode(
      sql`SELECT CASE
        WHEN (SELECT count(*) FILTER (WHERE n.words @@ ${words}::tsquery) FROM (
          SELECT w.words FROM item_words w WHERE w.workspace_id = ${workspaceId}
          ORDER BY w.received_at DESC, w.id DESC LIMIT ${sql.literal(`${sample.newest}`)}
        ) n) > ${sample.most}::bigint THEN false
        ELSE (SELECT count(*) <= ${mostHits}::bigint FROM (${hits(workspaceId, words)}) h) AND ${areFewNotes}
      END AS is_rare`.unprepared
    )
    return is_rare
  })

  return { hits, isRare, noteHits }
})
