import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * The audit: what was changed, by whom, written in the transaction of the change.
 *
 * No role may change a row, the owner of the table neither: the triggers refuse that. A row goes when it is 400 days old, by
 * the clock of the installation and with a day of grace for that of another machine; when its workspace is erased; and
 * when it names a managed user who is erased, whose digest is written in its place in the same statement.
 */
export const audit = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE audit_events (
    workspace_id text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    at timestamptz(3) NOT NULL,
    actor_type text NOT NULL CHECK (actor_type IN ('api_key', 'member', 'operator', 'system')),
    actor_id text COLLATE "C",
    action text COLLATE "C" NOT NULL,
    target_type text NOT NULL,
    target_id text COLLATE "C" NOT NULL,
    request_id text,
    details jsonb NOT NULL,
    PRIMARY KEY (workspace_id, id)
  )`
  yield* sql`CREATE INDEX audit_events_newest ON audit_events (workspace_id, at DESC, id DESC)`
  yield* sql`CREATE INDEX audit_events_action ON audit_events (workspace_id, action, at DESC, id DESC)`
  yield* sql`CREATE INDEX audit_events_target ON audit_events (workspace_id, target_id, at DESC, id DESC)`
  yield* sql`CREATE INDEX audit_events_actor ON audit_events (workspace_id, actor_id, at DESC, id DESC)
    WHERE actor_id IS NOT NULL`
  yield* sql`CREATE INDEX audit_events_purge ON audit_events (at, workspace_id, id)`

  yield* sql`CREATE FUNCTION audit_kept_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT now() + coalesce((SELECT test_clock_offset_ms FROM installation WHERE is_only), 0) * interval '1 millisecond'
      - interval '399 days'
  $$`
  yield* sql`CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        IF OLD.at < audit_kept_since() THEN RETURN OLD; END IF;
        IF NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = OLD.workspace_id) THEN RETURN OLD; END IF;
        IF OLD.target_type = 'managed_user' AND NOT EXISTS (SELECT 1 FROM managed_users u
          WHERE u.workspace_id = OLD.workspace_id AND u.external_user_id = OLD.target_id) THEN RETURN OLD; END IF;
      END IF;
      RAISE EXCEPTION 'the audit is append only' USING ERRCODE = 'insufficient_privilege';
    END
  $$`
  yield* sql`CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON audit_events
    FOR EACH ROW EXECUTE FUNCTION audit_refuse()`
  yield* sql`CREATE TRIGGER audit_never_emptied BEFORE TRUNCATE ON audit_events
    FOR EACH STATEMENT EXECUTE FUNCTION audit_refuse()`
})
