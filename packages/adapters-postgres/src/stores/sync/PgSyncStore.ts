import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import { SyncStore } from "@loopbox/core/sync/SyncStore"
import { makeHoldOwner } from "../access/holdOwner.ts"
import { EventLog } from "../inbox/EventLog.ts"
import { all, at, first } from "../../rows/rows.ts"
import { Signals } from "../../connection/Signals.ts"
import { byWorkspace, makeOverAll } from "../../connection/allWorkspaces.ts"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeSyncRuns } from "./syncRuns.ts"
import { ConfirmationRow, StoredInput } from "./syncRows.ts"
import { storable, storableOrNull, toJson } from "../../rows/text.ts"

const OldRow = Schema.Struct({ workspace_id: WorkspaceId, id: Schema.String })

const encodeInput = Schema.encodeEffect(StoredInput)

export const layer: Layer.Layer<SyncStore, never, EventLog | Signals | SqlClient> = Layer.effect(
  SyncStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const overAll = yield* makeOverAll
    const signals = yield* Signals
    const storeCall = yield* makeStoreCall
    const runs = yield* makeSyncRuns
    const { holdOwner } = yield* makeHoldOwner

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
          if (!(yield* holdOwner(workspaceId, externalUserId))) return
          yield* sql`INSERT INTO backfill_confirmations ${sql.insert({
            workspace_id: workspaceId,
            token,
            external_user_id: storableOrNull(externalUserId),
            input: toJson(yield* encodeInput(input)),
            expires_at: at(expiresAt)
          })}`
        },
        sql.withTransaction,
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

      removeOlder: Effect.fn("PgSyncStore.removeOlder")(
        function* ({ confirmations, runs: before }, limit) {
          const runs = yield* overAll("syncs.old", (among) =>
            all(OldRow)(sql`SELECT workspace_id, id FROM sync_runs WHERE created_at < ${at(before)}
              ${among("workspace_id")} ORDER BY created_at, workspace_id, id LIMIT ${limit}`)
          )
          for (const [workspaceId, old] of byWorkspace(runs)) {
            yield* sql`
              WITH old AS MATERIALIZED (
                SELECT id FROM sync_runs WHERE workspace_id = ${workspaceId}
                  AND id = ANY(${old.map(({ id }) => id)}::text[]) FOR UPDATE SKIP LOCKED
              ), tasks AS (
                DELETE FROM sync_tasks t USING old o WHERE t.workspace_id = ${workspaceId} AND t.run_id = o.id
              )
              DELETE FROM sync_runs r USING old o WHERE r.workspace_id = ${workspaceId} AND r.id = o.id`
          }
          const left = limit - runs.length
          if (left <= 0) return runs.length
          const expired = yield* overAll("confirmations.old", (among) =>
            all(OldRow)(sql`SELECT workspace_id, token AS id FROM backfill_confirmations
              WHERE expires_at < ${at(confirmations)} ${among("workspace_id")}
              ORDER BY expires_at, workspace_id, token LIMIT ${left}`)
          )
          for (const [workspaceId, old] of byWorkspace(expired)) {
            yield* sql`DELETE FROM backfill_confirmations
              WHERE workspace_id = ${workspaceId} AND token = ANY(${old.map(({ id }) => id)}::text[])`
          }
          return runs.length + expired.length
        },
        storeCall("syncs.removeOlder", "unknown")
      )
    })
  })
)
