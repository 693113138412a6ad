import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { SyncId } from "@loopbox/core/kernel/Ids"
import { dueAfterPoll, lifeAfterPoll } from "@loopbox/core/sync/dueAfterPoll"
import type { SyncClaim, SyncSettlement } from "@loopbox/core/sync/PollStore"
import { makeHealthFacts } from "../accounts/healthFacts.ts"
import type { Append } from "../inbox/EventLog.ts"
import { all, at, Instant, optional } from "../../rows/rows.ts"
import { toJson } from "../../rows/text.ts"
import { makeCompleteRuns } from "./completeRuns.ts"
import { StoredPollState, StoredResult } from "./syncRows.ts"

const IdRow = Schema.Struct({ run_id: SyncId })
/** What is noted of an account whose poll ends. */
const HeldRow = Schema.Struct({ alive_at: optional(Instant), due_at: optional(Instant) })

const encodeResult = Schema.encodeEffect(StoredResult)
const encodeState = Schema.encodeEffect(StoredPollState)

/** Ends the poll of an account, in a transaction of the caller. */
export const makeSettlePoll = Effect.gen(function* () {
  const sql = yield* SqlClient
  const health = yield* makeHealthFacts
  const completeRuns = yield* makeCompleteRuns

  return Effect.fnUntraced(function* (
    claim: SyncClaim,
    { backfills, facts, life, nextPollAt, poll, state }: SyncSettlement,
    moment: DateTime.Utc,
    append: Append
  ) {
    const { accountId, token, workspaceId } = claim
    const own = sql`workspace_id = ${workspaceId} AND account_id = ${accountId}`
    const [held] = yield* all(HeldRow)(sql`SELECT alive_at, due_at FROM account_polls
      WHERE ${own} AND lease_token = ${token} FOR NO KEY UPDATE`)
    if (held === undefined) return yield* new LeaseLost({ what: "account", id: accountId })
    const told = Option.isSome(poll) ? toJson(yield* encodeResult(poll.value)) : null
    const ended = yield* Effect.forEach(backfills, ({ result, runId }) =>
      Effect.map(encodeResult(result), (encoded) => ({ run_id: runId, result: encoded }))
    )
    // An account that is no longer connected is not polled: left due, it would be scanned by every claim for ever.
    const isPolled = yield* sql`SELECT 1 FROM social_accounts
      WHERE workspace_id = ${workspaceId} AND id = ${accountId} AND status = 'connected'`
    const before = { aliveAt: held.alive_at, dueAt: held.due_at }
    const due = dueAfterPoll({ life, nextPollAt, state }, before, moment)
    const next = isPolled.length === 0 ? sql`NULL::timestamptz` : sql`${at(due)}::timestamptz`
    // A hint that came after the claim may be about an item that this poll has missed.
    const hinted =
      isPolled.length === 0
        ? sql`NULL::timestamptz`
        : sql`CASE WHEN hint_taken_at >= hint_due_at THEN NULL ELSE hint_due_at END`
    const noted =
      life === undefined
        ? sql.literal("")
        : sql`alive_at = ${at(lifeAfterPoll(before.aliveAt, life).aliveAt)},
            every_ms = ${Math.ceil(Duration.toMillis(life.every))}::int,`
    const rows = yield* all(IdRow)(sql`
      WITH ended AS (
        SELECT run_id, result FROM jsonb_to_recordset(${toJson(ended)}::jsonb) AS e (run_id text, result jsonb)
      ), tasks AS (
        UPDATE sync_tasks t SET result = coalesce(e.result, ${told}::jsonb)
        FROM sync_tasks w LEFT JOIN ended e ON e.run_id = w.run_id
        WHERE w.workspace_id = ${workspaceId} AND w.account_id = ${accountId} AND w.result IS NULL
          AND (e.run_id IS NOT NULL OR (NOT w.is_backfill AND ${told}::jsonb IS NOT NULL))
          AND t.workspace_id = w.workspace_id AND t.run_id = w.run_id AND t.account_id = w.account_id
        RETURNING t.run_id
      ), polls AS (
        UPDATE account_polls SET state = ${toJson(yield* encodeState(state))}::jsonb, due_at = ${next},
          hint_due_at = ${hinted}, wake_at = CASE WHEN EXISTS (SELECT 1 FROM sync_tasks w WHERE w.workspace_id = ${workspaceId}
              AND w.account_id = ${accountId} AND w.result IS NULL
              AND NOT EXISTS (SELECT 1 FROM ended e WHERE e.run_id = w.run_id)
              AND (w.is_backfill OR ${told}::jsonb IS NULL))
            THEN ${at(moment)}::timestamptz ELSE least(${next}, ${hinted}) END,
          ${noted} lease_token = NULL, lease_until = NULL,
          read = CASE WHEN ${told}::jsonb IS NULL THEN read ELSE 0 END,
          new_items = CASE WHEN ${told}::jsonb IS NULL THEN new_items ELSE 0 END
        WHERE ${own}
      )
      SELECT run_id FROM tasks`)
    if (Option.isSome(facts)) yield* health.polled(claim, facts.value, moment)
    if (rows.length === 0) return
    yield* completeRuns(
      workspaceId,
      rows.map(({ run_id }) => run_id),
      moment,
      append
    )
  })
})
