import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What `LargestWithCopies` was when this migration was written. */
const largestWithCopies = 2_000

/**
 * Items of a large thread no longer have a copy of its state: their `thread_status` and `assignee` are NULL, and a move
 * writes one row instead of all of theirs.
 */
export const largeThreads = Effect.gen(function* () {
  const sql = yield* SqlClient

  // `items` is how many a thread was ever given: what is deleted stays counted, and a large thread stays large.
  yield* sql`ALTER TABLE threads
    ADD COLUMN items integer NOT NULL DEFAULT 0,
    ADD COLUMN is_large boolean NOT NULL DEFAULT false`
  yield* sql`CREATE INDEX threads_large ON threads (workspace_id, account_id, source) WHERE is_large`

  // It asks less than the one before, so the rows that are there need no look.
  yield* sql`ALTER TABLE items DROP CONSTRAINT items_check`
  yield* sql`ALTER TABLE items ADD CONSTRAINT items_live CHECK (kind <> 'live' OR (id IS NOT NULL
    AND thread_key IS NOT NULL AND (thread_status IS NULL) = (assignee IS NULL) AND is_read IS NOT NULL
    AND is_own IS NOT NULL AND is_hidden IS NOT NULL AND received_at IS NOT NULL AND created_at IS NOT NULL
    AND body IS NOT NULL AND attachments IS NOT NULL AND detail IS NOT NULL)) NOT VALID`

  yield* sql`UPDATE threads t SET items = n.items, is_large = n.items > ${largestWithCopies}
    FROM (
      SELECT workspace_id, account_id, source, thread_key, count(*) AS items FROM items
      WHERE kind = 'live' GROUP BY workspace_id, account_id, source, thread_key
    ) n
    WHERE t.workspace_id = n.workspace_id AND t.account_id = n.account_id AND t.source = n.source
      AND t.thread_key = n.thread_key`
  yield* sql`UPDATE items i SET thread_status = NULL, assignee = NULL FROM threads t
    WHERE t.is_large AND i.workspace_id = t.workspace_id AND i.account_id = t.account_id AND i.source = t.source
      AND i.thread_key = t.thread_key AND i.kind = 'live'`
})
