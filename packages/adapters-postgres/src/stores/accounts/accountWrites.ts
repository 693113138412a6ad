import * as Data from "effect/Data"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { renewAt } from "@loopbox/core/accounts/AccountCredentials"
import { auditConnected } from "@loopbox/core/accounts/auditAccount"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import type { SealFor } from "@loopbox/core/accounts/SocialAccounts"
import type { AccountDecision } from "@loopbox/core/items/decideAccount"
import { makeToLeaseTime } from "@loopbox/core/kernel/lease/LeaseClock"
import type { WorkspaceId } from "@loopbox/core/kernel/Ids"
import { accountColumns, AccountRow, toAccount, toAccountColumns } from "../../rows/AccountRow.ts"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { makeAccountRoutes } from "./accountRoutes.ts"
import { makeHealthFacts } from "./healthFacts.ts"
import type { Append } from "../inbox/EventLog.ts"
import { makeManagedUserRows } from "../access/managedUserRows.ts"
import { at, first } from "../../rows/rows.ts"
import { ownTurn } from "../../connection/accountTurn.ts"

/** The same account was connected concurrently; the transaction is repeated. */
export class ConnectRaced extends Data.TaggedError("ConnectRaced")<{}> {}

/** How new credentials begin. */
export interface Beginning {
  /** It is announced as connected in the transaction, else not at all. */
  readonly isAnnounced: boolean
  /** Nobody checks it by himself. */
  readonly isLeftAlone: boolean
}

/** How an account is connected. */
export interface Telling extends Beginning {
  readonly append: Append
}

/** How accounts are written, in transactions of their callers. */
export const makeAccountWrites = Effect.gen(function* () {
  const sql = yield* SqlClient
  const users = yield* makeManagedUserRows
  const routes = yield* makeAccountRoutes
  const health = yield* makeHealthFacts
  const audit = yield* makeAppendAudit
  const toLeaseTime = yield* makeToLeaseTime
  const columns = sql.literal(accountColumns)
  const inTurn = sql.literal(ownTurn("social_accounts"))

  /** The workspace's account of the same network account, which stays as it is until the transaction ends. */
  const lockSame = ({ network, networkAccountId, workspaceId }: SocialAccount) =>
    Effect.map(
      first(AccountRow)(sql`SELECT ${columns} FROM social_accounts
        WHERE workspace_id = ${workspaceId} AND network = ${network} AND network_account_id = ${networkAccountId}
          AND erased_at IS NULL AND ${inTurn} FOR NO KEY UPDATE`),
      Option.map(toAccount)
    )

  /**
   * Puts new credentials: nobody has the turn to renew them, and the account is polled at once by them, and checked
   * unless it is left alone. Gives the event if it is to be announced as connected.
   */
  const putSealed = Effect.fnUntraced(function* (
    account: SocialAccount,
    sealed: string,
    moment: DateTime.Utc,
    beginning: Beginning
  ) {
    const { id, network, tokenExpiresAt, workspaceId } = account
    const due = at(renewAt(moment, tokenExpiresAt))
    yield* sql`INSERT INTO account_credentials (workspace_id, account_id, sealed, renew_at, stored_at)
      VALUES (${workspaceId}, ${id}, ${sealed}, ${due}, ${at(moment)})
      ON CONFLICT (workspace_id, account_id) DO UPDATE SET sealed = excluded.sealed, renew_at = excluded.renew_at,
        stored_at = excluded.stored_at, renewer = NULL, renewer_until = NULL`
    yield* sql`INSERT INTO account_polls (workspace_id, account_id, network, due_at, wake_at)
      VALUES (${workspaceId}, ${id}, ${network}, ${at(moment)}, ${at(moment)})
      ON CONFLICT (workspace_id, account_id) DO UPDATE SET state = NULL, alive_at = NULL, due_at = excluded.due_at,
        wake_at = excluded.wake_at, lease_token = NULL, lease_until = NULL, read = 0, new_items = 0`
    const claimableAt = at(yield* toLeaseTime(moment))
    yield* sql`UPDATE author_profiles SET claimable_at = ${claimableAt}
      WHERE workspace_id = ${workspaceId} AND account_id = ${id} AND claimable_at > ${claimableAt}`
    return yield* health.connected(account, moment, beginning)
  })

  const write = (account: SocialAccount) =>
    sql`UPDATE social_accounts SET ${sql.update(toAccountColumns(account))}
      WHERE workspace_id = ${account.workspaceId} AND id = ${account.id}`

  const insert = Effect.fnUntraced(function* (account: SocialAccount, seal: SealFor, telling: Telling) {
    const added = yield* sql`INSERT INTO social_accounts ${sql.insert({
      workspace_id: account.workspaceId,
      id: account.id,
      network: account.network,
      ...toAccountColumns(account)
    })} ON CONFLICT DO NOTHING RETURNING id`
    if (added.length === 0) return yield* new ConnectRaced()
    const told = yield* putSealed(account, yield* seal(account.id), account.createdAt, telling)
    yield* routes.put(account)
    yield* audit(account.workspaceId, auditConnected(account, "Connected"))
    yield* telling.append(told, account.createdAt)
  })

  /** Gives an account that is there new credentials, and whatever else was decided. */
  const renew = Effect.fnUntraced(function* (
    { account, events }: AccountDecision,
    seal: SealFor,
    moment: DateTime.Utc,
    telling: Telling,
    outcome: "Revived" | "Renewed"
  ) {
    yield* write(account)
    const told = yield* putSealed(account, yield* seal(account.id), moment, telling)
    yield* routes.put(account)
    yield* audit(account.workspaceId, auditConnected(account, outcome))
    yield* telling.append([...events, ...told], moment)
  })

  /** Creates the owner if absent, before the account's row is locked: an erasure locks in the same order. */
  const putOwner = (workspaceId: WorkspaceId, owner: Option.Option<string>, moment: DateTime.Utc) =>
    Option.isSome(owner) ? Effect.asVoid(users.put(workspaceId, owner.value, moment)) : Effect.void

  return { lockSame, putSealed, write, insert, renew, putOwner }
})
