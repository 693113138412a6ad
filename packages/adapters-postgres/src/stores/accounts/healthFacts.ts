import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { PollFacts } from "@loopbox/core/sync/PollFacts"
import { accountDisconnected, type Announcement, announceConnected } from "@loopbox/core/health/announceHealth"
import { quietAfter } from "@loopbox/core/health/judgeHealth"
import type { InboxEvent } from "@loopbox/core/items/InboxEvent"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { Networks } from "@loopbox/core/networks/Networks"
import { uncheckedAs } from "@loopbox/core/health/AccountFacts"
import {
  KnownRow,
  knownColumns,
  knownTables,
  StoredChecks,
  StoredPollFailures,
  StoredTold,
  toKnown
} from "../../rows/HealthRow.ts"
import { at, first, Instant, one, optional } from "../../rows/rows.ts"
import { toJson } from "../../rows/text.ts"

interface AccountKey {
  readonly workspaceId: WorkspaceId
  readonly accountId: SocialAccountId
}

const HeardRow = Schema.Struct({ last_webhook_at: optional(Instant), last_poll_at: optional(Instant) })

const encodeChecks = Schema.encodeEffect(StoredChecks)
const encodeFailures = Schema.encodeEffect(StoredPollFailures)
const encodeTold = Schema.encodeEffect(StoredTold)

/**
 * Notes the facts of an account's health where they arise, each in the transaction of its caller, after the rows of the
 * account and of its poll. What may change the health makes the account due.
 */
