import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Where lists find a thread: twice its stage (open, assigned, resolved, snoozed), whether it has an assignee, and whether
 * it has something unread, in one number. An expression, so that it is right whoever writes the row.
 */
const bucket = `((CASE WHEN status = 'resolved' THEN 8 WHEN snoozed_until IS NOT NULL THEN 12
  WHEN status = 'assigned' THEN 4 ELSE 0 END) + (CASE WHEN assignee = '' THEN 0 ELSE 2 END)
  + (CASE WHEN unread_count > 0 THEN 1 ELSE 0 END))`

/** A list's page is read off one of them, wherever it begins; a thread without items is in none. */
const lists = {
  threads_newest: "workspace_id, source, last_item_at, id",
  threads_bucket: `workspace_id, source, ${bucket}, last_item_at, id`,
  threads_account_newest: "workspace_id, account_id, source, last_item_at, id",
  threads_account_bucket: `workspace_id, account_id, source, ${bucket}, last_item_at, id`
}

const assigned = {
  threads_assignee: "workspace_id, source, assignee, last_item_at, id",
  threads_account_assignee: "workspace_id, account_id, source, assignee, last_item_at, id"
}

/**
 * What threads keep of their items: counts, the last one, who wrote; labels, snooze, and the indexes of their lists.
 *
 * An older version writes items and threads without any of that. A thread is not kept until this version has counted
 * it, which the worker does in batches. Where an older one writes an item of a thread that is kept, a trigger notes the
 * thread, and the worker counts it again; `rev` tells whose writing it is, for this version changes it each time. Trigger
 * and column may go when no older version runs beside any more.
 */
export const threadRecords = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE threads ADD COLUMN id text COLLATE "C",
    ADD COLUMN is_kept boolean NOT NULL DEFAULT false,
    ADD COLUMN item_count integer NOT NULL DEFAULT 0,
    ADD COLUMN unread_count integer NOT NULL DEFAULT 0,
    ADD COLUMN last_item_at timestamptz(3),
    ADD COLUMN last_item_id text COLLATE "C",
    ADD COLUMN last_inbound_at timestamptz(3),
    ADD COLUMN participants jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN created_at timestamptz(3),
    ADD COLUMN snoozed_until timestamptz(3),
    ADD COLUMN labels text[] NOT NULL DEFAULT '{}'`
  yield* sql`CREATE INDEX threads_id ON threads (workspace_id, id) WHERE id IS NOT NULL`
  for (const [name, columns] of Object.entries(lists)) {
    yield* sql`CREATE INDEX ${sql(name)} ON threads (${sql.literal(columns)}) WHERE last_item_at IS NOT NULL`
  }
  for (const [name, columns] of Object.entries(assigned)) {
    yield* sql`CREATE INDEX ${sql(name)} ON threads (${sql.literal(columns)})
      WHERE last_item_at IS NOT NULL AND assignee <> ''`
  }
  yield* sql`CREATE INDEX threads_snoozed ON threads (snoozed_until, workspace_id, account_id, source, thread_key)
    WHERE snoozed_until IS NOT NULL`
  yield* sql`CREATE INDEX threads_left ON threads (workspace_id, account_id, source, thread_key) WHERE NOT is_kept`

  yield* sql`CREATE TABLE thread_recounts (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    source text COLLATE "C" NOT NULL,
    thread_key text COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace_id, account_id, id)
  )`
  yield* sql`ALTER TABLE items ADD COLUMN rev integer`
  yield* sql`CREATE FUNCTION loopbox_note_thread() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO thread_recounts (workspace_id, account_id, source, thread_key)
      VALUES (NEW.workspace_id, NEW.account_id, NEW.source, NEW.thread_key);
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER items_new_thread AFTER INSERT ON items FOR EACH ROW
    WHEN (NEW.rev IS NULL AND NEW.kind = 'live') EXECUTE FUNCTION loopbox_note_thread()`
  yield* sql`CREATE TRIGGER items_other_thread AFTER UPDATE ON items FOR EACH ROW
    WHEN (OLD.rev IS NOT DISTINCT FROM NEW.rev AND NEW.thread_key IS NOT NULL
      AND (OLD.kind, OLD.is_read, OLD.is_own, OLD.received_at) IS DISTINCT FROM
        (NEW.kind, NEW.is_read, NEW.is_own, NEW.received_at))
    EXECUTE FUNCTION loopbox_note_thread()`
})
