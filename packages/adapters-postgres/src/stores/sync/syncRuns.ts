import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { decideRunStart } from "@loopbox/core/sync/decideRun"
import { type AccountSync, newPollState, type SyncRun } from "@loopbox/core/sync/SyncRun"
import type { BackfillProgress } from "@loopbox/core/sync/PollStore"
import type { NewRun, PolledAccount } from "@loopbox/core/sync/SyncStore"
import { SyncId, type WorkspaceId } from "@loopbox/core/kernel/Ids"
import { accountColumnsOf, AccountRow, toAccount } from "../../rows/AccountRow.ts"
import { makeHoldOwner } from "../access/holdOwner.ts"
import type { Append } from "../inbox/EventLog.ts"
import { readable } from "../../rows/readableRows.ts"
import { at, first, one, optional } from "../../rows/rows.ts"
import { PollRow, RunRow, StoredInput, StoredProgress, StoredResult } from "./syncRows.ts"
import { storable, toJson } from "../../rows/text.ts"

const CountRow = Schema.Struct({ count: Schema.Int })
const RunIdRow = Schema.Struct({ id: SyncId })
const UsedRow = Schema.Struct({ used_by: optional(SyncId) })
const AskedRow = Schema.Struct({ ...AccountRow.fields, ...PollRow.fields })
const readAsked = readable("accounts", AskedRow)

const encodeInput = Schema.encodeEffect(StoredInput)
const encodeResult = Schema.encodeEffect(StoredResult)
const encodeProgress = Schema.encodeEffect(StoredProgress)

const noProgress: BackfillProgress = { read: 0, accepted: 0, duplicates: 0, suppressed: 0, cursor: Option.none() }

const toRun = (row: typeof RunRow.Type): SyncRun => ({
  id: row.id,
  workspaceId: row.workspace_id,
  externalUserId: row.external_user_id,
  backfill: row.backfill,
  createdAt: row.created_at,
  // Computed from its tasks, not stored: a run does not wait for an account that was erased.
  isCompleted: row.pending === 0,
  accountsChecked: row.accounts,
  accounts: row.results
})

const ownerOf = (scope: InboxScope): Option.Option<string> =>
  scope._tag === "WorkspaceScope" ? Option.none() : Option.some(scope.externalUserId)

