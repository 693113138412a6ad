import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { SearchWords } from "@loopbox/core/inbox/SearchWords"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { all, plain } from "../../rows/rows.ts"
import { toJson } from "../../rows/text.ts"
import { toVector } from "./wordVectors.ts"

const UnwordedRow = Schema.Struct({
  workspace_id: WorkspaceId,
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

/** Words of items that were stored without. */
export const layer: Layer.Layer<SearchWords, never, SqlClient> = Layer.effect(
  SearchWords,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const storeCall = yield* makeStoreCall

    /** Words of a version that did not keep their thread. */
    const fillThreads = (limit: number) =>
      Effect.map(
        sql`UPDATE item_words w SET thread_key = i.thread_key
          FROM (
            SELECT workspace_id, account_id, source, external_id FROM item_words WHERE thread_key IS NULL
            ORDER BY workspace_id, account_id, source, external_id
            LIMIT ${sql.literal(`${Math.trunc(limit)}`)} FOR NO KEY UPDATE SKIP LOCKED
          ) l JOIN items i USING (workspace_id, account_id, source, external_id)
          WHERE w.workspace_id = l.workspace_id AND w.account_id = l.account_id AND w.source = l.source
            AND w.external_id = l.external_id AND i.thread_key IS NOT NULL RETURNING 1`,
        (filled) => filled.length
      )

    return SearchWords.of({
      fill: Effect.fn("PgSearchWords.fill")(
        function* (limit) {
          // Another process may be at it, or ingest changes some of them: those are its own, or the next batch's.
          const rows = yield* all(UnwordedRow)(sql`
            SELECT workspace_id, account_id, source, external_id, thread_key, kind = 'live' AS is_live, id, received_at, author_name, body
            FROM items WHERE worded IS NULL
            ORDER BY workspace_id, account_id, source, external_id
            LIMIT ${sql.literal(`${Math.trunc(limit)}`)} FOR NO KEY UPDATE SKIP LOCKED`)
          if (rows.length === 0) return yield* fillThreads(limit)
          const filled = rows.map((row) => ({
            ...row,
            body: null,
            author_name: null,
            words: toVector(
              row.workspace_id,
              [row.body, row.author_name].filter((text) => text !== null)
            )
          }))
          yield* sql`WITH rows AS MATERIALIZED (
              SELECT * FROM jsonb_to_recordset(${toJson(filled)}::jsonb) AS r (workspace_id text, account_id text,
                source text, external_id text, thread_key text, is_live boolean, id text, received_at timestamptz, words tsvector)
            ), put AS (
              INSERT INTO item_words (workspace_id, account_id, source, external_id, thread_key, id, received_at, words)
              SELECT workspace_id, account_id, source, external_id, thread_key, id, received_at, words FROM rows WHERE is_live
              ON CONFLICT (workspace_id, account_id, source, external_id)
                DO UPDATE SET thread_key = excluded.thread_key, id = excluded.id, received_at = excluded.received_at, words = excluded.words
            ), gone AS (
              DELETE FROM item_words w USING rows r WHERE NOT r.is_live AND w.workspace_id = r.workspace_id
                AND w.account_id = r.account_id AND w.source = r.source AND w.external_id = r.external_id
            )
            UPDATE items i SET worded = 1 FROM rows r WHERE i.workspace_id = r.workspace_id
              AND i.account_id = r.account_id AND i.source = r.source AND i.external_id = r.external_id`
          return rows.length
        },
        sql.withTransaction,
        storeCall("searchWords.fill", "unknown")
      )
    })
  })
)
