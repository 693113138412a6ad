import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * By which login an account was connected, by whom, for what, and which permissions were asked for. Accounts of an
 * operator, and those of earlier versions, have none of it.
 */
export const connectedBy = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`ALTER TABLE social_accounts
    ADD COLUMN login text COLLATE "C",
    ADD COLUMN through_account_id text COLLATE "C",
    ADD COLUMN person_ids jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN features jsonb NOT NULL DEFAULT '[]',
    ADD COLUMN requested_permissions jsonb NOT NULL DEFAULT '[]'`
  // Meta's callbacks name a person, in no workspace.
  yield* sql`CREATE INDEX social_accounts_person ON social_accounts USING gin (person_ids jsonb_path_ops)
    WHERE person_ids <> '[]'`
})
