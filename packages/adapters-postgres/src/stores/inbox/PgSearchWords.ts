import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { SearchWords } from "@loopbox/core/inbox/SearchWords"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { byWorkspace, makeOverAll } from "../../connection/allWorkspaces.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeInsertRows } from "../../rows/insertRows.ts"
import { namedRecords } from "../../rows/oneByOne.ts"
import { all, claimLimit, plain } from "../../rows/rows.ts"
import { isFoldedLess } from "../../migrations/0041_words_of_older_foldings.ts"
import { areWordsOf, itemOfHit } from "./itemLookUp.ts"
import { toVector } from "./wordVectors.ts"

const LeftRow = Schema.Struct({ workspace_id: WorkspaceId })

const UnwordedRow = Schema.Struct({
  account_id: Schema.String,
  source: Schema.String,
  external_id: Schema.String,
  thread_key: plain.text,
  is_live: Schema.Boolean,
  id: plain.text,
  received_at: Schema.NullOr(plain.moment),
  author_name: plain.text,
  body: plain.text
})

const ThreadRow = Schema.Struct({
  account_id: Schema.String,
  source: Schema.String,
  external_id: Schema.String,
  thread_key: Schema.String
})

const filledColumns = {
  account_id: "text",
  source: "text",
  external_id: "text",
  thread_key: "text",
  is_live: "boolean",
  id: "text",
  received_at: "timestamptz",
  words: "tsvector"
}

const UnwordedNote = Schema.Struct({ account_id: Schema.String, id: Schema.String, text: Schema.String })

