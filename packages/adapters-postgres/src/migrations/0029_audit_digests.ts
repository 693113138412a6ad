import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * An event about a managed user may be deleted only in the transaction that erases him, which notes the erasure before
 * it writes the digest in the event's place. Before, events of users who were erased could be deleted by hand.
 */
export const auditDigests = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`CREATE OR REPLACE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'DELETE' THEN
        IF OLD.at < audit_kept_since() THEN RETURN OLD; END IF;
        IF NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = OLD.workspace_id) THEN RETURN OLD; END IF;
        IF OLD.target_type = 'managed_user'
          AND EXISTS (SELECT 1 FROM erasures e WHERE e.workspace_id = OLD.workspace_id AND e.kind = 'managed_user'
            AND e.external_user_id = OLD.target_id)
          AND NOT EXISTS (SELECT 1 FROM managed_users u
            WHERE u.workspace_id = OLD.workspace_id AND u.external_user_id = OLD.target_id) THEN RETURN OLD; END IF;
      END IF;
      RAISE EXCEPTION 'the audit is append only' USING ERRCODE = 'insufficient_privilege';
    END
  $$`
})
