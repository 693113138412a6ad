import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { auditDeletionAsked } from "@loopbox/core/accounts/auditAccount"
import { type Erasure, Erasures } from "@loopbox/core/accounts/Erasures"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { deliveriesBy, makeErasing } from "../../operations/erasing.ts"
import { accountsErased } from "@loopbox/core/items/decideAccount"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { type Append, EventLog } from "../inbox/EventLog.ts"
import { all, at } from "../../rows/rows.ts"
import { makeOverAll } from "../../connection/allWorkspaces.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"

const AccountRow = Schema.Struct({ workspace_id: WorkspaceId, id: SocialAccountId })
const LeftRow = Schema.Struct({
  workspace_id: WorkspaceId,
  kind: Schema.Literals(["managed_user", "workspace"]),
  external_user_id: Schema.String
})

export const layer: Layer.Layer<Erasures, never, EventLog | SqlClient> = Layer.effect(
  Erasures,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const overAll = yield* makeOverAll
    const storeCall = yield* makeStoreCall
    const erasing = yield* makeErasing
    const audit = yield* makeAppendAudit

    const listAccounts = (before: DateTime.Utc, limit: number) =>
      overAll("erasures.list", (among) =>
        all(AccountRow)(sql`
          SELECT workspace_id, id FROM (
            (SELECT workspace_id, id, erased_at AS since FROM social_accounts WHERE erased_at IS NOT NULL
              ${among("workspace_id")} ORDER BY erased_at, workspace_id, id LIMIT ${limit})
            UNION ALL
            (SELECT workspace_id, id, disconnected_at FROM social_accounts
              WHERE disconnected_at < ${at(before)} AND erased_at IS NULL ${among("workspace_id")}
              ORDER BY disconnected_at, workspace_id, id LIMIT ${limit})
          ) a ORDER BY since, workspace_id, id LIMIT ${limit}`)
      )

    const listLeft = (limit: number) =>
      overAll("erasures.left", (among) =>
        all(LeftRow)(sql`SELECT workspace_id, kind, external_user_id FROM erasures WHERE true ${among("workspace_id")}
          ORDER BY asked_at, workspace_id, kind, external_user_id LIMIT ${limit}`)
      )

    /** Hides the account, unless it was connected again meanwhile. */
    const hide = Effect.fnUntraced(
      function* (workspaceId: WorkspaceId, id: SocialAccountId, before: DateTime.Utc) {
        const isDue = sql`a.id = ${id} AND a.erased_at IS NULL AND a.disconnected_at < ${at(before)}`
        yield* erasing.hide(workspaceId, isDue)
      },
      sql.withTransaction,
      storeCall("erasures.hide", "unknown")
    )

    return Erasures.of({
      erase: Effect.fn("PgErasures.erase")(function* ({ accountId, workspaceId }, redact) {
        const hideAtOnce = Effect.fnUntraced(function* (append: Append) {
          const ids = yield* erasing.hide(workspaceId, sql`a.id = ${accountId} AND a.erased_at IS NULL`)
          for (const id of ids) yield* audit(workspaceId, auditDeletionAsked(id))
          yield* append(accountsErased(ids), yield* DateTime.now)
        })
        yield* log.transaction(workspaceId, hideAtOnce).pipe(storeCall("erasures.erase", "unknown"))
        yield* erasing.finish(erasing.accountErasures(workspaceId, [accountId]), deliveriesBy(redact))
      }),

      isLeft: Effect.fn("PgErasures.isLeft")(
        function* ({ accountId, workspaceId }) {
          const rows =
            yield* sql`SELECT 1 FROM social_accounts WHERE workspace_id = ${workspaceId} AND id = ${accountId}`
          return rows.length > 0
        },
        storeCall("erasures.isLeft", "no")
      ),

      list: Effect.fn("PgErasures.list")(
        function* (before, limit) {
          const accounts = (yield* listAccounts(before, limit)).map(
            ({ id: accountId, workspace_id: workspaceId }): Erasure => ({ _tag: "Account", workspaceId, accountId })
          )
          if (accounts.length >= limit) return accounts
          const left = yield* listLeft(limit - accounts.length)
          return [
            ...accounts,
            ...left.map(({ external_user_id: externalUserId, kind, workspace_id: workspaceId }): Erasure =>
              kind === "workspace"
                ? { _tag: "Workspace", workspaceId }
                : { _tag: "ManagedUser", workspaceId, externalUserId }
            )
          ]
        },
        storeCall("erasures.list", "no")
      ),

      advance: Effect.fn("PgErasures.advance")(function* (erasure, before, redact) {
        if (erasure._tag === "Account") yield* hide(erasure.workspaceId, erasure.accountId, before)
        return yield* erasing.advance(erasure, deliveriesBy(redact))
      })
    })
  })
)
