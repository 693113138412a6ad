import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as Digest from "effect/crypto/Digest"
import { erasedUserId } from "@loopbox/core/audit/erasedUserId"
import { ManagedUser, ManagedUsers } from "@loopbox/core/workspaces/ManagedUsers"
import { accountsErased } from "@loopbox/core/items/decideAccount"
import { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { makeTellAccessChanged } from "./accessWord.ts"
import { deliveriesBy, makeErasing } from "../../operations/erasing.ts"
import { type Append, EventLog } from "../inbox/EventLog.ts"
import { makeRemoveEndpoints } from "../outgoing/removeEndpoints.ts"
import { makeRemovePosts } from "../posts/removePosts.ts"
import { makeManagedUserRows } from "./managedUserRows.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { all, at, firstShaped, plain, newestFirstBy } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { byStoredId, storable } from "../../rows/text.ts"
import { traced } from "@loopbox/core/kernel/traced"

const UserRow = Schema.Struct({
  workspace_id: WorkspaceId,
  external_user_id: Schema.String,
  created_at: plain.moment
})

const userRow = firstShaped(UserRow)

const toUser = (row: typeof UserRow.Type): ManagedUser =>
  new ManagedUser({
    workspaceId: row.workspace_id,
    externalUserId: row.external_user_id,
    createdAt: DateTime.fromDateUnsafe(row.created_at)
  })

const userPage = pageOf("managed_users", UserRow, toUser, { moment: "created_at", id: "external_user_id" })

export const layer: Layer.Layer<ManagedUsers, never, EventLog | SqlClient> = Layer.effect(
  ManagedUsers,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirstBy("created_at", "external_user_id")
    const tellAccessChanged = yield* makeTellAccessChanged
    const rows = yield* makeManagedUserRows
    const erasing = yield* makeErasing
    const audit = yield* makeAppendAudit
    const endpoints = yield* makeRemoveEndpoints
    const removePosts = yield* makeRemovePosts

    /** Removes the user's name from events of accounts that the user owned earlier. */
    const unname = Effect.fnUntraced(function* (workspaceId: WorkspaceId, user: string) {
      for (const owner of [["from"], ["to"], ["account", "externalUserId"]]) {
        yield* sql`UPDATE events SET event = jsonb_set(event, ${owner}::text[], '{"_tag":"None"}')
          WHERE workspace_id = ${workspaceId} AND event ->> '_tag' LIKE 'Account%'
            AND event #>> ${[...owner, "value"]}::text[] = ${user}`
      }
    })

    /** Puts a digest in place of the user in the audit, where the row is gone by now. */
    const unnameAudit = Effect.fnUntraced(function* (workspaceId: WorkspaceId, user: string) {
      const digest = yield* Effect.provide(erasedUserId(workspaceId, user), Digest.layerWebCrypto)
      yield* sql`WITH gone AS (
          DELETE FROM audit_events
          WHERE workspace_id = ${workspaceId} AND target_type = 'managed_user' AND target_id = ${user} RETURNING *
        )
        INSERT INTO audit_events
          (workspace_id, id, at, actor_type, actor_id, action, target_type, target_id, request_id, details)
        SELECT workspace_id, id, at, actor_type, actor_id, action, target_type, ${digest}::text, request_id, details
        FROM gone`
      yield* audit(workspaceId, { action: "managed_user.erased", targetId: digest })
    })

    /** Hides the user and its accounts in one transaction. `none`: the user does not exist. */
    const hide = Effect.fnUntraced(function* (workspaceId: WorkspaceId, user: string, append: Append) {
      // The user first: an account that is being given to it either waits for the lock or is found below.
      const erased = yield* sql`DELETE FROM managed_users
        WHERE workspace_id = ${workspaceId} AND external_user_id = ${user} RETURNING 1`
      if (erased.length === 0) return Option.none()
      const ids = yield* erasing.hide(workspaceId, sql`a.external_user_id = ${user}`)
      yield* removePosts(workspaceId, user)
      yield* sql`DELETE FROM events WHERE workspace_id = ${workspaceId} AND external_user_id = ${user}`
      yield* unname(workspaceId, user)
      yield* sql`INSERT INTO erasures (workspace_id, kind, external_user_id, asked_at)
        VALUES (${workspaceId}, 'managed_user', ${user}, ${at(yield* DateTime.now)})
        ON CONFLICT (workspace_id, kind, external_user_id) DO UPDATE SET asked_at = excluded.asked_at`
      yield* sql`DELETE FROM backfill_confirmations
        WHERE workspace_id = ${workspaceId} AND external_user_id = ${user}`
      yield* sql`DELETE FROM saved_replies WHERE workspace_id = ${workspaceId} AND external_user_id = ${user}`
      yield* endpoints.hide(workspaceId, sql`external_user_id = ${user}`, yield* DateTime.now)
      yield* sql`WITH gone AS (
          DELETE FROM connect_sessions WHERE workspace_id = ${workspaceId} AND external_user_id = ${user} RETURNING id
        )
        DELETE FROM connect_attempts a USING gone g WHERE a.workspace_id = ${workspaceId} AND a.session_id = g.id`
      yield* unnameAudit(workspaceId, user)
      yield* tellAccessChanged(workspaceId)
      yield* append(accountsErased(ids), yield* DateTime.now)
      return Option.some(ids)
    })

    return ManagedUsers.of({
      put: Effect.fn("PgManagedUsers.put")(
        (workspaceId, externalUserId, moment) => sql.withTransaction(rows.put(workspaceId, externalUserId, moment)),
        storeCall("managedUsers.put", "unknown")
      ),

      find: Effect.fnUntraced(
        function* (workspaceId, externalUserId) {
          const row = yield* userRow(sql`SELECT workspace_id, external_user_id, created_at FROM managed_users
            WHERE workspace_id = ${workspaceId} AND external_user_id = ${storable(externalUserId)}`)
          return Option.map(row, toUser)
        },
        storeCall("managedUsers.find", "no"),
        traced("PgManagedUsers.find")
      ),

      findSeveral: Effect.fn("PgManagedUsers.findSeveral")(
        function* (workspaceId, externalUserIds) {
          const found = yield* all(UserRow)(sql`SELECT workspace_id, external_user_id, created_at FROM managed_users
            WHERE workspace_id = ${workspaceId} AND external_user_id = ANY(${externalUserIds.map(storable)}::text[])`)
          return byStoredId(externalUserIds, found, (row) => row.external_user_id, toUser)
        },
        storeCall("managedUsers.findSeveral", "no")
      ),

      list: Effect.fn("PgManagedUsers.list")(
        function* (workspaceId, request) {
          return yield* userPage(
            sql`SELECT workspace_id, external_user_id, created_at FROM managed_users
              WHERE workspace_id = ${workspaceId} ${page(request)}`,
            request.limit
          )
        },
        storeCall("managedUsers.list", "no")
      ),

      erase: Effect.fn("PgManagedUsers.erase")(function* (workspaceId, externalUserId, redact) {
        const accounts = yield* log
          .transaction(workspaceId, (append) => hide(workspaceId, storable(externalUserId), append))
          .pipe(storeCall("managedUsers.erase", "unknown"))
        if (Option.isNone(accounts)) return false
        yield* erasing.finish(
          [
            ...erasing.accountErasures(workspaceId, accounts.value),
            { _tag: "ManagedUser", workspaceId, externalUserId }
          ],
          deliveriesBy(redact)
        )
        return true
      })
    })
  })
)
