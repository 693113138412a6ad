import { PgAdapters } from "@loopbox/adapters-postgres"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Effect } from "effect"
import { runAll, withoutIndexes } from "../withoutIndexes.ts"

/** Unless fewer are asked for. */
const usual = 1_000_000
const id = (prefix: string, n: number) => `${prefix}_0${n.toString(16).padStart(25, "0")}`
const sqlId = (prefix: string, n: string) => `'${prefix}_0' || lpad(to_hex((${n})::int), 25, '0')`

export const busy = WorkspaceId.make(id("ws", 1))
/** The managed user with the most items. */
export const rich = "rich"
/** The account of `rich` that has a thread of 100,000 items. */
export const loud = SocialAccountId.make(id("acc", 1))

/**
 * Of 1,000,000 items in one workspace 600,000 belong to the four accounts of `rich`, 200,000 to the 2,000 accounts of
 * `many`, and the others to the one account of each of 10,000 users. One more account is disconnected, and has the
 * newest items of all.
 */
const accounts = `INSERT INTO social_accounts (workspace_id, id, network, network_account_id, name, external_user_id,
    status, disconnected_at, permissions, created_at)
  SELECT '${busy}', ${sqlId("acc", "n")}, (ARRAY['instagram', 'facebook', 'threads', 'x'])[1 + (n - 1) % 4], 'n' || n,
    'Account ' || n, CASE WHEN n <= 4 THEN '${rich}' WHEN n <= 2004 THEN 'many' ELSE 'user ' || n END,
    CASE WHEN n = 12005 THEN 'disconnected' ELSE 'connected' END, CASE WHEN n = 12005 THEN timestamptz '2026-06-02Z' END,
    '[]', '2026-01-01Z'
  FROM generate_series(1, 12005) n`

/** Beside the one of 100,000 items, 20 threads of 5,000 each. */
const threadKey = `CASE WHEN account = 1 AND of_source < 67 THEN 'viral'
  WHEN account = 2 AND of_source < 70 THEN 'large ' || n % 20 ELSE 't' || n / 5 END`
/** What all items of a thread have in common. */
const group = `CASE WHEN account = 2 AND of_source < 70 THEN n % 20 ELSE n / 5 END`

/** Independent of each other, whatever else is made of the same number. */
const chance = (salt: number, of: number, number = "n") => `(abs(hashint8extended(${number}, ${salt}) % ${of}))`

const itemValues = (rows: number) => `
  SELECT n, account, (account - 1) % 4 AS network, of_source, ${chance(2, 3, group)} AS status,
    ${chance(3, 4, group)} AS name, ${chance(4, 4)} AS read, ${chance(5, 20)} AS own
  FROM (
    SELECT n, ${chance(1, 100)} AS of_source, CASE WHEN n > ${rows} THEN 12005 WHEN ${chance(6, 10)} < 6 THEN 1 + ${chance(7, 4)}
      WHEN ${chance(6, 10)} < 8 THEN 5 + ${chance(8, 2_000)} ELSE 2005 + ${chance(9, 10_000)} END AS account
    FROM generate_series(1, ${rows} + 20) n
  ) n`

const items = (
  rows: number
) => `INSERT INTO items (workspace_id, account_id, source, external_id, kind, id, thread_key, thread_status,
    assignee, is_read, is_own, is_hidden, received_at, created_at, body, attachments, detail, rev)
  SELECT '${busy}', ${sqlId("acc", "account")},
    CASE network WHEN 0 THEN CASE WHEN of_source < 70 THEN 'ig_comment' ELSE 'ig_dm' END
      WHEN 1 THEN CASE WHEN of_source < 70 THEN 'fb_comment' ELSE 'fb_dm' END
      WHEN 2 THEN 'threads_reply' ELSE 'x_reply' END,
    'e' || n, 'live', ${sqlId("itm", "n")},
    ${threadKey},
    CASE WHEN account = 1 AND of_source < 67 THEN 'open' ELSE (ARRAY['open', 'assigned', 'resolved'])[1 + status] END,
    CASE WHEN status = 0 OR name = 0 OR (account = 1 AND of_source < 67) THEN '' WHEN name = 1 THEN 'ann' ELSE 'bob' END,
    read > 0 OR own = 0, own = 0, false, timestamptz '2026-06-01Z' + make_interval(secs => n / 3),
    '2026-06-01Z', 'A comment of a common length, which says something about the post ' || n, '[]',
    '{"bodyVersion": 0, "postedVersion": 0, "hiding": null, "replyTargetId": "", "summons": null, "operationTag": null,
      "isStandby": false}', 0
  FROM (${itemValues(rows)}) v`

const beforeItems = [
  `INSERT INTO workspaces SELECT '${busy}', 'w', 'enterprise', NULL, NULL, '2026-01-01Z'`,
  accounts,
  `INSERT INTO managed_users SELECT DISTINCT workspace_id, external_user_id, created_at FROM social_accounts`
]

const itemsAndThreads = (rows: number) => [
  items(rows),
  `INSERT INTO threads SELECT workspace_id, account_id, source, thread_key, min(thread_status), min(assignee), count(*),
     count(*) > 2000 FROM items GROUP BY workspace_id, account_id, source, thread_key`,
  `UPDATE items i SET thread_status = NULL, assignee = NULL FROM threads t WHERE t.is_large
     AND i.account_id = t.account_id AND i.source = t.source AND i.thread_key = t.thread_key`
]

const afterItems = [
  `INSERT INTO unread_counters SELECT workspace_id, account_id, source, count(*) FILTER (WHERE NOT is_read AND NOT is_own)
     FROM items GROUP BY workspace_id, account_id, source`,
  "VACUUM ANALYZE items",
  "ANALYZE"
]

/** Fills a migrated database that has no items yet. */
export const fillManyItems = (target: PgAdapters.Target, rows = usual) =>
  PgAdapters.withLongRunningClient(
    target,
    {},
    runAll(beforeItems).pipe(
      Effect.andThen(withoutIndexes("items", withoutIndexes("threads", runAll(itemsAndThreads(rows))))),
      Effect.andThen(runAll(afterItems))
    )
  )
