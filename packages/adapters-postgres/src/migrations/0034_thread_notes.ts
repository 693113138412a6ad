import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What people note on threads. An older version does not look at it. */
export const threadNotes = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE thread_notes (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    thread_id text COLLATE "C" NOT NULL,
    text text NOT NULL,
    author text,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (workspace_id, account_id, id)
  )`
  yield* sql`CREATE INDEX thread_notes_oldest ON thread_notes (workspace_id, account_id, thread_id, created_at, id)`
})
