import * as DateTime from "effect/DateTime"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { renewAt } from "@loopbox/core/accounts/AccountCredentials"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import {
  type AccountChange,
  type ConnectOutcome,
  type SealFor,
  SocialAccounts
} from "@loopbox/core/accounts/SocialAccounts"
import {
  type AccountDecision,
  decideAccountChange,
  decideConnect,
  decideDisconnect
} from "@loopbox/core/items/decideAccount"
import type { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { toPage } from "@loopbox/core/kernel/Page"
import { accountColumns, AccountRow, toAccount, toAccountColumns } from "../../rows/AccountRow.ts"
import { makeAccountRoutes } from "./accountRoutes.ts"
import { makeEndPolls } from "./endPolls.ts"
import { makeErasing } from "../../operations/erasing.ts"
import { type Append, EventLog } from "../inbox/EventLog.ts"
import { makeManagedUserRows } from "../access/managedUserRows.ts"
import { all, at, first, newestFirst } from "../../rows/rows.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"

/** Takes back what the transaction did, for there is no such account any more. */
class NoAccount extends Data.TaggedError("NoAccount")<{}> {}

/** Another connection of the same account came first: it is looked at again. */
class ConnectRaced extends Data.TaggedError("ConnectRaced")<{}> {}

export const layer: Layer.Layer<SocialAccounts, never, EventLog | SqlClient> = Layer.effect(
  SocialAccounts,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirst
    const users = yield* makeManagedUserRows
    const routes = yield* makeAccountRoutes
    const erasing = yield* makeErasing
    const columns = sql.literal(accountColumns)

    const findLive = (workspaceId: WorkspaceId, id: SocialAccountId) =>
      first(AccountRow)(sql`SELECT ${columns} FROM social_accounts
        WHERE workspace_id = ${workspaceId} AND id = ${id} AND status <> 'disconnected'`)

    const lockLive = (workspaceId: WorkspaceId, id: SocialAccountId) =>
      first(AccountRow)(sql`SELECT ${columns} FROM social_accounts
        WHERE workspace_id = ${workspaceId} AND id = ${id} AND status <> 'disconnected' FOR NO KEY UPDATE`)

    const endPolls = yield* makeEndPolls
    const lockSame = ({ network, networkAccountId, workspaceId }: SocialAccount) =>
      Effect.map(
        first(AccountRow)(sql`SELECT ${columns} FROM social_accounts
          WHERE workspace_id = ${workspaceId} AND network = ${network} AND network_account_id = ${networkAccountId}
            AND erased_at IS NULL FOR NO KEY UPDATE`),
        Option.map(toAccount)
      )

    /** Puts new credentials: nobody has the turn to renew them, and the account is polled at once by them. */
    const putSealed = Effect.fnUntraced(function* (account: SocialAccount, sealed: string, moment: DateTime.Utc) {
      const { id, network, tokenExpiresAt, workspaceId } = account
      const due = at(renewAt(moment, tokenExpiresAt))
      yield* sql`INSERT INTO account_credentials (workspace_id, account_id, sealed, renew_at, stored_at)
        VALUES (${workspaceId}, ${id}, ${sealed}, ${due}, ${at(moment)})
        ON CONFLICT (workspace_id, account_id) DO UPDATE SET sealed = excluded.sealed, renew_at = excluded.renew_at,
          stored_at = excluded.stored_at, renewer = NULL, renewer_until = NULL`
      yield* sql`INSERT INTO account_polls (workspace_id, account_id, network, due_at, wake_at)
        VALUES (${workspaceId}, ${id}, ${network}, ${at(moment)}, ${at(moment)})
        ON CONFLICT (workspace_id, account_id) DO UPDATE SET state = NULL, due_at = excluded.due_at,
          wake_at = excluded.wake_at, lease_token = NULL, lease_until = NULL, read = 0, new_items = 0`
    })

    const write = (account: SocialAccount) =>
      sql`UPDATE social_accounts SET ${sql.update(toAccountColumns(account))}
        WHERE workspace_id = ${account.workspaceId} AND id = ${account.id}`

    const insert = Effect.fnUntraced(function* (account: SocialAccount, seal: SealFor) {
      const added = yield* sql`INSERT INTO social_accounts ${sql.insert({
        workspace_id: account.workspaceId,
        id: account.id,
        network: account.network,
        ...toAccountColumns(account)
      })} ON CONFLICT DO NOTHING RETURNING id`
      if (added.length === 0) return yield* new ConnectRaced()
      yield* putSealed(account, yield* seal(account.id), account.createdAt)
      yield* routes.put(account)
      return { _tag: "Connected", account } satisfies ConnectOutcome
    })

    const revive = Effect.fnUntraced(function* (
      { account, events }: AccountDecision,
      seal: SealFor,
      moment: DateTime.Utc,
      append: Append
    ) {
      yield* write(account)
      yield* putSealed(account, yield* seal(account.id), moment)
      yield* routes.put(account)
      yield* append(events, moment)
      return { _tag: "Revived", account } satisfies ConnectOutcome
    })

    /** Makes the owner exist, before the account's row is locked: an erasure takes the same order. */
    const putOwner = (workspaceId: WorkspaceId, owner: Option.Option<string>, moment: DateTime.Utc) =>
      Option.isSome(owner) ? Effect.asVoid(users.put(workspaceId, owner.value, moment)) : Effect.void

    const connectOnce = Effect.fnUntraced(function* (
      account: SocialAccount,
      seal: SealFor,
      revivableSince: DateTime.Utc,
      append: Append
    ) {
      const { createdAt, externalUserId, workspaceId } = account
      const workspace = yield* sql`SELECT id FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE`
      if (workspace.length === 0) return { outcome: Option.none(), old: [] }
      yield* putOwner(workspaceId, externalUserId, createdAt)
      const earlier = yield* lockSame(account)
      const decided = yield* Effect.fromResult(decideConnect(account, earlier, revivableSince))
      switch (decided._tag) {
        case "New":
          return { outcome: Option.some(yield* insert(account, seal)), old: [] }
        case "Revived":
          return { outcome: Option.some(yield* revive(decided, seal, createdAt, append)), old: [] }
        case "Replaced": {
          const old = yield* erasing.hide(workspaceId, sql`a.id = ${decided.erased}`)
          return { outcome: Option.some(yield* insert(account, seal)), old }
        }
      }
    })

    const change = Effect.fnUntraced(function* (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      wanted: AccountChange,
      moment: DateTime.Utc,
      append: Append
    ) {
      if (wanted.externalUserId !== undefined) {
        if (Option.isNone(yield* findLive(workspaceId, id))) return yield* new NoAccount()
        yield* putOwner(workspaceId, wanted.externalUserId, moment)
      }
      const row = yield* lockLive(workspaceId, id)
      if (Option.isNone(row)) return yield* new NoAccount()
      const { account, events } = decideAccountChange(toAccount(row.value), wanted)
      yield* write(account)
      if (wanted.credentials !== undefined) yield* putSealed(account, wanted.credentials.sealed, moment)
      if (wanted.username !== undefined || wanted.credentials !== undefined) yield* routes.put(account)
      yield* append(events, moment)
      return account
    })

    const disconnect = Effect.fnUntraced(function* (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      moment: DateTime.Utc,
      append: Append
    ) {
      const row = yield* lockLive(workspaceId, id)
      if (Option.isNone(row)) return false
      const { account, events } = decideDisconnect(toAccount(row.value), moment)
      yield* write(account)
      yield* endPolls({ workspaceId, id }, sql`SELECT 1`)
      yield* routes.remove(workspaceId, id)
      yield* append(events, moment)
      return true
    })

    return SocialAccounts.of({
      connect: Effect.fn("PgSocialAccounts.connect")(function* (account, seal, revivableSince) {
        const { old, outcome } = yield* log
          .transaction(account.workspaceId, (append) => connectOnce(account, seal, revivableSince, append))
          .pipe(
            Effect.retry({ while: (error) => error._tag === "ConnectRaced", times: 5 }),
            Effect.catchTag("ConnectRaced", Effect.die),
            storeCall("accounts.connect", "unknown")
          )
        // What deliveries say to the old one is the new connection's, too.
        yield* erasing.finish(erasing.accountErasures(account.workspaceId, old), { _tag: "Stay" })
        return outcome
      }),

      find: Effect.fn("PgSocialAccounts.find")(
        function* (workspaceId, id) {
          return Option.map(yield* findLive(workspaceId, id), toAccount)
        },
        storeCall("accounts.find", "no")
      ),

      list: Effect.fn("PgSocialAccounts.list")(
        function* (workspaceId, request) {
          const rows = yield* all(AccountRow)(sql`SELECT ${columns} FROM social_accounts
            WHERE workspace_id = ${workspaceId} AND erased_at IS NULL ${page(request)}`)
          return toPage(rows.map(toAccount), request.limit)
        },
        storeCall("accounts.list", "no")
      ),

      update: Effect.fn("PgSocialAccounts.update")(
        (workspaceId, id, wanted, moment) =>
          log.transaction(workspaceId, (append) => change(workspaceId, id, wanted, moment, append)),
        Effect.asSome,
        Effect.catchTag("NoAccount", () => Effect.succeedNone),
        storeCall("accounts.update", "unknown")
      ),

      disconnect: Effect.fn("PgSocialAccounts.disconnect")(
        (workspaceId, id, moment) =>
          log.transaction(workspaceId, (append) => disconnect(workspaceId, id, moment, append)),
        storeCall("accounts.disconnect", "unknown")
      ),

      requireReauth: Effect.fn("PgSocialAccounts.requireReauth")(
        function* (workspaceId, id, revokedAt) {
          yield* endPolls(
            { workspaceId, id },
            sql`UPDATE social_accounts SET status = 'reauth_required'
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND status = 'connected'
              AND NOT EXISTS (SELECT 1 FROM account_credentials c
                WHERE c.workspace_id = ${workspaceId} AND c.account_id = ${id} AND c.stored_at >= ${at(revokedAt)}) RETURNING 1`
          )
        },
        storeCall("accounts.requireReauth", "unknown")
      ),

      findRoutes: Effect.fn("PgSocialAccounts.findRoutes")(routes.find, storeCall("accounts.findRoutes", "no"))
    })
  })
)