/** Words of items and notes that were stored without. */
export const layer: Layer.Layer<SearchWords, never, SqlClient> = Layer.effect(
  SearchWords,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const few = yield* claimLimit
    const overAll = yield* makeOverAll
    const storeCall = yield* makeStoreCall
    const insertRows = makeInsertRows(sql)
    const key = sql.literal("account_id, source, external_id")

    /** Of which workspaces something is left; as many of each as are filled now. */
    const findLeft = (name: "words.missing" | "words.threads" | "words.folded", where: Fragment, limit: number) =>
      overAll(name, (among) =>
        all(LeftRow)(sql`SELECT workspace_id FROM ${where} ${among("workspace_id")}
          ORDER BY workspace_id, ${key} ${few(limit)}`)
      )

    /** Words of a version that did not keep their thread. Their rows are there, and locked. */
    const fillThreads = Effect.fnUntraced(function* (workspaceId: WorkspaceId, limit: number) {
      const rows = yield* all(ThreadRow)(sql`
        SELECT i.account_id, i.source, i.external_id, i.thread_key FROM (
          SELECT ${key} FROM item_words WHERE workspace_id = ${workspaceId} AND thread_key IS NULL
          ORDER BY workspace_id, ${key} ${few(limit)} FOR NO KEY UPDATE SKIP LOCKED
        ) h CROSS JOIN LATERAL (${itemOfHit(sql, workspaceId)}) i WHERE i.thread_key IS NOT NULL`)
      if (rows.length === 0) return 0
      yield* insertRows({
        workspaceId,
        table: "item_words",
        columns: ["account_id", "source", "external_id", "thread_key", "id", "received_at", "words"],
        rows: rows.map((row) => ({ ...row, id: "", received_at: "-infinity", words: "" })),
        rest: sql`ON CONFLICT (workspace_id, account_id, source, external_id) DO UPDATE SET thread_key = excluded.thread_key`
      })
      return rows.length
    }, sql.withTransaction)

    const foldedLess = sql.literal(isFoldedLess)

    /** Another process may be at it, or ingest changes some of them: those are its own, or the next batch's. */
    const fillItems = Effect.fnUntraced(function* (workspaceId: WorkspaceId, some: Fragment) {
      const rows = yield* all(UnwordedRow)(sql`
        SELECT i.account_id, i.source, i.external_id, i.thread_key, i.kind = 'live' AS is_live, i.id, i.received_at, i.author_name,
          i.body
        FROM ${some} FOR NO KEY UPDATE OF i SKIP LOCKED`)
      const filled = rows.map((row) => ({
        ...row,
        body: null,
        author_name: null,
        words: toVector(
          workspaceId,
          [row.body, row.author_name].filter((text) => text !== null)
        )
      }))
      yield* sql`WITH rows AS MATERIALIZED (
          SELECT * FROM ${namedRecords(sql, filledColumns, filled)} r
        ), put AS (
          INSERT INTO item_words (workspace_id, ${key}, thread_key, id, received_at, words)
          SELECT ${workspaceId}::text, ${key}, thread_key, id, received_at, words FROM rows WHERE is_live
          ON CONFLICT (workspace_id, account_id, source, external_id) DO UPDATE SET thread_key = excluded.thread_key,
            id = excluded.id, received_at = excluded.received_at, words = excluded.words
        ), gone AS (
          DELETE FROM item_words w USING rows n WHERE NOT n.is_live AND w.workspace_id = ${workspaceId}
            AND ${sql.literal(areWordsOf)}
        )
        UPDATE items i SET worded = 1 FROM rows r WHERE i.workspace_id = ${workspaceId}
          AND i.account_id = r.account_id AND i.source = r.source AND i.external_id = r.external_id`
      return rows.length
    }, sql.withTransaction)

    const fillMissing = Effect.fnUntraced(function* (limit: number) {
      const items = yield* findLeft("words.missing", sql`items WHERE worded IS NULL`, limit)
      for (const [workspaceId, rows] of byWorkspace(items)) {
        yield* fillItems(
          workspaceId,
          sql`items i WHERE workspace_id = ${workspaceId} AND worded IS NULL
            ORDER BY workspace_id, ${key} ${few(rows.length)}`
        )
      }
      return items.length
    })

    const fillFoldedLess = Effect.fnUntraced(function* (limit: number) {
      const left = yield* findLeft("words.folded", sql`item_words WHERE ${foldedLess}`, limit)
      let filled = 0
      for (const [workspaceId, rows] of byWorkspace(left)) {
        const some = sql`(SELECT account_id, source, external_id FROM item_words
            WHERE workspace_id = ${workspaceId} AND ${foldedLess} ORDER BY workspace_id, ${key} ${few(rows.length)}) h
          CROSS JOIN LATERAL (${itemOfHit(sql, workspaceId)}) i`
        filled += yield* fillItems(workspaceId, some)
      }
      return filled
    })

    /** Notes are never changed, so that nobody else writes their words. */
    const fillNotes = Effect.fnUntraced(function* (workspaceId: WorkspaceId, which: Fragment, limit: number) {
      const rows = yield* all(UnwordedNote)(sql`SELECT account_id, id, text FROM thread_notes
        WHERE workspace_id = ${workspaceId} AND ${which} ORDER BY workspace_id, account_id, id ${few(limit)}`)
      const filled = rows.map(({ text, ...row }) => ({ ...row, words: toVector(workspaceId, [text]) }))
      yield* sql`UPDATE thread_notes n SET words = r.words
        FROM ${namedRecords(sql, { account_id: "text", id: "text", words: "tsvector" }, filled)} r
        WHERE n.workspace_id = ${workspaceId} AND n.account_id = r.account_id AND n.id = r.id`
      return rows.length
    })

    const fillAllNotes = Effect.fnUntraced(function* (
      name: "words.notes" | "words.foldedNotes",
      which: Fragment,
      limit: number
    ) {
      const notes = yield* overAll(name, (among) =>
        all(LeftRow)(sql`SELECT workspace_id FROM thread_notes WHERE ${which} ${among("workspace_id")}
          ORDER BY workspace_id, account_id, id ${few(limit)}`)
      )
      let filled = 0
      for (const [workspaceId, rows] of byWorkspace(notes)) filled += yield* fillNotes(workspaceId, which, rows.length)
      return filled
    })

    const fillOfThreads = Effect.fnUntraced(function* (limit: number) {
      const threads = yield* findLeft("words.threads", sql`item_words WHERE thread_key IS NULL`, limit)
      let filled = 0
      for (const [workspaceId, rows] of byWorkspace(threads)) {
        filled += yield* fillThreads(workspaceId, rows.length)
      }
      return filled
    })

    return SearchWords.of({
      fill: Effect.fn("PgSearchWords.fill")(
        function* (limit) {
          let filled = 0
          for (const fillSome of [
            fillMissing,
            fillOfThreads,
            (most: number) => fillAllNotes("words.notes", sql`words IS NULL`, most),
            fillFoldedLess,
            (most: number) => fillAllNotes("words.foldedNotes", foldedLess, most)
          ]) {
            if (filled < limit) filled += yield* fillSome(limit - filled)
          }
          return filled
        },
        storeCall("searchWords.fill", "unknown")
      )
    })
  })
)