export const makeHealthFacts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const networks = yield* Networks
  const own = ({ accountId, workspaceId }: AccountKey) =>
    sql`workspace_id = ${workspaceId} AND account_id = ${accountId}`

  /** What was known with earlier credentials says nothing of the new ones; a running check has lost its lease. */
  const begin = ({ id, workspaceId }: SocialAccount, moment: DateTime.Utc, checks: string | null) =>
    one(HeardRow)(sql`INSERT INTO account_health (workspace_id, account_id, due_at, checks)
      VALUES (${workspaceId}, ${id}, ${at(moment)}, ${checks}::jsonb)
      ON CONFLICT (workspace_id, account_id) DO UPDATE SET checks = excluded.checks, subscribed_since = NULL, found_at = '{}',
        poll_failures = '[]', due_at = excluded.due_at, lease_token = NULL, lease_until = NULL
      RETURNING last_webhook_at, last_poll_at`)

  const tell = Effect.fnUntraced(function* (account: SocialAccount, { told }: Announcement) {
    yield* sql`UPDATE account_health SET told = ${toJson(yield* encodeTold(told))}::jsonb
      WHERE ${own({ workspaceId: account.workspaceId, accountId: account.id })}`
  })

  /** Notes that new credentials were stored; gives the event if that is to be announced as connected. */
  const connected = Effect.fnUntraced(function* (
    account: SocialAccount,
    moment: DateTime.Utc,
    { isAnnounced, isLeftAlone }: { readonly isAnnounced: boolean; readonly isLeftAlone: boolean }
  ) {
    const checks = isLeftAlone ? toJson(yield* encodeChecks(uncheckedAs(true))) : null
    const { last_poll_at: lastPollAt, last_webhook_at: lastWebhookAt } = yield* begin(account, moment, checks)
    if (!isAnnounced) return []
    const announcement = announceConnected(networks, account, { lastPollAt, lastWebhookAt }, moment)
    yield* tell(account, announcement)
    return announcement.events
  })

  /** The event of an account that is disconnected now; nobody looks at it any more. Before its row is changed. */
  const disconnected = Effect.fnUntraced(function* (key: AccountKey, moment: DateTime.Utc) {
    const row = yield* first(KnownRow)(sql`SELECT ${sql.literal(knownColumns)} FROM ${sql.literal(knownTables)}
      WHERE a.workspace_id = ${key.workspaceId} AND a.id = ${key.accountId}`)
    yield* sql`UPDATE account_health SET due_at = NULL, lease_token = NULL, lease_until = NULL WHERE ${own(key)}`
    return Option.toArray(row).map((found): InboxEvent => accountDisconnected(networks, toKnown(found), moment))
  })

  /** What a poll met. Due only if it met something else than the poll before. */
  const polled = Effect.fnUntraced(function* (key: AccountKey, { failures, isRead }: PollFacts, moment: DateTime.Utc) {
    const met = toJson(yield* encodeFailures(failures))
    const codes = (column: string) => sql`jsonb_path_query_array(${sql.literal(column)}, '$[*].code')`
    yield* sql`INSERT INTO account_health AS h (workspace_id, account_id, poll_failures, last_poll_at, due_at)
      SELECT a.workspace_id, a.id, ${met}::jsonb, CASE WHEN ${isRead}::boolean THEN ${at(moment)}::timestamptz END,
        ${at(moment)} FROM social_accounts a
      WHERE a.workspace_id = ${key.workspaceId} AND a.id = ${key.accountId} AND a.status <> 'disconnected'
      ON CONFLICT (workspace_id, account_id) DO UPDATE SET poll_failures = excluded.poll_failures,
        last_poll_at = coalesce(excluded.last_poll_at, h.last_poll_at),
        due_at = CASE WHEN ${codes("h.poll_failures")} = ${codes("excluded.poll_failures")} THEN h.due_at
          ELSE least(h.due_at, excluded.due_at) END`
  })

  /**
   * A webhook for the account was ingested: what polls found before counts no longer, and one that has been quiet is
   * polled soon (`pollPace`). The poll's row is locked before that of the health, as everybody does.
   */
  const heard = (key: AccountKey, moment: DateTime.Utc) => {
    const every = sql.literal("every_ms * interval '1 millisecond'")
    return sql`WITH roused AS (
        UPDATE account_polls SET alive_at = ${at(moment)}, due_at = least(due_at, ${at(moment)}::timestamptz + ${every}),
          wake_at = least(wake_at, ${at(moment)}::timestamptz + ${every})
        WHERE ${own(key)} AND alive_at + ${every} < ${at(moment)} AND due_at IS NOT NULL
          AND coalesce(state -> 'wait' ->> '_tag', 'None') = 'None'
        RETURNING 1
      )
      UPDATE account_health SET last_webhook_at = greatest(last_webhook_at, ${at(moment)}), found_at = '{}',
        due_at = CASE WHEN found_at = '{}' THEN due_at ELSE least(due_at, ${at(moment)}) END
      WHERE ${own(key)} AND (SELECT count(*) FROM roused) >= 0`
  }

  /** A poll found items that the network's webhooks should have brought, if they are newer than the subscription. */
  const found = Effect.fnUntraced(function* (
    key: AccountKey,
    receivedAt: ReadonlyArray<DateTime.Utc>,
    moment: DateTime.Utc
  ) {
    if (receivedAt.length === 0) return
    yield* sql`
      WITH newer AS (
        SELECT least(count(*), ${quietAfter}::int)::int AS count
        FROM account_health h, unnest(${receivedAt.map(DateTime.formatIso)}::timestamptz[]) AS r (at)
        WHERE h.workspace_id = ${key.workspaceId} AND h.account_id = ${key.accountId} AND r.at > h.subscribed_since
      )
      UPDATE account_health h SET found_at = ARRAY(
          SELECT t.at FROM unnest(h.found_at || array_fill(${at(moment)}::timestamptz(3), ARRAY[n.count])) AS t (at)
          ORDER BY t.at DESC LIMIT ${quietAfter}),
        due_at = CASE WHEN cardinality(h.found_at) + n.count >= ${quietAfter}::int
          THEN least(h.due_at, ${at(moment)}) ELSE h.due_at END
      FROM newer n
      WHERE n.count > 0 AND h.workspace_id = ${key.workspaceId} AND h.account_id = ${key.accountId}`
  })

  return { connected, disconnected, polled, heard, found }
})
