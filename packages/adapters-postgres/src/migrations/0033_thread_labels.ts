import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * One row for each label of a thread, beside the labels that the thread itself has: where lists find it in their order,
 * whatever else is asked, and what labels are counted by.
 *
 * What a row repeats of its thread is kept by triggers, so that it is right whoever writes the thread, an older version
 * too. For a thread without labels they do nothing.
 */
export const threadLabels = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE thread_labels (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    thread_key text COLLATE "C" NOT NULL,
    folded text COLLATE "C" NOT NULL,
    label text NOT NULL,
    labeled_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    id text COLLATE "C" NOT NULL,
    last_item_at timestamptz(3),
    is_resolved boolean NOT NULL,
    PRIMARY KEY (workspace_id, account_id, source, thread_key, folded)
  )`
  yield* sql`CREATE INDEX thread_labels_newest ON thread_labels (workspace_id, folded, source, last_item_at, id)
    WHERE last_item_at IS NOT NULL`
  yield* sql`CREATE INDEX thread_labels_account_newest
    ON thread_labels (workspace_id, account_id, folded, source, last_item_at, id) WHERE last_item_at IS NOT NULL`
  yield* sql`CREATE FUNCTION loopbox_follow_thread() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE thread_labels SET last_item_at = NEW.last_item_at, is_resolved = (NEW.status = 'resolved')
      WHERE workspace_id = NEW.workspace_id AND account_id = NEW.account_id AND source = NEW.source
        AND thread_key = NEW.thread_key;
      RETURN NULL;
    END $$`
  yield* sql`CREATE TRIGGER threads_labels AFTER UPDATE ON threads FOR EACH ROW
    WHEN (NEW.labels <> '{}' AND
      (OLD.last_item_at, OLD.status = 'resolved') IS DISTINCT FROM (NEW.last_item_at, NEW.status = 'resolved'))
    EXECUTE FUNCTION loopbox_follow_thread()`
})
