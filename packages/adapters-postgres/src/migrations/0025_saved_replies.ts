import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Texts that people answer with again and again. An older version does not look at them. */
export const savedReplies = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE saved_replies (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    external_user_id text COLLATE "C",
    name text NOT NULL,
    text text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, id)
  )`
  yield* sql`CREATE INDEX saved_replies_newest ON saved_replies (workspace_id, created_at, id)`
  yield* sql`CREATE INDEX saved_replies_user ON saved_replies (workspace_id, external_user_id, created_at, id)
    WHERE external_user_id IS NOT NULL`
})
