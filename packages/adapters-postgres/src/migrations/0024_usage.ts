import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * What usage is read from: how many items came in each hour, counted with their events, and the sizes of kept files in an
 * index of their own.
 *
 * The hours before are counted once, from the items that are there. An older version that serves beside goes on without
 * counting: of its last minutes the figures are too low until they leave the window.
 */
export const usage = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE item_hours (
    workspace_id text COLLATE "C" NOT NULL,
    hour timestamptz(3) NOT NULL,
    items bigint NOT NULL,
    PRIMARY KEY (workspace_id, hour)
  ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX item_hours_purge ON item_hours (hour, workspace_id)`
  yield* sql`INSERT INTO item_hours (workspace_id, hour, items)
    SELECT workspace_id, date_trunc('hour', created_at, 'UTC'), count(*) FROM items
    WHERE kind = 'live' AND created_at > now() - interval '31 days' GROUP BY 1, 2`
  yield* sql`CREATE INDEX media_sizes ON media (workspace_id) INCLUDE (size_bytes) WHERE deleted_at IS NULL`
})
