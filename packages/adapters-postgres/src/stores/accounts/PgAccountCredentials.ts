import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { auditDeauthorized } from "@loopbox/core/accounts/auditAccount"
import { AccountCredentials, type RenewalClaim } from "@loopbox/core/accounts/AccountCredentials"
import { accountColumnsOf, AccountRow, toAccount } from "../../rows/AccountRow.ts"
import { at, first, Instant, optional } from "../../rows/rows.ts"
import { ownTurn } from "../../connection/accountTurn.ts"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { makeAccountRoutes } from "./accountRoutes.ts"
import { isOwnTurn, makeEndPolls } from "./endPolls.ts"
import { storable, storableOrNull } from "../../rows/text.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"

const UsableRow = Schema.Struct({ ...AccountRow.fields, sealed: Schema.String, renew_at: optional(Instant) })

const SealedRow = Schema.Struct({ sealed: Schema.String })

export const layer: Layer.Layer<AccountCredentials, never, SqlClient> = Layer.effect(
  AccountCredentials,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const endPolls = yield* makeEndPolls
    const audit = yield* makeAppendAudit
    const routes = yield* makeAccountRoutes
    const storeCall = yield* makeStoreCall
    const columns = sql.literal(accountColumnsOf("a"))

    /** The credentials of the claim, if they were not replaced and the account is connected. */
    const unchanged = ({ accountId, sealed, workspaceId }: Omit<RenewalClaim, "token">) => sql`
      c.workspace_id = ${workspaceId} AND c.account_id = ${accountId} AND c.sealed = ${sealed}
        AND EXISTS (SELECT 1 FROM social_accounts a
          WHERE a.workspace_id = ${workspaceId} AND a.id = ${accountId} AND a.status = 'connected')`

    return AccountCredentials.of({
      find: Effect.fn("PgAccountCredentials.find")(
        function* (workspaceId, id) {
          const row = yield* first(UsableRow)(sql`SELECT ${columns}, c.sealed, c.renew_at
            FROM social_accounts a
            JOIN account_credentials c ON c.workspace_id = a.workspace_id AND c.account_id = a.id
            WHERE a.workspace_id = ${workspaceId} AND a.id = ${id} AND a.status = 'connected'`)
          return Option.map(row, (found) => ({
            account: toAccount(found),
            sealed: found.sealed,
            renewAt: found.renew_at
          }))
        },
        storeCall("credentials.find", "no")
      ),

      findSealed: Effect.fn("PgAccountCredentials.findSealed")(
        function* (workspaceId, id) {
          const row = yield* first(SealedRow)(sql`SELECT c.sealed FROM account_credentials c
            JOIN social_accounts a ON a.workspace_id = c.workspace_id AND a.id = c.account_id
            WHERE c.workspace_id = ${workspaceId} AND c.account_id = ${id} AND a.status <> 'disconnected'`)
          return Option.map(row, ({ sealed }) => sealed)
        },
        storeCall("credentials.findSealed", "no")
      ),

      claimRenewal: Effect.fn("PgAccountCredentials.claimRenewal")(
        function* (claim, { dueAt, now, until }) {
          const isDue = Option.match(dueAt, {
            onNone: () => sql.literal(""),
            onSome: (moment) => sql`AND c.renew_at <= ${at(moment)}`
          })
          const claimed = yield* sql`UPDATE account_credentials c
            SET renewer = ${claim.token}, renewer_until = ${at(until)}
            WHERE ${unchanged(claim)} AND (c.renewer_until IS NULL OR c.renewer_until <= ${at(now)}) ${isDue}
            RETURNING 1`
          return claimed.length > 0
        },
        storeCall("credentials.claimRenewal", "unknown")
      ),

      settleRenewal: Effect.fn("PgAccountCredentials.settleRenewal")(
        function* (claim, outcome) {
          const renewAt = Option.getOrNull(Option.map(outcome.renewAt, at))
          const isRenewed = outcome._tag === "Renewed"
          const replaced = isRenewed
            ? sql`, sealed = ${outcome.sealed}, stored_at = ${at(outcome.renewedAt)}`
            : sql.literal("")
          // Locks the account before its credentials, in the same order as every other change, to avoid deadlocks.
          if (isRenewed) {
            yield* sql`SELECT 1 FROM social_accounts
              WHERE workspace_id = ${claim.workspaceId} AND id = ${claim.accountId}
                AND ${sql.literal(ownTurn("social_accounts"))} FOR NO KEY UPDATE`
          }
          const inTurn = isRenewed ? sql.literal("") : sql`AND c.renewer = ${claim.token}`
          const settled = yield* sql`UPDATE account_credentials c
            SET renew_at = ${renewAt}, renewer = NULL, renewer_until = NULL ${replaced}
            WHERE ${unchanged(claim)} ${inTurn} RETURNING 1`
          if (settled.length === 0) return false
          if (outcome._tag === "Kept") return true
          yield* sql`UPDATE social_accounts
            SET token_expires_at = ${Option.getOrNull(Option.map(outcome.expiresAt, at))}
            WHERE workspace_id = ${claim.workspaceId} AND id = ${claim.accountId}`
          return true
        },
        sql.withTransaction,
        storeCall("credentials.settleRenewal", "unknown")
      ),

      noteNames: Effect.fn("PgAccountCredentials.noteNames")(
        function* (account, { otherAccountId, username }) {
          const name = storableOrNull(username)
          const row = yield* first(AccountRow)(sql`UPDATE social_accounts a
            SET other_account_id = ${storable(otherAccountId)}, username = coalesce(a.username, ${name})
            FROM account_credentials c
            WHERE a.workspace_id = c.workspace_id AND a.id = c.account_id AND ${unchanged(account)}
            RETURNING ${columns}`)
          if (Option.isSome(row)) yield* routes.put(toAccount(row.value))
        },
        sql.withTransaction,
        storeCall("credentials.noteNames", "unknown")
      ),

      expire: Effect.fn("PgAccountCredentials.expire")(
        function* (workspaceId, id, sealed) {
          yield* endPolls(
            { workspaceId, id },
            sql`UPDATE social_accounts a SET status = 'reauth_required'
            FROM account_credentials c
            WHERE a.workspace_id = ${workspaceId} AND a.id = ${id} AND a.status = 'connected'
              AND c.workspace_id = ${workspaceId} AND c.account_id = ${id} AND c.sealed = ${sealed}
              AND ${sql.literal(isOwnTurn)} RETURNING 1`
          )
        },
        storeCall("credentials.expire", "unknown")
      ),

      drop: Effect.fn("PgAccountCredentials.drop")(
        function* ({ accountId: id, workspaceId }, storedBefore) {
          const isOld = sql`c.workspace_id = ${workspaceId} AND c.account_id = ${id}
            AND c.stored_at < ${at(storedBefore)}`
          // In its turn, which a unit of ingest has when it asks for the row.
          const connected = yield* sql`SELECT 1 FROM social_accounts
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND status = 'connected'
              AND EXISTS (SELECT 1 FROM account_credentials c WHERE ${isOld})
              AND ${sql.literal(ownTurn("social_accounts"))} FOR NO KEY UPDATE`
          if (connected.length > 0) yield* audit(workspaceId, auditDeauthorized(id))
          yield* endPolls(
            { workspaceId, id },
            sql`UPDATE social_accounts SET status = 'reauth_required'
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND status = 'connected'
              AND EXISTS (SELECT 1 FROM account_credentials c WHERE ${isOld})
              AND ${sql.literal(isOwnTurn)} RETURNING 1`
          )
          yield* sql`DELETE FROM account_credentials c WHERE ${isOld}`
        },
        sql.withTransaction,
        storeCall("credentials.drop", "unknown")
      )
    })
  })
)
