import { PgAdapters } from "@loopbox/adapters-postgres"
import { threadIdOf } from "@loopbox/core/items/threading/InboxThread"
import { SocialAccountId } from "@loopbox/core/kernel/Ids"
import { Source } from "@loopbox/core/networks/Source"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { fillManyItems } from "../inbox/manyItems.ts"
import { runAll, withoutIndexes } from "../withoutIndexes.ts"

/** Names that are given their ids by one statement. */
const atOnce = 50_000

const Names = Schema.Array(Schema.Struct({ account_id: SocialAccountId, source: Source, thread_key: Schema.String }))

/** One of 25 threads that are not resolved is snoozed. */
const snoozed = `CASE WHEN t.status <> 'resolved' AND abs(hashtextextended(t.thread_key, 11) % 25) = 0
  THEN timestamptz '2026-07-01Z' END`

/** One of 3 threads has a label. */
const labels = "CASE WHEN abs(hashtextextended(t.thread_key, 12) % 3) = 0 THEN '{Urgent}'::text[] ELSE '{}' END"

/** What ingest would have kept of the items; nobody has a name in them. */
const keep = `UPDATE threads t SET id = n.id, is_kept = true, item_count = c.items, unread_count = c.unread,
    created_at = c.created_at, last_item_at = c.last_at, last_item_id = c.last_id, last_inbound_at = c.inbound_at,
    snoozed_until = ${snoozed}, labels = ${labels}
  FROM names n, (
    SELECT account_id, source, thread_key, count(*) AS items, count(*) FILTER (WHERE NOT is_read AND NOT is_own) AS unread,
      min(created_at) AS created_at, max(received_at) AS last_at, max(received_at) FILTER (WHERE NOT is_own) AS inbound_at,
      (array_agg(id ORDER BY received_at DESC, id DESC))[1] AS last_id
    FROM items GROUP BY account_id, source, thread_key
  ) c
  WHERE n.account_id = t.account_id AND n.source = t.source AND n.thread_key = t.thread_key
    AND c.account_id = t.account_id AND c.source = t.source AND c.thread_key = t.thread_key`

const label = `INSERT INTO thread_labels (workspace_id, account_id, source, thread_key, folded, label, id, last_item_at,
    is_resolved)
  SELECT workspace_id, account_id, source, thread_key, 'urgent', 'Urgent', id, last_item_at, status = 'resolved'
  FROM threads WHERE labels <> '{}'`

/** It takes the names for one, after estimates that are multiplied, and would look all others up one by one. */
const planned = "SET enable_nestloop = off"

/** Keeps what threads have of the items of `fillManyItems`, as if this version had ingested all of them. */
export const keepThreads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT account_id, source, thread_key FROM threads`
  const names = yield* Schema.decodeUnknownEffect(Names)(rows)
  yield* sql`CREATE TEMP TABLE names (account_id text, source text, thread_key text, id text)`
  for (let from = 0; from < names.length; from += atOnce) {
    const some = names.slice(from, from + atOnce)
    yield* sql`INSERT INTO names SELECT * FROM unnest(${some.map((name) => name.account_id)}::text[],
      ${some.map(({ source }) => source)}::text[], ${some.map((name) => name.thread_key)}::text[],
      ${some.map((name) => threadIdOf({ accountId: name.account_id, source: name.source, threadKey: name.thread_key }))}::text[])`
  }
  yield* runAll(["ANALYZE names", "SET work_mem = '256MB'", planned])
  yield* withoutIndexes("threads", runAll([keep, "VACUUM FULL threads"]))
  yield* runAll([label, "VACUUM ANALYZE threads, thread_labels"])
})

/** Fills a migrated database with 1,000,000 items, or so many, and their threads. */
export const fillManyThreads = (target: PgAdapters.Target, rows?: number) =>
  Effect.andThen(fillManyItems(target, rows), PgAdapters.withLongRunningClient(target, {}, keepThreads))