/** Runs and their accounts, in a transaction of the caller. */
export const makeSyncRuns = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { holdOwner } = yield* makeHoldOwner

  const find = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: SyncId, inScope: Fragment) {
    const row = yield* first(RunRow)(sql`
      SELECT r.workspace_id, r.id, r.external_user_id, r.backfill, r.created_at, t.accounts, t.pending, t.results
      FROM sync_runs r CROSS JOIN LATERAL (
        SELECT count(*)::int AS accounts, count(*) FILTER (WHERE t.result IS NULL)::int AS pending,
          coalesce(jsonb_agg(t.result ORDER BY t.account_id) FILTER (WHERE t.result IS NOT NULL), '[]') AS results
        FROM sync_tasks t WHERE t.workspace_id = ${workspaceId} AND t.run_id = r.id
      ) t
      WHERE r.workspace_id = ${workspaceId} AND r.id = ${id} ${inScope}`)
    return Option.map(row, toRun)
  })

  const ofRun = ({ backfill, networks, scope }: Pick<NewRun, "scope" | "networks" | "backfill">) => {
    const owned =
      scope._tag === "WorkspaceScope"
        ? sql.literal("")
        : sql`AND a.external_user_id = ${storable(scope.externalUserId)}`
    const named = Option.match(
      Option.flatMap(backfill, ({ accountId }) => accountId),
      { onNone: () => sql.literal(""), onSome: (id) => sql`AND a.id = ${id}` }
    )
    return sql`a.workspace_id = ${scope.workspaceId} AND a.status <> 'disconnected'
      AND (a.features = '[]' OR a.features @> '["inbox"]')
      AND a.network = ANY(${Array.from(networks)}::text[]) ${owned} ${named}`
  }

  const countAccounts = Effect.fnUntraced(function* (run: Pick<NewRun, "scope" | "networks" | "backfill">) {
    const { count } = yield* one(CountRow)(
      sql`SELECT count(*)::int AS count FROM social_accounts a WHERE ${ofRun(run)}`
    )
    return count
  })

  /** Returns the earlier run of a used confirmation; otherwise marks it as used by this run. */
  const useConfirmation = Effect.fnUntraced(function* (
    { workspaceId }: { readonly workspaceId: WorkspaceId },
    token: string,
    id: SyncId
  ) {
    const before = yield* first(UsedRow)(sql`SELECT used_by FROM backfill_confirmations
      WHERE workspace_id = ${workspaceId} AND token = ${storable(token)} FOR UPDATE`)
    const used = Option.flatMap(before, ({ used_by }) => used_by)
    if (Option.isSome(used)) return yield* find(workspaceId, used.value, sql.literal(""))
    yield* sql`UPDATE backfill_confirmations SET used_by = ${id}
      WHERE workspace_id = ${workspaceId} AND token = ${storable(token)}`
    return Option.none<SyncRun>()
  })

  /** A poll that `run` may join: it waits, and has a task for every account that the run would have. */
  const findWaiting = Effect.fnUntraced(function* (run: NewRun) {
    const { backfill, joinSince, scope } = run
    if (joinSince === undefined || Option.isSome(backfill)) return Option.none<SyncRun>()
    const ofScope =
      scope._tag === "WorkspaceScope"
        ? sql`r.external_user_id IS NULL`
        : sql`r.external_user_id = ${storable(scope.externalUserId)}`
    const row = yield* first(RunIdRow)(sql`
      SELECT r.id FROM sync_runs r
      WHERE r.workspace_id = ${scope.workspaceId} AND r.completed_at IS NULL AND ${ofScope}
        AND r.backfill IS NULL AND r.created_at >= ${at(joinSince)}
        AND EXISTS (SELECT 1 FROM sync_tasks t
          WHERE t.workspace_id = ${scope.workspaceId} AND t.run_id = r.id AND t.result IS NULL)
        AND NOT EXISTS (SELECT 1 FROM social_accounts a WHERE ${ofRun(run)}
          AND NOT EXISTS (SELECT 1 FROM sync_tasks t
            WHERE t.workspace_id = ${scope.workspaceId} AND t.run_id = r.id AND t.account_id = a.id))
      ORDER BY r.created_at DESC LIMIT 1`)
    return Option.isNone(row) ? Option.none() : yield* find(scope.workspaceId, row.value.id, sql.literal(""))
  })

  const insert = Effect.fnUntraced(function* (
    { backfill, createdAt, id, scope }: NewRun,
    accounts: ReadonlyArray<{ readonly accountId: string; readonly result: Option.Option<AccountSync> }>
  ) {
    const { workspaceId } = scope
    const isWaiting = accounts.some(({ result }) => Option.isNone(result))
    yield* sql`INSERT INTO sync_runs ${sql.insert({
      workspace_id: workspaceId,
      id,
      external_user_id: scope._tag === "WorkspaceScope" ? null : storable(scope.externalUserId),
      backfill: Option.isSome(backfill) ? toJson(yield* encodeInput(backfill.value)) : null,
      created_at: at(createdAt),
      completed_at: isWaiting ? null : at(createdAt)
    })}`
    if (accounts.length === 0) return
    const progress = Option.isSome(backfill) ? yield* encodeProgress(noProgress) : null
    const rows = yield* Effect.forEach(accounts, ({ accountId, result }) =>
      Effect.map(Option.isSome(result) ? encodeResult(result.value) : Effect.succeed(null), (encoded) => ({
        account_id: accountId,
        result: encoded
      }))
    )
    yield* sql`
      WITH tasks AS (
        INSERT INTO sync_tasks (workspace_id, run_id, account_id, is_backfill, progress, result)
        SELECT ${workspaceId}::text, ${id}::text, t.account_id, ${Option.isSome(backfill)}::boolean,
          nullif(${toJson(progress)}::jsonb, 'null'), nullif(t.result, 'null')
        FROM jsonb_to_recordset(${toJson(rows)}::jsonb) AS t (account_id text, result jsonb)
        RETURNING account_id, result
      )
      UPDATE account_polls p SET wake_at = least(p.wake_at, ${at(createdAt)})
      FROM tasks t WHERE p.workspace_id = ${workspaceId} AND p.account_id = t.account_id AND t.result IS NULL`
  })

  const start = Effect.fnUntraced(function* (
    run: NewRun,
    judge: (account: PolledAccount) => Option.Option<AccountSync>,
    append: Append
  ) {
    const { confirmation, createdAt, id, scope } = run
    // Whose scope it is was erased since the scope was found: the run is over before it begins, and leaves nothing.
    if (!(yield* holdOwner(scope.workspaceId, ownerOf(scope)))) return decideRunStart(run, []).run
    if (Option.isSome(confirmation)) {
      const earlier = yield* useConfirmation(scope, confirmation.value, id)
      if (Option.isSome(earlier)) return earlier.value
    }
    // First without locks, since a run may have thousands of accounts; again below, behind the locks.
    const waiting = yield* findWaiting(run)
    if (Option.isSome(waiting)) return waiting.value
    // Locked before the tasks are added: a poll that ends now sees all of the tasks, or leaves the account due.
    const rows = yield* readAsked(sql`SELECT ${sql.literal(accountColumnsOf("a"))}, p.state, p.due_at
      FROM social_accounts a JOIN account_polls p ON p.workspace_id = a.workspace_id AND p.account_id = a.id
      WHERE ${ofRun(run)} ORDER BY a.id FOR NO KEY UPDATE OF p`)
    const begun = yield* findWaiting(run)
    if (Option.isSome(begun)) return begun.value
    const accounts = rows.map((row) => ({
      accountId: row.id,
      result: judge({
        account: toAccount(row),
        state: Option.getOrElse(row.state, () => newPollState),
        nextPollAt: row.due_at
      })
    }))
    const { events, run: started } = decideRunStart(
      run,
      accounts.map(({ result }) => result)
    )
    yield* insert(run, accounts)
    yield* append(events, createdAt)
    return started
  })

  return { find, countAccounts, start }
})
