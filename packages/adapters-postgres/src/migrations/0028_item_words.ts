import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The words of items, by which they are searched for (docs/decisions/0016).
 *
 * Beside the items, for marking an item read writes a new version of its row, and would write all of its words into the
 * index again. `items.worded` is NULL where they have to be made: in rows of before, in those that an older version stores,
 * and, by the trigger, where a text is changed by whoever does not know of words. Such rows are filled in batches by the
 * inbox's sweep, while an older version serves; the index of them is written once, and is empty from then on.
 */
export const itemWords = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE item_words (
    workspace_id text COLLATE "C" NOT NULL,
    account_id text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    external_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    received_at timestamptz(3) NOT NULL,
    words tsvector NOT NULL,
    PRIMARY KEY (workspace_id, account_id, source, external_id)
  )`
  yield* sql`CREATE INDEX item_words_words ON item_words USING gin (words)`
  yield* sql`ALTER TABLE items ADD COLUMN worded integer`
  yield* sql`CREATE INDEX items_unworded ON items (workspace_id, account_id, source, external_id) WHERE worded IS NULL`
  yield* sql`CREATE FUNCTION loopbox_item_unworded() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN NEW.worded := NULL; RETURN NEW; END'`
  yield* sql`CREATE TRIGGER items_unworded BEFORE UPDATE ON items FOR EACH ROW
    WHEN (NEW.worded = OLD.worded
      AND (NEW.body IS DISTINCT FROM OLD.body OR NEW.author_name IS DISTINCT FROM OLD.author_name))
    EXECUTE FUNCTION loopbox_item_unworded()`
})
