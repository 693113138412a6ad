import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { InboxScope } from "@loopbox/core/access/InboxScope"
import {
  AccountHealthStore,
  type CheckClaim,
  type CheckedNames,
  type CheckNotes,
  type Verdict
} from "@loopbox/core/health/AccountHealthStore"
import { LeaseLost } from "@loopbox/core/kernel/lease/LeaseLost"
import { SocialAccountId, WorkspaceId } from "@loopbox/core/kernel/Ids"
import { anyOf } from "../../rows/oneByOne.ts"
import { accountColumns, AccountRow, toAccount } from "../../rows/AccountRow.ts"
import { makeClaimByWorkspace } from "../../rows/claimReadable.ts"
import { KnownRow, knownColumns, knownTables, StoredChecks, StoredTold, toKnown } from "../../rows/HealthRow.ts"
import { pageOf } from "../../rows/readableRows.ts"
import { all, at, claimLimit, first, newestFirstBy } from "../../rows/rows.ts"
import { ownTurn } from "../../connection/accountTurn.ts"
import { storable, storableOrNull, toJson } from "../../rows/text.ts"
import { type Among, makeFindOverAll, makeOverAll } from "../../connection/allWorkspaces.ts"
import { makeStoreCall } from "../../connection/storeFailure.ts"
import { makeAccountRoutes } from "./accountRoutes.ts"
import { EventLog } from "../inbox/EventLog.ts"

const encodeChecks = Schema.encodeEffect(StoredChecks)
const encodeTold = Schema.encodeEffect(StoredTold)

const DueRow = Schema.Struct({ workspace_id: WorkspaceId, account_id: SocialAccountId })

const knownPage = pageOf("accounts", KnownRow, toKnown)

const isLost = (id: string) => new LeaseLost({ what: "account", id })

