import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import type { Workspace } from "@loopbox/core/workspaces/Workspace"
import { Workspaces } from "@loopbox/core/workspaces/Workspaces"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import type { EventLog } from "../inbox/EventLog.ts"
import { makeTellAccessChanged } from "./accessWord.ts"
import { deliveriesBy, makeErasing } from "../../operations/erasing.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { at, first, newestFirst } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeSubmitLock } from "../../connection/workspaceLock.ts"
import { storable } from "../../rows/text.ts"
import { toWorkspace, workspaceColumns, WorkspaceRow } from "../../rows/WorkspaceRow.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"

/** Hiding a workspace with many files is one transaction; it may take longer than a request's statement. */
const eraseTimeout = Duration.seconds(60)

const workspacePage = pageOf("workspaces", WorkspaceRow, toWorkspace)

export const layer: Layer.Layer<Workspaces, never, EventLog | SqlClient> = Layer.effect(
  Workspaces,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const overAll = yield* makeOverAll
    const storeCall = yield* makeStoreCall
    const tellAccessChanged = yield* makeTellAccessChanged
    const page = yield* newestFirst
    const underSubmitLock = yield* makeSubmitLock("workspaces")
    const erasing = yield* makeErasing
    const audit = yield* makeAppendAudit
    const columns = sql.literal(workspaceColumns)

    const write = (workspace: Workspace) => ({
      name: storable(workspace.name),
      plan: workspace.plan,
      limit_active_jobs: Option.getOrNull(workspace.limits.activeJobs),
      limit_conversions_per_24_hours: Option.getOrNull(workspace.limits.conversionsPer24Hours)
    })

    /**
     * Makes the accounts due that no rate limit keeps. A poll that runs now was begun under the old plan, and loses its
     * lease: it would put the account off for a day that the new plan includes. Locks in the same order as a sync, to
     * avoid deadlocks.
     */
    const pollSoon = Effect.fnUntraced(function* (id: WorkspaceId) {
      const now = at(yield* DateTime.now)
      yield* sql`
        WITH soon AS MATERIALIZED (
          SELECT account_id FROM account_polls WHERE workspace_id = ${id} AND due_at IS NOT NULL
            AND coalesce(state -> 'wait' ->> '_tag', 'None') = 'None'
          ORDER BY account_id FOR NO KEY UPDATE
        )
        UPDATE account_polls p SET due_at = least(p.due_at, ${now}), wake_at = least(p.wake_at, ${now}),
          lease_token = NULL, lease_until = NULL
        FROM soon s WHERE p.workspace_id = ${id} AND p.account_id = s.account_id`
    })

    const update = <E>(id: WorkspaceId, change: (workspace: Workspace) => Effect.Effect<Workspace, E>) =>
      first(WorkspaceRow)(sql`SELECT ${columns} FROM workspaces WHERE id = ${id} FOR NO KEY UPDATE`).pipe(
        Effect.flatMap(
          Option.match({
            onNone: () => Effect.succeedNone,
            onSome: (row) =>
              change(toWorkspace(row)).pipe(
                Effect.tap((changed) => sql`UPDATE workspaces SET ${sql.update(write(changed))} WHERE id = ${id}`),
                Effect.tap(({ plan }) => (plan === row.plan ? Effect.void : pollSoon(id))),
                Effect.tap(() => tellAccessChanged(id)),
                Effect.tap(({ plan }) => audit(id, { action: "workspace.updated", targetId: id, details: { plan } })),
                Effect.asSome
              )
          })
        ),
        sql.withTransaction,
        storeCall("workspaces.update", "unknown"),
        Effect.withSpan("PgWorkspaces.update")
      )

    /** Erases all small data and hides the accounts, whose ids it returns. `none`: the workspace does not exist. */
    const eraseRows = Effect.fnUntraced(
      function* (id: WorkspaceId) {
        const now = at(yield* DateTime.now)
        yield* sql`SET LOCAL statement_timeout = ${sql.literal(`${Duration.toMillis(eraseTimeout)}`)}`
        // The row first: inserts of media and keys lock it in share mode, so none can follow the statements below.
        const erased = yield* sql`DELETE FROM workspaces WHERE id = ${id} RETURNING id`
        if (erased.length === 0) return Option.none()
        // In the order in which whoever names several of them holds them.
        yield* sql`SELECT 1 FROM managed_users WHERE workspace_id = ${id} ORDER BY external_user_id FOR UPDATE`
        yield* sql`DELETE FROM managed_users WHERE workspace_id = ${id}`
        // Before the accounts, as whoever writes deliveries locks them.
        yield* sql`DELETE FROM outgoing_positions WHERE workspace_id = ${id}`
        const accounts = yield* erasing.hide(id, sql`true`)
        for (const table of ["outgoing_endpoints", "outgoing_lanes", "outgoing_secrets"]) {
          yield* sql`DELETE FROM ${sql(table)} WHERE workspace_id = ${id}`
        }
        yield* sql`DELETE FROM backfill_confirmations WHERE workspace_id = ${id}`
        yield* sql`DELETE FROM api_keys WHERE workspace_id = ${id}`
        yield* sql`DELETE FROM api_key_uses WHERE workspace_id = ${id}`
        yield* sql`DELETE FROM members WHERE workspace_id = ${id}`
        yield* sql`DELETE FROM media_jobs WHERE workspace_id = ${id}`
        // Only the locations of blobs stay, until the blobs are confirmed as removed.
        yield* sql`DELETE FROM media WHERE workspace_id = ${id} AND (blob_key IS NULL OR bytes_removed_at IS NOT NULL)`
        yield* sql`UPDATE media SET deleted_at = coalesce(deleted_at, ${now}), filename = NULL
          WHERE workspace_id = ${id}`
        yield* sql`INSERT INTO erasures (workspace_id, kind, external_user_id, asked_at)
          VALUES (${id}, 'workspace', '', ${now}) ON CONFLICT DO NOTHING`
        yield* tellAccessChanged(id)
        return Option.some(accounts)
      },
      (self, id) => underSubmitLock(id)(self),
      storeCall("workspaces.erase", "unknown", eraseTimeout)
    )

    return Workspaces.of({
      insert: Effect.fn("PgWorkspaces.insert")(
        function* (workspace) {
          yield* sql`INSERT INTO workspaces ${sql.insert({
            id: workspace.id,
            ...write(workspace),
            created_at: at(workspace.createdAt)
          })}`
        },
        storeCall("workspaces.insert", "unknown")
      ),

      find: Effect.fn("PgWorkspaces.find")(
        function* (id) {
          const row = yield* first(WorkspaceRow)(sql`SELECT ${columns} FROM workspaces WHERE id = ${id}`)
          return Option.map(row, toWorkspace)
        },
        storeCall("workspaces.find", "no")
      ),

      list: Effect.fn("PgWorkspaces.list")(
        function* (request) {
          return yield* workspacePage(
            overAll(
              "workspaces.list",
              (among) => sql`SELECT ${columns} FROM workspaces WHERE true ${among("id")} ${page(request)}`
            ),
            request.limit
          )
        },
        storeCall("workspaces.list", "no")
      ),

      update,

      erase: Effect.fn("PgWorkspaces.erase")(function* (id, redact) {
        const accounts = yield* eraseRows(id)
        if (Option.isNone(accounts)) return false
        // Large data is removed in batches. It is hidden already, and the sweeper continues after a crash.
        yield* erasing.finish(
          [...erasing.accountErasures(id, accounts.value), { _tag: "Workspace", workspaceId: id }],
          deliveriesBy(redact)
        )
        return true
      })
    })
  })
)
