import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const id = (prefix: string, n: string) => `'${prefix}_' || md5(a.id || ${n})`

const decodeNumbered = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ last: Schema.Int })]))

/** Rows of one statement: few enough for a pool's time-out on a machine that is busy. */
const atOnce = 2_500

const filled = ["threads", "items", "author_profiles", "media_contexts", "events"]

/**
 * Gives an account so many items, each the only one of its thread, with an author and its event of today. What the
 * planner knows of these tables stays the same while a test runs, however long that takes.
 */
export const fillAccount = Effect.fnUntraced(function* (account: SocialAccount, rows: number) {
  const sql = yield* SqlClient.SqlClient
  for (const table of filled) yield* sql`ALTER TABLE ${sql(table)} SET (autovacuum_enabled = off)`
  for (let from = 0; from < rows; from += atOnce) yield* fill(account, from + 1, Math.min(from + atOnce, rows))
})

const fill = Effect.fnUntraced(function* ({ id: accountId, workspaceId }: SocialAccount, from: number, to: number) {
  const rows = to - from + 1
  const sql = yield* SqlClient.SqlClient
  const accounts = sql`FROM social_accounts a, generate_series(${from}::int, ${to}::int) n
    WHERE a.workspace_id = ${workspaceId} AND a.id = ${accountId}`
  yield* sql`INSERT INTO threads (workspace_id, account_id, source, thread_key, status, assignee, items)
    SELECT a.workspace_id, a.id, 'ig_comment', 't' || n, 'open', '', 1 ${accounts}`
  yield* sql`INSERT INTO items (workspace_id, account_id, source, external_id, kind, id, thread_key, thread_status,
      assignee, is_read, is_own, is_hidden, received_at, created_at, author_id, body, attachments, detail)
    SELECT a.workspace_id, a.id, 'ig_comment', 'c' || n, 'live', ${sql.literal(id("itm", "n"))}, 't' || n, 'open', '',
      true, false, false, a.created_at, a.created_at, 'p' || n, 'A comment', '[]', '{}' ${accounts}`
  yield* sql`INSERT INTO author_profiles (workspace_id, account_id, person_id, source, name)
    SELECT a.workspace_id, a.id, 'p' || n, 'ig_comment', 'Ann' ${accounts}`
  yield* sql`INSERT INTO media_contexts (workspace_id, account_id, post_id, fetched_at)
    SELECT a.workspace_id, a.id, 'post' || n, a.created_at ${accounts}`
  const [numbered] = yield* decodeNumbered(
    yield* sql`INSERT INTO workspace_seq AS s (workspace_id, last) VALUES (${workspaceId}, ${rows}::int)
      ON CONFLICT (workspace_id) DO UPDATE SET last = s.last + excluded.last RETURNING last::float8 AS last`
  )
  yield* sql`INSERT INTO events (workspace_id, seq, at, account_id, event)
    SELECT a.workspace_id, ${numbered.last - to}::int + n, a.created_at, a.id,
      jsonb_build_object('_tag', 'ItemDeleted', 'accountId', a.id, 'source', 'ig_comment', 'itemId', ${sql.literal(id("itm", "n"))})
    ${accounts}`
})
