import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { hintDue } from "@loopbox/core/sync/pollHints"
import { feedKey, newPollState } from "@loopbox/core/sync/SyncRun"
import { type SyncClaim, PollStore } from "@loopbox/core/sync/PollStore"
import { EventLog } from "../inbox/EventLog.ts"
import { anyOf } from "../../rows/oneByOne.ts"
import { makeClaimByWorkspace } from "../../rows/claimReadable.ts"
import { type Among, anywhere, makeOverAll } from "../../connection/allWorkspaces.ts"
import { all, at, claimLimit, first, one } from "../../rows/rows.ts"
import { reconnected, Signals, syncRequested } from "../../connection/Signals.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { duePolls } from "./duePolls.ts"
import { makeSettlePoll } from "./settlePoll.ts"
import { ClaimRow, DueRow, HintRow, WorkRow } from "./syncRows.ts"

export const layer: Layer.Layer<PollStore, never, EventLog | Signals | SqlClient> = Layer.effect(
  PollStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const few = yield* claimLimit
    const overAll = yield* makeOverAll
    const log = yield* EventLog
    const signals = yield* Signals
    const storeCall = yield* makeStoreCall
    const settlePoll = yield* makeSettlePoll

    const held = ({ accountId, token, workspaceId }: SyncClaim) =>
      sql`workspace_id = ${workspaceId} AND account_id = ${accountId} AND lease_token = ${token}`

    const claimByWorkspace = makeClaimByWorkspace()

    return PollStore.of({
      claim: Effect.fn("PgPollStore.claim")(
        function* ({ isAutomatic, leaseNow, leaseUntil, limit, network, now, token }) {
          const isFree = sql`p.network = ${network} AND p.wake_at <= ${at(now)}
            AND (p.lease_until IS NULL OR p.lease_until <= ${at(leaseNow)}) AND a.erased_at IS NULL`
          const isHinted = sql`a.status = 'connected' AND p.hint_due_at <= ${at(now)}`
          const isDue = sql`a.status = 'connected' AND p.due_at <= ${at(now)}`
          const isWantedIn = (workspaceId: Fragment, within: Among) => {
            const isAsked = sql`EXISTS (SELECT 1 FROM sync_tasks t
              WHERE t.workspace_id = ${workspaceId} AND t.account_id = p.account_id AND t.result IS NULL ${within("t.workspace_id")})`
            return isAutomatic
              ? sql`${isFree} AND ((${isDue}) OR (${isHinted}) OR ${isAsked})`
              : sql`${isFree} AND ((${isHinted}) OR ${isAsked})`
          }
          // Without automatic polls every account becomes due in time, so the others are found by indexes of their own.
          const lookAtAsked = (among: Among, within: Among, count: number) => sql`SELECT p.workspace_id, p.account_id
            FROM (SELECT workspace_id, account_id FROM sync_tasks WHERE result IS NULL ${within("workspace_id")} UNION
              SELECT workspace_id, account_id FROM account_polls WHERE hint_due_at <= ${at(now)} ${within("workspace_id")}) t
            JOIN account_polls p ON p.workspace_id = t.workspace_id AND p.account_id = t.account_id
            JOIN social_accounts a ON a.workspace_id = p.workspace_id AND a.id = p.account_id ${within("a.workspace_id")}
            WHERE ${isWantedIn(sql.literal("p.workspace_id"), within)} ${among("p.workspace_id")}
            ORDER BY p.wake_at, p.workspace_id, p.account_id ${few(count)}`
          const look = (among: Among, within: Among, count: number) =>
            isAutomatic
              ? duePolls(sql, { network, now, leaseNow, among, within, limit: few(count) })
              : lookAtAsked(among, within, count)
          const rows = yield* claimByWorkspace({
            queue: "account_polls",
            part: network,
            limit,
            leaseNow,
            schema: ClaimRow,
            look: (count) => overAll("polls.claim", (among, within) => all(DueRow)(sql`${look(among, within, count)}`)),
            take: (workspaceId, keys, count) => {
              const named = anyOf(
                sql,
                keys.map((key) => key.account_id)
              )
              return sql`
              WITH due AS MATERIALIZED (
                SELECT p.account_id, ${isHinted} AS is_hinted, ${isAutomatic ? isDue : sql`false`} AS is_due
                FROM account_polls p
                JOIN social_accounts a ON a.workspace_id = p.workspace_id AND a.id = p.account_id
                WHERE p.workspace_id = ${workspaceId} AND p.account_id = ${named}
                  AND a.id = ${named}
                  AND ${isWantedIn(sql`${workspaceId}`, anywhere(sql))}
                ORDER BY p.wake_at, p.account_id ${few(count)} FOR NO KEY UPDATE OF p SKIP LOCKED
              )
              UPDATE account_polls p SET lease_token = ${token}, lease_until = ${at(leaseUntil)},
                hint_taken_at = CASE WHEN d.is_hinted THEN ${at(now)}::timestamptz ELSE p.hint_taken_at END
              FROM due d WHERE p.workspace_id = ${workspaceId} AND p.account_id = d.account_id
              RETURNING p.workspace_id, p.account_id, p.network, p.state, p.alive_at,
                coalesce(d.is_due, false) OR coalesce(d.is_hinted, false) AS is_due`
            },
            putBack: (workspaceId, read, until) => sql`UPDATE account_polls
              SET lease_until = ${at(until)}, lease_token = NULL
              WHERE workspace_id = ${workspaceId} AND network = ${network} AND wake_at <= ${at(now)}
                AND lease_token = ${token} AND account_id <> ALL (${read.map((row) => row.account_id)}::text[])`
          })
          return rows.map((row): SyncClaim => ({
            workspaceId: row.workspace_id,
            accountId: row.account_id,
            network: row.network,
            token,
            isDue: row.is_due,
            state: Option.getOrElse(row.state, () => newPollState),
            ...Option.match(row.alive_at, { onNone: () => ({}), onSome: (aliveAt) => ({ aliveAt }) })
          }))
        },
        storeCall("syncs.claim", "unknown")
      ),

      hint: Effect.fn("PgPollStore.hint")(
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

      read: Effect.fn("PgPollStore.read")(
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

      renew: Effect.fn("PgPollStore.renew")(
        function* (claim, leaseUntil) {
          const renewed = yield* sql`UPDATE account_polls SET lease_until = ${at(leaseUntil)}
            WHERE ${held(claim)} RETURNING 1`
          if (renewed.length === 0) return yield* new LeaseLost({ what: "account", id: claim.accountId })
        },
        storeCall("syncs.renew", "unknown")
      ),

      release: Effect.fn("PgPollStore.release")(
        function* (claim) {
          const released = yield* sql`UPDATE account_polls SET lease_token = NULL, lease_until = NULL
            WHERE ${held(claim)} RETURNING 1`
          if (released.length === 0) return yield* new LeaseLost({ what: "account", id: claim.accountId })
        },
        storeCall("syncs.release", "unknown")
      ),

      settle: Effect.fn("PgPollStore.settle")(
        (claim, settlement, moment) =>
          log.transaction(claim.workspaceId, (append) => settlePoll(claim, settlement, moment, append)),
        storeCall("syncs.settle", "unknown")
      ),

      requests: signals.heard.pipe(
        Stream.filter((payload) => payload === syncRequested || payload === reconnected),
        Stream.map(() => undefined)
      )
    })
  })
)
