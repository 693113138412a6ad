import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { hintDue } from "@loopbox/core/sync/pollHints"
import { feedKey, newPollState } from "@loopbox/core/sync/SyncRun"
import { type SyncClaim, SyncStore } from "@loopbox/core/sync/SyncStore"
import { EventLog } from "../inbox/EventLog.ts"
import { claimReadable } from "../../rows/claimReadable.ts"
import { at, claimLimit, first, one } from "../../rows/rows.ts"
import { reconnected, Signals, syncRequested } from "../../connection/Signals.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeSyncRuns } from "./syncRuns.ts"
import { ClaimRow, ConfirmationRow, HintRow, StoredInput, WorkRow } from "./syncRows.ts"
import { storable, toJson } from "../../rows/text.ts"

const encodeInput = Schema.encodeEffect(StoredInput)

const textOf = (text: Option.Option<string>) => Option.getOrNull(Option.map(text, storable))

export const layer: Layer.Layer<SyncStore, never, EventLog | Signals | SqlClient> = Layer.effect(
  SyncStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const few = yield* claimLimit
    const log = yield* EventLog
    const signals = yield* Signals
    const storeCall = yield* makeStoreCall
    const runs = yield* makeSyncRuns

    const held = ({ accountId, token, workspaceId }: SyncClaim) =>
      sql`workspace_id = ${workspaceId} AND account_id = ${accountId} AND lease_token = ${token}`

    const inScope = (scope: InboxScope) =>
      scope._tag === "WorkspaceScope"
        ? sql.literal("")
        : sql`AND r.external_user_id = ${storable(scope.externalUserId)}`

    return SyncStore.of({
      start: Effect.fn("PgSyncStore.start")(
        function* (run, judge) {
          const started = yield* log.transaction(run.scope.workspaceId, (append) => runs.start(run, judge, append))
          yield* signals.tellRequested
          return started
        },
        storeCall("syncs.start", "unknown")
      ),

      find: Effect.fn("PgSyncStore.find")(
        (scope, id) => runs.find(scope.workspaceId, id, inScope(scope)),
        storeCall("syncs.find", "no")
      ),

      isCompleted: Effect.fn("PgSyncStore.isCompleted")(
        function* (workspaceId, id) {
          const waiting = yield* sql`SELECT 1 FROM sync_tasks
            WHERE workspace_id = ${workspaceId} AND run_id = ${id} AND result IS NULL LIMIT 1`
          return waiting.length === 0
        },
        storeCall("syncs.isCompleted", "no")
      ),

      countAccounts: Effect.fn("PgSyncStore.countAccounts")(runs.countAccounts, storeCall("syncs.countAccounts", "no")),

      offer: Effect.fn("PgSyncStore.offer")(
        function* ({ expiresAt, externalUserId, input, token, workspaceId }) {
          yield* sql`INSERT INTO backfill_confirmations ${sql.insert({
            workspace_id: workspaceId,
            token,
            external_user_id: textOf(externalUserId),
            input: toJson(yield* encodeInput(input)),
            expires_at: at(expiresAt)
          })}`
        },
        storeCall("syncs.offer", "unknown")
      ),

      findConfirmation: Effect.fn("PgSyncStore.findConfirmation")(
        function* (workspaceId, token) {
          const row = yield* first(ConfirmationRow)(sql`
            SELECT workspace_id, token, external_user_id, input, expires_at, used_by FROM backfill_confirmations
            WHERE workspace_id = ${workspaceId} AND token = ${storable(token)}`)
          return Option.map(row, (found) => ({
            workspaceId: found.workspace_id,
            token: found.token,
            externalUserId: found.external_user_id,
            input: found.input,
            expiresAt: found.expires_at,
            usedBy: found.used_by
          }))
        },
        storeCall("syncs.findConfirmation", "no")
      ),

      claim: Effect.fn("PgSyncStore.claim")(
        function* ({ isAutomatic, leaseNow, leaseUntil, limit, network, now, token }) {
          const isFree = sql`p.network = ${network} AND p.wake_at <= ${at(now)}
            AND (p.lease_until IS NULL OR p.lease_until <= ${at(leaseNow)}) AND a.erased_at IS NULL`
          const isHinted = sql`a.status = 'connected' AND p.hint_due_at <= ${at(now)}`
          const isDue = sql`a.status = 'connected' AND p.due_at <= ${at(now)}`
          const asked = sql`SELECT workspace_id, account_id FROM sync_tasks WHERE result IS NULL`
          // Where nothing is polled by itself all accounts come to be due: the others are found without a look at them.
          const due = isAutomatic
            ? sql`SELECT p.workspace_id, p.account_id, ${isHinted} AS is_hinted, ${isDue} AS is_due
                FROM account_polls p
                JOIN social_accounts a ON a.workspace_id = p.workspace_id AND a.id = p.account_id
                WHERE ${isFree} AND ((${isDue}) OR (${isHinted}) OR EXISTS (SELECT 1 FROM sync_tasks t
                  WHERE t.workspace_id = p.workspace_id AND t.account_id = p.account_id AND t.result IS NULL))`
            : sql`SELECT p.workspace_id, p.account_id, ${isHinted} AS is_hinted, false AS is_due
                FROM (${asked} UNION SELECT workspace_id, account_id FROM account_polls
                  WHERE hint_due_at <= ${at(now)}) t
                JOIN account_polls p ON p.workspace_id = t.workspace_id AND p.account_id = t.account_id
                JOIN social_accounts a ON a.workspace_id = p.workspace_id AND a.id = p.account_id
                WHERE ${isFree} AND ((${isHinted}) OR EXISTS (SELECT 1 FROM sync_tasks t
                  WHERE t.workspace_id = p.workspace_id AND t.account_id = p.account_id AND t.result IS NULL))`
          const take = (count: number) => sql`
            WITH due AS MATERIALIZED (
              ${due} ORDER BY p.wake_at, p.workspace_id, p.account_id
              ${few(count)} FOR NO KEY UPDATE OF p SKIP LOCKED
            )
            UPDATE account_polls p SET lease_token = ${token}, lease_until = ${at(leaseUntil)},
              hint_taken_at = CASE WHEN d.is_hinted THEN ${at(now)}::timestamptz ELSE p.hint_taken_at END
            FROM due d WHERE p.workspace_id = d.workspace_id AND p.account_id = d.account_id
            RETURNING p.workspace_id, p.account_id, p.network, p.state, coalesce(d.is_due, false) OR coalesce(d.is_hinted, false) AS is_due`
          const rows = yield* claimReadable({
            queue: "account_polls",
            limit,
            leaseNow,
            schema: ClaimRow,
            take,
            putBack: (read, until) => sql`UPDATE account_polls SET lease_until = ${at(until)}, lease_token = NULL
              WHERE network = ${network} AND wake_at <= ${at(now)} AND lease_token = ${token}
                AND account_id <> ALL (${read.map((row) => row.account_id)}::text[])`
          })
          return rows.map((row): SyncClaim => ({
            workspaceId: row.workspace_id,
            accountId: row.account_id,
            network: row.network,
            token,
            isDue: row.is_due,
            state: Option.getOrElse(row.state, () => newPollState)
          }))
        },
        storeCall("syncs.claim", "unknown")
      ),

      hint: Effect.fn("PgSyncStore.hint")(
        function* (workspaceId, accountId, now) {
          const row = yield* first(HintRow)(sql`SELECT p.state, p.hint_due_at, p.hint_taken_at
            FROM account_polls p JOIN social_accounts a ON a.workspace_id = p.workspace_id AND a.id = p.account_id
            WHERE p.workspace_id = ${workspaceId} AND p.account_id = ${accountId} AND a.status = 'connected'
            FOR NO KEY UPDATE OF p`)
          if (Option.isNone(row)) return
          const { hint_due_at: dueAt, hint_taken_at: takenAt, state } = row.value
          const due = hintDue(
            { dueAt, takenAt },
            Option.getOrElse(state, () => newPollState),
            now
          )
          yield* sql`UPDATE account_polls SET hint_due_at = ${at(due)}, wake_at = least(wake_at, ${at(due)})
            WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}`
        },
        sql.withTransaction,
        storeCall("syncs.hint", "unknown")
      ),

      read: Effect.fn("PgSyncStore.read")(
        function* ({ accountId, workspaceId }) {
          const own = sql`workspace_id = ${workspaceId} AND account_id = ${accountId}`
          const row = yield* one(WorkRow)(sql`SELECT
            coalesce((SELECT read FROM account_polls WHERE ${own}), 0) AS read,
            coalesce((SELECT new_items FROM account_polls WHERE ${own}), 0) AS new_items,
            EXISTS (SELECT 1 FROM sync_tasks WHERE ${own} AND result IS NULL AND NOT is_backfill) AS is_asked,
            coalesce((SELECT jsonb_agg(jsonb_build_object('run_id', r.id, 'backfill', r.backfill,
                'created_at', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                'progress', t.progress) ORDER BY r.id)
              FROM sync_tasks t JOIN sync_runs r ON r.workspace_id = t.workspace_id AND r.id = t.run_id
              WHERE t.workspace_id = ${workspaceId} AND t.account_id = ${accountId} AND t.result IS NULL
                AND t.is_backfill), '[]') AS backfills,
            coalesce((SELECT jsonb_agg(state) FROM sync_feeds WHERE ${own}), '[]') AS feeds`)
          return {
            feeds: new Map(row.feeds.map((feed) => [feedKey(feed), feed])),
            isAsked: row.is_asked,
            read: row.read,
            newItems: row.new_items,
            backfills: row.backfills.map((task) => ({
              runId: task.run_id,
              input: task.backfill,
              createdAt: task.created_at,
              progress: task.progress
            }))
          }
        },
        storeCall("syncs.read", "no")
      ),

      renew: Effect.fn("PgSyncStore.renew")(
        function* (claim, leaseUntil) {
          const renewed = yield* sql`UPDATE account_polls SET lease_until = ${at(leaseUntil)}
            WHERE ${held(claim)} RETURNING 1`
          if (renewed.length === 0) return yield* new LeaseLost({ what: "account", id: claim.accountId })
        },
        storeCall("syncs.renew", "unknown")
      ),

      release: Effect.fn("PgSyncStore.release")(
        function* (claim) {
          const released = yield* sql`UPDATE account_polls SET lease_token = NULL, lease_until = NULL
            WHERE ${held(claim)} RETURNING 1`
          if (released.length === 0) return yield* new LeaseLost({ what: "account", id: claim.accountId })
        },
        storeCall("syncs.release", "unknown")
      ),

      settle: Effect.fn("PgSyncStore.settle")(
        (claim, settlement, moment) =>
          log.transaction(claim.workspaceId, (append) => runs.settle(claim, settlement, moment, append)),
        storeCall("syncs.settle", "unknown")
      ),

      removeOlder: Effect.fn("PgSyncStore.removeOlder")(
        function* ({ confirmations, runs: before }, limit) {
          const removed = yield* sql`
            WITH old AS MATERIALIZED (
              SELECT workspace_id, id FROM sync_runs WHERE created_at < ${at(before)}
              ORDER BY created_at, workspace_id, id LIMIT ${limit} FOR UPDATE SKIP LOCKED
            ), tasks AS (
              DELETE FROM sync_tasks t USING old o WHERE t.workspace_id = o.workspace_id AND t.run_id = o.id
            )
            DELETE FROM sync_runs r USING old o WHERE r.workspace_id = o.workspace_id AND r.id = o.id RETURNING 1`
          const left = limit - removed.length
          if (left <= 0) return removed.length
          const expired = yield* sql`
            WITH old AS MATERIALIZED (
              SELECT workspace_id, token FROM backfill_confirmations WHERE expires_at < ${at(confirmations)}
              ORDER BY expires_at, workspace_id, token LIMIT ${left} FOR UPDATE SKIP LOCKED
            )
            DELETE FROM backfill_confirmations c USING old o
            WHERE c.workspace_id = o.workspace_id AND c.token = o.token RETURNING 1`
          return removed.length + expired.length
        },
        storeCall("syncs.removeOlder", "unknown")
      ),

      requests: signals.heard.pipe(
        Stream.filter((payload) => payload === syncRequested || payload === reconnected),
        Stream.map(() => undefined)
      )
    })
  })
)