export const layer: Layer.Layer<AccountHealthStore, never, EventLog | SqlClient> = Layer.effect(
  AccountHealthStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const log = yield* EventLog
    const routes = yield* makeAccountRoutes
    const few = yield* claimLimit
    const overAll = yield* makeOverAll
    const findOverAll = yield* makeFindOverAll
    const storeCall = yield* makeStoreCall
    const page = yield* newestFirstBy("a.created_at", "a.id")
    const columns = sql.literal(knownColumns)
    const inTurn = sql.literal(ownTurn("social_accounts"))
    const tables = sql.literal(knownTables)

    /** While a node is away it is not said that there is none: somebody may then take back what another one uses. */
    const isAnywhere = (name: "health.person" | "health.subscription", which: (among: Among) => Fragment) =>
      Effect.map(
        findOverAll(name, (among) => Effect.map(sql`SELECT 1 ${which(among)} LIMIT 1`, Arr.head)),
        Option.isSome
      )

    const held = ({ account, token }: CheckClaim) =>
      sql`workspace_id = ${account.workspaceId} AND account_id = ${account.id} AND lease_token = ${token}`

    const inScope = (scope: InboxScope) =>
      scope._tag === "WorkspaceScope"
        ? sql.literal("")
        : sql`AND a.external_user_id = ${storable(scope.externalUserId)}`

    const oneOf = (column: string, values: ReadonlySet<string>) =>
      values.size === 0
        ? sql.literal("")
        : sql`AND ${sql.literal(column)} = ANY(${Array.from(values, storable)}::text[])`

    const read = (workspaceId: WorkspaceId, id: SocialAccountId) =>
      first(KnownRow)(sql`SELECT ${columns} FROM ${tables}
        WHERE a.workspace_id = ${workspaceId} AND a.id = ${id} AND a.erased_at IS NULL`)

    /** Webhooks of some networks name an account by its user name. */
    const rename = Effect.fnUntraced(function* ({ account }: CheckClaim, { avatarUrl, name, username }: CheckedNames) {
      const row = yield* first(AccountRow)(sql`UPDATE social_accounts SET name = ${storable(name)},
          username = coalesce(${storableOrNull(username)}, username),
          avatar_url = coalesce(${storableOrNull(avatarUrl)}, avatar_url)
        WHERE workspace_id = ${account.workspaceId} AND id = ${account.id}
          AND (name, username, avatar_url) IS DISTINCT FROM (${storable(name)},
            coalesce(${storableOrNull(username)}, username), coalesce(${storableOrNull(avatarUrl)}, avatar_url))
        RETURNING ${sql.literal(accountColumns)}`)
      if (Option.isSome(row)) yield* routes.put(toAccount(row.value))
    })

    /** Under the lock of the account's row: what arises meanwhile waits, or was seen. */
    const settle = Effect.fnUntraced(function* (
      claim: CheckClaim,
      notes: Option.Option<CheckNotes>,
      judge: (known: ReturnType<typeof toKnown>) => Verdict
    ) {
      const { id, workspaceId } = claim.account
      yield* sql`SELECT 1 FROM social_accounts WHERE workspace_id = ${workspaceId} AND id = ${id}
        AND ${inTurn} FOR NO KEY UPDATE`
      const taken = yield* sql`SELECT 1 FROM account_health WHERE ${held(claim)} FOR NO KEY UPDATE`
      if (taken.length === 0) return yield* isLost(id)
      if (Option.isSome(notes)) {
        const { checks, names, permissions } = notes.value
        const subscribedSince = Option.getOrNull(Option.map(checks.subscription.since, at))
        yield* sql`UPDATE account_health SET checks = ${toJson(yield* encodeChecks(checks))}::jsonb,
          subscribed_since = ${subscribedSince} WHERE ${held(claim)}`
        if (Option.isSome(permissions)) {
          yield* sql`UPDATE social_accounts SET permissions = ${toJson(permissions.value)}::jsonb
            WHERE workspace_id = ${workspaceId} AND id = ${id}`
        }
        if (Option.isSome(names)) yield* rename(claim, names.value)
      }
      const row = yield* read(workspaceId, id)
      if (Option.isNone(row)) return yield* isLost(id)
      const known = toKnown(row.value)
      const verdict = judge(known)
      yield* sql`UPDATE account_health SET told = ${toJson(yield* encodeTold(verdict.told))}::jsonb,
        due_at = ${Option.getOrNull(Option.map(verdict.dueAt, at))}, lease_token = NULL, lease_until = NULL
        WHERE ${held(claim)}`
      return { known: { ...known, facts: { ...known.facts, told: Option.some(verdict.told) } }, events: verdict.events }
    })

    const claimByWorkspace = makeClaimByWorkspace()

    return AccountHealthStore.of({
      find: Effect.fn("PgAccountHealthStore.find")(
        function* (workspaceId, id) {
          return Option.map(yield* read(workspaceId, id), toKnown)
        },
        storeCall("health.find", "no")
      ),

      list: Effect.fn("PgAccountHealthStore.list")(
        function* (scope, { disconnectedSince, networks, statuses }, request) {
          return yield* knownPage(
            sql`SELECT ${columns} FROM ${tables}
              WHERE a.workspace_id = ${scope.workspaceId} AND a.erased_at IS NULL ${inScope(scope)}
                AND (a.disconnected_at IS NULL OR a.disconnected_at > ${at(disconnectedSince)})
                ${oneOf("a.network", networks)} ${oneOf("a.status", statuses)} ${page(request)}`,
            request.limit
          )
        },
        storeCall("health.list", "no")
      ),

      claim: Effect.fn("PgAccountHealthStore.claim")(
        function* ({ leaseNow, leaseUntil, limit, now, token }) {
          const isDue = sql`h.due_at <= ${at(now)} AND (h.lease_until IS NULL OR h.lease_until <= ${at(leaseNow)})`
          const rows = yield* claimByWorkspace({
            queue: "account_health",
            limit,
            leaseNow,
            schema: KnownRow,
            look: (count) =>
              overAll("health.claim", (among) =>
                all(DueRow)(sql`SELECT h.workspace_id, h.account_id FROM account_health h
                  WHERE ${isDue} ${among("h.workspace_id")}
                  ORDER BY h.due_at, h.workspace_id, h.account_id ${few(count)}`)
              ),
            take: (workspaceId, keys, count) => sql`
              WITH due AS MATERIALIZED (
                SELECT h.account_id FROM account_health h
                WHERE h.workspace_id = ${workspaceId} AND h.account_id = ${anyOf(
                  sql,
                  keys.map((key) => key.account_id)
                )}
                  AND ${isDue}
                ORDER BY h.due_at, h.account_id ${few(count)} FOR NO KEY UPDATE OF h SKIP LOCKED
              ), taken AS (
                UPDATE account_health h SET lease_token = ${token}, lease_until = ${at(leaseUntil)}
                FROM due d WHERE h.workspace_id = ${workspaceId} AND h.account_id = d.account_id
                RETURNING h.account_id
              )
              SELECT ${columns} FROM taken t JOIN ${tables} ON a.id = t.account_id
              WHERE a.workspace_id = ${workspaceId}`,
            putBack: (workspaceId, read, until) => sql`UPDATE account_health
              SET lease_until = ${at(until)}, lease_token = NULL
              WHERE workspace_id = ${workspaceId} AND due_at <= ${at(now)} AND lease_token = ${token}
                AND account_id <> ALL (${read.map(({ id }) => id)}::text[])`
          })
          return rows.map((row): CheckClaim => ({ ...toKnown(row), token }))
        },
        storeCall("health.claim", "unknown")
      ),

      seize: Effect.fn("PgAccountHealthStore.seize")(
        function* (workspaceId, id, { leaseUntil, token }) {
          const seized = yield* sql`
            INSERT INTO account_health (workspace_id, account_id, lease_token, lease_until)
            SELECT a.workspace_id, a.id, ${token}::text, ${at(leaseUntil)}::timestamptz FROM social_accounts a
            WHERE a.workspace_id = ${workspaceId} AND a.id = ${id} AND a.status <> 'disconnected'
            ON CONFLICT (workspace_id, account_id)
              DO UPDATE SET lease_token = excluded.lease_token, lease_until = excluded.lease_until
            RETURNING 1`
          if (seized.length === 0) return Option.none()
          return Option.map(yield* read(workspaceId, id), (row): CheckClaim => ({ ...toKnown(row), token }))
        },
        storeCall("health.seize", "unknown")
      ),

      renew: Effect.fn("PgAccountHealthStore.renew")(
        function* (claim, leaseUntil) {
          const renewed = yield* sql`UPDATE account_health SET lease_until = ${at(leaseUntil)}
            WHERE ${held(claim)} RETURNING 1`
          if (renewed.length === 0) return yield* isLost(claim.account.id)
        },
        storeCall("health.renew", "unknown")
      ),

      release: Effect.fn("PgAccountHealthStore.release")(
        function* (claim) {
          const released = yield* sql`UPDATE account_health SET lease_token = NULL, lease_until = NULL
            WHERE ${held(claim)} RETURNING 1`
          if (released.length === 0) return yield* isLost(claim.account.id)
        },
        storeCall("health.release", "unknown")
      ),

      settle: Effect.fn("PgAccountHealthStore.settle")(
        (claim, notes, judge, moment) =>
          log.transaction(claim.account.workspaceId, (append) =>
            settle(claim, notes, judge).pipe(
              Effect.flatMap(({ events, known }) => Effect.as(append(events, moment), known))
            )
          ),
        storeCall("health.settle", "unknown")
      ),

      isPersonElsewhere: Effect.fn("PgAccountHealthStore.isPersonElsewhere")(
        function* ({ id, personIds }) {
          if (personIds.length === 0) return false
          const ofPerson = sql.or(personIds.map((one) => sql`a.person_ids @> ${toJson([storable(one)])}::jsonb`))
          return yield* isAnywhere(
            "health.person",
            (among) => sql`FROM social_accounts a
            WHERE a.person_ids <> '[]' AND ${ofPerson} AND a.id <> ${id} AND a.status <> 'disconnected'
              ${among("a.workspace_id")}`
          )
        },
        storeCall("health.isPersonElsewhere", "no")
      ),

      isSubscriptionShared: Effect.fn("PgAccountHealthStore.isSubscriptionShared")(
        function* ({ id, networkAccountId, throughAccountId }) {
          const teller = storable(Option.getOrElse(throughAccountId, () => networkAccountId))
          const isTeller = Option.isSome(throughAccountId) ? sql`a.network_account_id = ${teller}` : sql`FALSE`
          return yield* isAnywhere(
            "health.subscription",
            (among) => sql`FROM social_accounts a
            WHERE (a.through_account_id = ${teller} OR ${isTeller})
              AND a.id <> ${id} AND a.status <> 'disconnected' ${among("a.workspace_id")}`
          )
        },
        storeCall("health.isSubscriptionShared", "no")
      )
    })
  })
)
