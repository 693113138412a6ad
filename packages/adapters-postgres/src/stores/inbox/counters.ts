import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Source } from "@loopbox/core/networks/Source"
import type { CounterDrift } from "@loopbox/core/inbox/UnreadCounters"
import type { ItemScope } from "@loopbox/core/items/ItemScope"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { all, at, one } from "../../rows/rows.ts"
import { makeScope } from "./scope.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makePartlyOverAll } from "../../connection/allWorkspaces.ts"

const SumRow = Schema.Struct({ unread: Schema.Int })
const IdRow = Schema.Struct({ id: WorkspaceId })
const DriftRow = Schema.Struct({
  account_id: SocialAccountId,
  source: Source,
  counted: Schema.Int,
  actual: Schema.Int
})

/** Counting a large workspace's unread items may take longer than a request. */
const compareTimeout = Duration.seconds(60)

/** When a comparison is due again that failed or whose process ended. */
const retryAfter = Duration.hours(1)

/** The unread counters: one for each account and source that ever had an item. */
export const makeCounters = Effect.gen(function* () {
  const sql = yield* SqlClient
  const storeCall = yield* makeStoreCall
  const within = yield* makeScope
  const overAll = yield* makePartlyOverAll

  /**
   * The counters of a scope. Those of a workspace are all but the disconnected accounts', which are few: joining them
   * with 12,000 accounts takes three times as long.
   */
  const ofScope = (scope: ItemScope) =>
    scope.scope._tag === "WorkspaceScope"
      ? sql`FROM unread_counters c
          WHERE c.workspace_id = ${scope.scope.workspaceId} AND c.account_id <> ALL (ARRAY(SELECT id FROM social_accounts
            WHERE workspace_id = ${scope.scope.workspaceId} AND status = 'disconnected'))`
      : sql`FROM social_accounts a
          JOIN unread_counters c ON c.workspace_id = a.workspace_id AND c.account_id = a.id
          WHERE ${within.accounts(scope)}`

  const sum = Effect.fnUntraced(function* (scope: ItemScope) {
    const row = yield* one(SumRow)(sql`SELECT coalesce(sum(c.unread), 0)::int AS unread
      ${ofScope(scope)} AND c.source = ANY(${Array.from(scope.sources)}::text[])`)
    return row.unread
  })

  /** In one snapshot counters and items agree, for every transaction changes both. */
  const findDrifts = (workspaceId: WorkspaceId) =>
    sql`SET LOCAL statement_timeout = ${sql.literal(`${Duration.toMillis(compareTimeout)}`)}`.pipe(
      Effect.andThen(
        all(DriftRow)(sql`
          SELECT account_id, source, coalesce(c.unread, 0) AS counted, coalesce(i.unread, 0)::int AS actual
          FROM (SELECT account_id, source, unread FROM unread_counters WHERE workspace_id = ${workspaceId}) c
          FULL JOIN (
            SELECT account_id, source, count(*) FILTER (WHERE NOT is_own) AS unread FROM items
            WHERE workspace_id = ${workspaceId} AND kind = 'live' AND NOT is_read GROUP BY account_id, source
          ) i USING (account_id, source)
          WHERE coalesce(c.unread, 0) <> coalesce(i.unread, 0)`)
      ),
      sql.withTransaction,
      storeCall("inbox.compareCounters", "no", compareTimeout)
    )

  /** Recounts under the counter's lock: an uncommitted change waits, and then adds to the corrected sum. */
  const repairOne = ({ accountId, source, workspaceId }: CounterDrift) =>
    sql`INSERT INTO unread_counters AS c (workspace_id, account_id, source, unread)
        VALUES (${workspaceId}, ${accountId}, ${source}, 0)
        ON CONFLICT (workspace_id, account_id, source) DO UPDATE SET unread = c.unread`.pipe(
      Effect.andThen(sql`UPDATE unread_counters SET unread = (
          SELECT count(*) FROM items WHERE workspace_id = ${workspaceId} AND account_id = ${accountId}
            AND source = ${source} AND kind = 'live' AND NOT is_read AND NOT is_own)
        WHERE workspace_id = ${workspaceId} AND account_id = ${accountId} AND source = ${source}`),
      sql.withTransaction,
      storeCall("inbox.repairCounter", "unknown")
    )

  const listWorkspaces = overAll("workspaces.compare", (among) =>
    all(IdRow)(sql`SELECT id FROM workspaces WHERE true ${among("id")} ORDER BY id`)
  ).pipe(storeCall("inbox.compareCounters", "no"))

  const compareThese = Effect.fnUntraced(function* (repair: boolean, these: ReadonlyArray<WorkspaceId>) {
    const drifts: Array<CounterDrift> = []
    for (const workspaceId of these) {
      for (const { account_id: accountId, actual, counted, source } of yield* findDrifts(workspaceId)) {
        const drift: CounterDrift = { workspaceId, accountId, source, counted, actual }
        drifts.push(drift)
        if (repair) yield* repairOne(drift)
      }
    }
    return drifts
  })

  /** Of all workspaces, or of those of the nodes that can be reached; says whether these were all. */
  const compareAll = Effect.fnUntraced(function* (repair: boolean) {
    const { away, found } = yield* listWorkspaces
    if (Option.isSome(away)) {
      yield* Effect.logWarning("counters on a node that is away are not compared", { compared: found.length })
    }
    const drifts = yield* compareThese(
      repair,
      found.map(({ id }) => id)
    )
    return { drifts, isWhole: Option.isNone(away) }
  })

  const compare = (repair: boolean, only?: ReadonlyArray<WorkspaceId>) =>
    only === undefined ? Effect.map(compareAll(repair), ({ drifts }) => drifts) : compareThese(repair, only)

  const noteCompared = (moment: DateTime.Utc) =>
    sql`UPDATE installation SET counters_compared_at = ${at(moment)} WHERE is_only`.pipe(
      storeCall("inbox.noteCompared", "unknown")
    )

  /** The time is stored first, so that only one of several concurrent processes finds the comparison due. */
  const compareDue = Effect.fnUntraced(function* ({
    every,
    now
  }: {
    readonly every: Duration.Duration
    readonly now: DateTime.Utc
  }) {
    const due = yield* sql`UPDATE installation SET counters_compared_at = ${at(now)}
      WHERE is_only AND (counters_compared_at IS NULL
        OR counters_compared_at <= ${at(DateTime.subtractDuration(now, every))}) RETURNING 1`.pipe(
      storeCall("inbox.compareDueCounters", "unknown")
    )
    if (due.length === 0) return Option.none<ReadonlyArray<CounterDrift>>()
    const again = DateTime.addDuration(DateTime.subtractDuration(now, every), retryAfter)
    const { drifts, isWhole } = yield* Effect.onError(compareAll(false), () => Effect.ignore(noteCompared(again)))
    if (!isWhole) yield* noteCompared(again)
    return Option.some<ReadonlyArray<CounterDrift>>(drifts)
  })

  return { sum, compare, compareDue }
})
