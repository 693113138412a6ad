import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { Redact } from "@loopbox/core/kernel/Redact"
import { SocialAccountId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { makeRedacting } from "./redacting.ts"
import { all, at } from "./rows.ts"
import { makeStoreCall } from "./storeFailure.ts"

const IdRow = Schema.Struct({ id: SocialAccountId })

/** Rows of one DELETE: a transaction of an account with a million items would hold up whatever waits for it. */
const batch = 5_000

/** What an account has beside its items and events. */
const accountTables = [
  "threads",
  "unread_counters",
  "author_profiles",
  "account_polls",
  "sync_feeds",
  "sync_tasks",
  "outbound_operations",
  "media_contexts"
] as const

/** Deleting a batch may wait for a disk that is busy. */
const batchTimeout = Duration.seconds(30)

/**
 * Erasing accounts, in two steps: `hide` takes them from every reader, with all that is small, in the caller's
 * transaction; `eraseAll` then removes the rest in batches. A crash in between is finished by the sweeper. `purgeAll`
 * leaves what deliveries say, for an account that is connected anew.
 */
export const makeErasing = Effect.gen(function* () {
  const sql = yield* SqlClient
  const storeCall = yield* makeStoreCall
  const deliveries = yield* makeRedacting

  /** Hides the accounts that fit a condition on `social_accounts a`, and gives their ids. */
  const hide = Effect.fnUntraced(function* (workspaceId: WorkspaceId, which: Fragment) {
    const now = at(yield* DateTime.now)
    const rows = yield* all(IdRow)(sql`
      WITH locked AS MATERIALIZED (
        SELECT a.id FROM social_accounts a WHERE a.workspace_id = ${workspaceId} AND ${which}
        ORDER BY a.id FOR NO KEY UPDATE
      )
      UPDATE social_accounts a SET status = 'disconnected', disconnected_at = coalesce(a.disconnected_at, ${now}),
        erased_at = coalesce(a.erased_at, ${now}), external_user_id = NULL, name = '',
        avatar_url = NULL, permissions = '[]'
      FROM locked l WHERE a.workspace_id = ${workspaceId} AND a.id = l.id RETURNING a.id`)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return ids
    const ofThem = sql`workspace_id = ${workspaceId} AND account_id = ANY(${ids}::text[])`
    yield* sql`DELETE FROM account_routes WHERE ${ofThem}`
    yield* sql`DELETE FROM account_credentials WHERE ${ofThem}`
    yield* sql`DELETE FROM events WHERE ${ofThem}`
    return ids
  })

  const deleteBatch = (workspaceId: WorkspaceId, id: SocialAccountId) =>
    sql`DELETE FROM items i USING (
        SELECT workspace_id, account_id, source, external_id FROM items
        WHERE workspace_id = ${workspaceId} AND account_id = ${id} LIMIT ${batch}
      ) b WHERE i.workspace_id = b.workspace_id AND i.account_id = b.account_id AND i.source = b.source
        AND i.external_id = b.external_id RETURNING 1`.pipe(storeCall("accounts.purge", "unknown", batchTimeout))

  /** Removes all that a hidden account had. */
  const purge = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: SocialAccountId) {
    for (let deleted = batch; deleted === batch;) deleted = (yield* deleteBatch(workspaceId, id)).length
    const own = sql`workspace_id = ${workspaceId} AND account_id = ${id}`
    for (const table of accountTables) {
      yield* sql`DELETE FROM ${sql(table)} WHERE ${own}`.pipe(storeCall("accounts.purge", "unknown", batchTimeout))
    }
    // What was told of its end stays as long as any event: followers forget by it what they have at hand.
    yield* sql`DELETE FROM events WHERE ${own} AND event ->> '_tag' <> 'AccountMoved'`.pipe(
      storeCall("accounts.purge", "unknown", batchTimeout)
    )
    // Last, for as long as it is there the sweeper finds what is left.
    yield* sql`DELETE FROM webhook_units WHERE ${own}`.pipe(
      Effect.andThen(sql`DELETE FROM social_accounts WHERE workspace_id = ${workspaceId} AND id = ${id}
        AND erased_at IS NOT NULL`),
      sql.withTransaction,
      storeCall("accounts.purge", "unknown", batchTimeout)
    )
  })

  const purgeAll = (workspaceId: WorkspaceId, ids: ReadonlyArray<SocialAccountId>) =>
    Effect.forEach(ids, (id) => purge(workspaceId, id), { discard: true })

  /** Removes all of hidden accounts, what deliveries say to them first. */
  const eraseAll = (workspaceId: WorkspaceId, ids: ReadonlyArray<SocialAccountId>, redact: Redact) =>
    Effect.forEach(
      ids,
      (id) => Effect.andThen(deliveries.redactAll({ workspaceId, accountId: id }, redact), purge(workspaceId, id)),
      { discard: true }
    )

  return { hide, purgeAll, eraseAll }
})
