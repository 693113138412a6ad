import { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect } from "effect"
import { runAll, withoutIndexes } from "../withoutIndexes.ts"
import { busy } from "./manyItems.ts"

const words = ["a", "comment", "of", "common", "length", "which", "says", "something", "about", "the", "post"]

const mark = busy.slice(-8)

/** The words of the million items: those that all have, and the number of each. */
const fill = `INSERT INTO item_words (workspace_id, account_id, source, external_id, thread_key, id, received_at, words)
    SELECT workspace_id, account_id, source, external_id, thread_key, id, received_at,
      array_to_tsvector(ARRAY[${words.map((word) => `'${mark}:${word}'`).join(", ")}, '${mark}:' || substr(external_id, 2)])
    FROM items`

/** Fills the words of `fillManyItems`, as if this version had ingested all of them. */
export const fillManyWords = (target: PgAdapters.Target) =>
  PgAdapters.withLongRunningClient(
    target,
    {},
    Effect.andThen(withoutIndexes("item_words", runAll([fill])), runAll(["VACUUM ANALYZE item_words"]))
  )
