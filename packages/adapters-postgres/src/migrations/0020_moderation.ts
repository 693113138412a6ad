import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * What accounts did with items at their networks, and how often lately, where a network locks out who is too quick.
 *
 * Columns that an older version neither reads nor writes, each with a default that rewrites no row.
 */
export const moderation = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE items ADD COLUMN is_liked boolean DEFAULT false,
    ADD COLUMN private_replied_at timestamptz(3),
    ADD COLUMN is_on_own_post boolean DEFAULT false`
  yield* sql`CREATE TABLE action_paces (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    action text COLLATE "C" NOT NULL,
    taken timestamptz(3)[] NOT NULL,
    PRIMARY KEY (workspace_id, account_id, action)
  ) WITH (fillfactor = 50)`
})
