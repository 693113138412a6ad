import * as DateTime from "effect/DateTime"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { auditUpdated } from "@loopbox/core/accounts/auditAccount"
import type { SocialAccount } from "@loopbox/core/accounts/SocialAccount"
import {
  type AccountChange,
  type Admission,
  type AdmitOutcome,
  type ConnectOutcome,
  type SealFor,
  SocialAccounts
} from "@loopbox/core/accounts/SocialAccounts"
import { decideAccountChange, decideConnect, decideDisconnect } from "@loopbox/core/items/decideAccount"
import { decideAdmission } from "@loopbox/core/items/decideAdmission"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { StoreUnavailable } from "@loopbox/core/kernel/StoreUnavailable"
import { accountColumns, AccountRow, toAccount } from "../../rows/AccountRow.ts"
import { makeAppendAudit } from "../audit/appendAudit.ts"
import { ConnectRaced, makeAccountWrites, type Telling } from "./accountWrites.ts"
import { makeAccountRoutes } from "./accountRoutes.ts"
import { isOwnTurn, makeEndPolls } from "./endPolls.ts"
import { makeHealthFacts } from "./healthFacts.ts"
import { makeErasing } from "../../operations/erasing.ts"
import { type Append, EventLog } from "../inbox/EventLog.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { all, at, first, newestFirst } from "../../rows/rows.ts"
import { ownTurn } from "../../connection/accountTurn.ts"
import { storable, toJson } from "../../rows/text.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makePartlyOverAll } from "../../connection/allWorkspaces.ts"

const KeyRow = Schema.Struct({ workspace_id: WorkspaceId, id: SocialAccountId })

/** Repeats a transaction that lost against a concurrent connection of the same account. */
const again = <A, E extends { readonly _tag: string }, R>(self: Effect.Effect<A, E | ConnectRaced, R>) =>
  self.pipe(
    Effect.retry({ while: (error) => error._tag === "ConnectRaced", times: 5 }),
    Effect.catchTag("ConnectRaced", Effect.die)
  )

/** Rolls the transaction back, because the account does not exist any more. */
class NoAccount extends Data.TaggedError("NoAccount")<{}> {}

const accountPage = pageOf("accounts", AccountRow, toAccount)

