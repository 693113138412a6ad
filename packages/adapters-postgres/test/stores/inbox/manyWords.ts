import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { busy } from "./manyItems.ts"

const words = ["a", "comment", "of", "common", "length", "which", "says", "something", "about", "the", "post"]

const mark = busy.slice(-8)

/** The words of the million items: those that all have, and the number of each. */
const fill = [
  "DROP INDEX item_words_words",
  `INSERT INTO item_words (workspace_id, account_id, source, external_id, thread_key, id, received_at, words)
    SELECT workspace_id, account_id, source, external_id, thread_key, id, received_at,
      array_to_tsvector(ARRAY[${words.map((word) => `'${mark}:${word}'`).join(", ")}, '${mark}:' || substr(external_id, 2)])
    FROM items`,
  "SET maintenance_work_mem = '256MB'",
  "CREATE INDEX item_words_words ON item_words USING gin (words)",
  "VACUUM ANALYZE item_words"
]

/** Fills the words of `fillManyItems`, as if this version had ingested all of them. */
export const fillManyWords = (target: PgAdapters.Target) =>
  PgAdapters.withLongRunningClient(
    target,
    {},
    SqlClient.SqlClient.use((sql) => Effect.forEach(fill, (text) => sql.unsafe(text), { discard: true }))
  )
