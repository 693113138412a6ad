import * as DateTime from "effect/DateTime"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { renewAt } from "@loopbox/core/accounts/AccountCredentials"
import { AccountAlreadyConnected } from "@loopbox/core/accounts/AccountErrors"
import { type AccountStatus, SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import {
  type AccountChange,
  type ConnectOutcome,
  type SealFor,
  SocialAccounts
} from "@loopbox/core/accounts/SocialAccounts"
import type { InboxEvent } from "@loopbox/core/inbox/InboxEvent"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { toPage } from "@loopbox/core/kernel/Page"
import { accountColumns, AccountRow, toAccount, toAccountColumns } from "./internal/AccountRow.ts"
import { makeAccountRoutes } from "./internal/accountRoutes.ts"
import { makeErasing } from "./internal/erasing.ts"
import { type Append, EventLog } from "./internal/EventLog.ts"
import { makeManagedUserRows } from "./internal/managedUserRows.ts"
import { all, at, first, newestFirst, optional } from "./internal/rows.ts"
import { makeStoreCall } from "./internal/storeFailure.ts"

const IdRow = Schema.Struct({ workspace_id: WorkspaceId, id: SocialAccountId })
const OwnerRow = Schema.Struct({ owner: optional(Schema.String) })
const SealedRow = Schema.Struct({ sealed: Schema.String })

/** Takes back what the transaction did, for there is no such account any more. */
class NoAccount extends Data.TaggedError("NoAccount")<{}> {}

/** Another connection of the same account came first: it is looked at again. */
class ConnectRaced extends Data.TaggedError("ConnectRaced")<{}> {}

const statusAfter = (status: AccountStatus, change: AccountChange): AccountStatus =>
  change.credentials !== undefined && status === "reauth_required" ? "connected" : status

const changed = (account: SocialAccount, change: AccountChange): SocialAccount =>
  new SocialAccount({
    ...account,
    name: change.name ?? account.name,
    username: change.username ?? account.username,
    avatarUrl: change.avatarUrl ?? account.avatarUrl,
    externalUserId: change.externalUserId ?? account.externalUserId,
    permissions: change.permissions ?? account.permissions,
    tokenExpiresAt: change.credentials?.expiresAt ?? account.tokenExpiresAt,
    status: statusAfter(account.status, change)
  })

/** Tells whom an account was of, and whom it is of now. */
const moved = (accountId: SocialAccountId, from: Option.Option<string>, to: Option.Option<string>): InboxEvent => ({
  _tag: "AccountMoved",
  accountId,
  from,
  to
})

/** A changed owner is an event, to the old one and to the new one. */
const moveOf = (from: SocialAccount, to: SocialAccount): ReadonlyArray<InboxEvent> =>
  Option.getOrNull(from.externalUserId) === Option.getOrNull(to.externalUserId)
    ? []
    : [moved(to.id, from.externalUserId, to.externalUserId)]

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
      const due = Option.getOrNull(Option.map(renewAt(moment, tokenExpiresAt), at))
      yield* sql`INSERT INTO account_credentials (workspace_id, account_id, sealed, renew_at)
        VALUES (${workspaceId}, ${id}, ${sealed}, ${due})
        ON CONFLICT (workspace_id, account_id) DO UPDATE SET sealed = excluded.sealed, renew_at = excluded.renew_at,
          renewer = NULL, renewer_until = NULL`
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
      earlier: SocialAccount,
      account: SocialAccount,
      seal: SealFor,
      append: Append
    ) {
      const { createdAt, id } = earlier
      const revived = new SocialAccount({ ...account, id, createdAt })
      yield* write(revived)
      yield* putSealed(revived, yield* seal(id), account.createdAt)
      yield* routes.put(revived)
      // Its items are shown again, also where the owner is the same.
      yield* append([moved(id, earlier.externalUserId, revived.externalUserId)], account.createdAt)
      return { _tag: "Revived", account: revived } satisfies ConnectOutcome
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
      if (Option.isNone(earlier)) return { outcome: Option.some(yield* insert(account, seal)), old: [] }
      if (earlier.value.status !== "disconnected") {
        return yield* new AccountAlreadyConnected({ accountId: earlier.value.id })
      }
      if (Option.exists(earlier.value.disconnectedAt, (moment) => DateTime.isGreaterThan(moment, revivableSince))) {
        return { outcome: Option.some(yield* revive(earlier.value, account, seal, append)), old: [] }
      }
      const old = yield* erasing.hide(workspaceId, sql`a.id = ${earlier.value.id}`)
      return { outcome: Option.some(yield* insert(account, seal)), old }
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
      const before = toAccount(row.value)
      const after = changed(before, wanted)
      yield* write(after)
      if (wanted.credentials !== undefined) yield* putSealed(after, wanted.credentials.sealed, moment)
      if (wanted.username !== undefined) yield* routes.put(after)
      yield* append(moveOf(before, after), moment)
      return after
    })

    const disconnect = Effect.fnUntraced(function* (
      workspaceId: WorkspaceId,
      id: SocialAccountId,
      moment: DateTime.Utc,
      append: Append
    ) {
      const ended = yield* first(OwnerRow)(sql`UPDATE social_accounts
        SET status = 'disconnected', disconnected_at = ${at(moment)}
        WHERE workspace_id = ${workspaceId} AND id = ${id} AND status <> 'disconnected'
        RETURNING external_user_id AS owner`)
      if (Option.isNone(ended)) return false
      yield* routes.remove(workspaceId, id)
      yield* append([moved(id, ended.value.owner, Option.none())], moment)
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
        yield* erasing.purgeAll(account.workspaceId, old)
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

      eraseDisconnected: Effect.fn("PgSocialAccounts.eraseDisconnected")(function* (before, limit) {
        const isOld = sql`(a.erased_at IS NOT NULL OR a.disconnected_at < ${at(before)})`
        const old = yield* all(IdRow)(sql`
          SELECT workspace_id, id FROM (
            (SELECT workspace_id, id FROM social_accounts WHERE erased_at IS NOT NULL ORDER BY erased_at LIMIT ${limit})
            UNION
            (SELECT workspace_id, id FROM social_accounts WHERE disconnected_at < ${at(before)}
              ORDER BY disconnected_at LIMIT ${limit})
          ) a LIMIT ${limit}`).pipe(storeCall("accounts.eraseDisconnected", "no"))
        for (const { id, workspace_id: workspaceId } of old) {
          const ids = yield* erasing
            .hide(workspaceId, sql`a.id = ${id} AND ${isOld}`)
            .pipe(sql.withTransaction, storeCall("accounts.eraseDisconnected", "unknown"))
          yield* erasing.purgeAll(workspaceId, ids)
        }
        return old.length
      }),

      requireReauth: Effect.fn("PgSocialAccounts.requireReauth")(
        function* (workspaceId, id) {
          yield* sql`UPDATE social_accounts SET status = 'reauth_required'
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND status = 'connected'`
        },
        storeCall("accounts.requireReauth", "unknown")
      ),

      findSealed: Effect.fn("PgSocialAccounts.findSealed")(
        function* (workspaceId, id) {
          const row = yield* first(SealedRow)(sql`SELECT c.sealed FROM account_credentials c
            JOIN social_accounts a ON a.workspace_id = c.workspace_id AND a.id = c.account_id
            WHERE c.workspace_id = ${workspaceId} AND c.account_id = ${id} AND a.status <> 'disconnected'`)
          return Option.map(row, ({ sealed }) => sealed)
        },
        storeCall("accounts.findSealed", "no")
      ),

      findRoutes: Effect.fn("PgSocialAccounts.findRoutes")(routes.find, storeCall("accounts.findRoutes", "no"))
    })
  })
)