export const layer: Layer.Layer<SocialAccounts, never, EventLog | SqlClient> = Layer.effect(
  SocialAccounts,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirst
    const { insert, lockSame, putOwner, putSealed, renew, write } = yield* makeAccountWrites
    const overAll = yield* makePartlyOverAll
    const routes = yield* makeAccountRoutes
    const erasing = yield* makeErasing
    const columns = sql.literal(accountColumns)
    const inTurn = sql.literal(ownTurn("social_accounts"))

    const findLive = (workspaceId: WorkspaceId, id: SocialAccountId) =>
      first(AccountRow)(sql`SELECT ${columns} FROM social_accounts
        WHERE workspace_id = ${workspaceId} AND id = ${id} AND status <> 'disconnected'`)

    const lockLive = (workspaceId: WorkspaceId, id: SocialAccountId) =>
      first(AccountRow)(sql`SELECT ${columns} FROM social_accounts
        WHERE workspace_id = ${workspaceId} AND id = ${id} AND status <> 'disconnected' AND ${inTurn}
        FOR NO KEY UPDATE`)

    const endPolls = yield* makeEndPolls
    const audit = yield* makeAppendAudit
    const health = yield* makeHealthFacts
    const connectOnce = Effect.fnUntraced(function* (
      account: SocialAccount,
      seal: SealFor,
      revivableSince: DateTime.Utc,
      telling: Telling
    ) {
      const { createdAt, externalUserId, workspaceId } = account
      const workspace = yield* sql`SELECT id FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE`
      if (workspace.length === 0) return { outcome: Option.none(), old: [] }
      yield* putOwner(workspaceId, externalUserId, createdAt)
      const earlier = yield* lockSame(account)
      const decided = yield* Effect.fromResult(decideConnect(account, earlier, revivableSince))
      switch (decided._tag) {
        case "New":
          yield* insert(account, seal, telling)
          return { outcome: Option.some<ConnectOutcome>({ _tag: "Connected", account }), old: [] }
        case "Revived":
          yield* renew(decided, seal, createdAt, telling, "Revived")
          return { outcome: Option.some<ConnectOutcome>({ _tag: "Revived", account: decided.account }), old: [] }
        case "Replaced": {
          const old = yield* erasing.hide(workspaceId, sql`a.id = ${decided.erased}`)
          yield* insert(account, seal, telling)
          return { outcome: Option.some<ConnectOutcome>({ _tag: "Connected", account }), old }
        }
      }
    })

    const admitOnce = Effect.fnUntraced(function* (admission: Admission, telling: Telling) {
      const { account, seal } = admission
      const { createdAt, externalUserId, workspaceId } = account
      const workspace = yield* sql`SELECT id FROM workspaces WHERE id = ${workspaceId} FOR KEY SHARE`
      if (workspace.length === 0) return { outcome: Option.none(), old: [] }
      yield* putOwner(workspaceId, externalUserId, createdAt)
      const decided = yield* Effect.fromResult(decideAdmission(admission, yield* lockSame(account)))
      if (decided._tag === "Revived" || decided._tag === "Renewed") {
        yield* renew(decided, seal, createdAt, telling, decided._tag)
        return { outcome: Option.some<AdmitOutcome>({ _tag: decided._tag, account: decided.account }), old: [] }
      }
      const old = decided._tag === "Replaced" ? yield* erasing.hide(workspaceId, sql`a.id = ${decided.erased}`) : []
      yield* insert(account, seal, telling)
      return { outcome: Option.some<AdmitOutcome>({ _tag: "Connected", account }), old }
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
      const { account, events } = decideAccountChange(before, wanted)
      yield* write(account)
      if (wanted.credentials !== undefined) {
        const { isLeftAlone = false, sealed } = wanted.credentials
        yield* putSealed(account, sealed, moment, { isAnnounced: false, isLeftAlone })
      }
      if (wanted.username !== undefined || wanted.credentials !== undefined) yield* routes.put(account)
      yield* audit(workspaceId, auditUpdated(before, account))
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
      const told = yield* health.disconnected({ workspaceId, accountId: id }, moment)
      yield* write(account)
      yield* endPolls({ workspaceId, id }, sql`SELECT 1`)
      yield* routes.remove(workspaceId, id)
      yield* audit(workspaceId, { action: "account.disconnected", targetId: id })
      yield* append([...events, ...told], moment)
      return true
    })

    /** Stored deliveries are kept: what they say about the old account is about the new connection, too. */
    const finishOld = ({ workspaceId }: SocialAccount, old: ReadonlyArray<SocialAccountId>) =>
      erasing.finish(erasing.accountErasures(workspaceId, old), { _tag: "Stay" })

    return SocialAccounts.of({
      connect: Effect.fn("PgSocialAccounts.connect")(function* (
        account,
        seal,
        revivableSince,
        { isAnnounced = true, isLeftAlone = false } = {}
      ) {
        const { old, outcome } = yield* log
          .transaction(account.workspaceId, (append) =>
            connectOnce(account, seal, revivableSince, { append, isAnnounced, isLeftAlone })
          )
          .pipe(again, storeCall("accounts.connect", "unknown"))
        yield* finishOld(account, old)
        return outcome
      }),

      admit: Effect.fn("PgSocialAccounts.admit")(function* (admission) {
        const { account } = admission
        const { old, outcome } = yield* log
          .transaction(account.workspaceId, (append) =>
            admitOnce(admission, { append, isAnnounced: true, isLeftAlone: false })
          )
          .pipe(again, storeCall("accounts.admit", "unknown"))
        yield* finishOld(account, old)
        return outcome
      }),

      find: Effect.fn("PgSocialAccounts.find")(
        function* (workspaceId, id) {
          return Option.map(yield* findLive(workspaceId, id), toAccount)
        },
        storeCall("accounts.find", "no")
      ),

      findKept: Effect.fn("PgSocialAccounts.findKept")(
        function* (workspaceId, id) {
          const row = yield* first(AccountRow)(sql`SELECT ${columns} FROM social_accounts
            WHERE workspace_id = ${workspaceId} AND id = ${id} AND erased_at IS NULL`)
          return Option.map(row, toAccount)
        },
        storeCall("accounts.findKept", "no")
      ),

      list: Effect.fn("PgSocialAccounts.list")(
        function* (workspaceId, request) {
          return yield* accountPage(
            sql`SELECT ${columns} FROM social_accounts
              WHERE workspace_id = ${workspaceId} AND erased_at IS NULL ${page(request)}`,
            request.limit
          )
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
                WHERE c.workspace_id = ${workspaceId} AND c.account_id = ${id} AND c.stored_at >= ${at(revokedAt)})
              AND ${sql.literal(isOwnTurn)} RETURNING 1`
          )
        },
        storeCall("accounts.requireReauth", "unknown")
      ),

      findOfPerson: Effect.fn("PgSocialAccounts.findOfPerson")(
        function* (networks, personId) {
          const name = storable(personId)
          const { away, found } = yield* overAll("accounts.person", (among) =>
            all(KeyRow)(sql`SELECT workspace_id, id FROM social_accounts
            WHERE network = ANY(${networks}::text[]) AND erased_at IS NULL AND (network_account_id = ${name}
              OR other_account_id = ${name}
              OR (person_ids <> '[]' AND person_ids @> ${toJson([name])}::jsonb))
            ${among("workspace_id")} ORDER BY workspace_id, id`)
          )
          return {
            accounts: found.map(({ id: accountId, workspace_id: workspaceId }) => ({ workspaceId, accountId })),
            missing: Option.map(
              away,
              (cause) => new StoreUnavailable({ operation: "accounts.findOfPerson", committed: "no", cause })
            )
          }
        },
        storeCall("accounts.findOfPerson", "no")
      ),

      findRoutes: Effect.fn("PgSocialAccounts.findRoutes")(routes.find, storeCall("accounts.findRoutes", "no"))
    })
  })
)
