import type { PgAdapters } from "@loopbox/adapters-postgres"
import { AccountHealthStore } from "@loopbox/core/health/AccountHealthStore"
import { judgeAccount } from "@loopbox/core/health/judgeAccount"
import { connect, inboxEpoch, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { testNetworks } from "@loopbox/testing/fixtures/networks"
import { noon } from "@loopbox/testing/fixtures/activities"
import { only, syncWorld } from "@loopbox/testing/fixtures/syncFixtures"
import { WebhookDeliveries } from "@loopbox/core/webhooks/WebhookDeliveries"
import { DateTime, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { copy, numbered, withoutStatistics } from "../copies.ts"
import { beforeStatistics } from "../beforeStatistics.ts"
import { findCostly, oneConnection } from "../rowsRead.ts"

const count = 20_000

const tables = ["social_accounts", "account_polls", "account_health", "sync_tasks", "sync_runs", "webhook_deliveries"]

/** 20,000 accounts more. */
const addAccounts = Effect.gen(function* () {
  const id = numbered("id")
  yield* copy("social_accounts", count, { id, network_account_id: "'page ' || n" })
  yield* copy("account_polls", count, { account_id: numbered("account_id") })
  yield* copy("account_health", count, { account_id: numbered("account_id") })
})

/** A look sorts what is due, while that is thought to be less than is wanted: each account's poll, and what is asked of it. */
const sorted = 3 * count + 1_000

const findCostlyPolls = (target: PgAdapters.Target, plans: string) =>
  Effect.gen(function* () {
    const { add, claim, later, polls, scope, settlement, start, store, workspaceId } = yield* syncWorld
    const sql = yield* SqlClient.SqlClient
    yield* withoutStatistics(...tables)
    const account = yield* add()
    yield* addAccounts
    const other = yield* add({ networkAccountId: "other", network: "facebook" })
    const backfill = Option.some({ accountId: Option.some(other.id), lookbackDays: 7, maxItems: 20 })
    const run = yield* start({ backfill })
    const old = yield* start({ backfill })
    yield* sql`INSERT INTO sync_tasks SELECT t.workspace_id, t.run_id || n, t.account_id, t.is_backfill, t.progress, '{}'
      FROM sync_tasks t, generate_series(1, 10000) n`
    const held = only(yield* claim("a", { at: later(1), network: "facebook" }))
    const looks = {
      claim: claim("b", { at: later(1), isAutomatic: true }),
      "claim of what is asked": claim("c", { at: later(1) })
    }
    const costly = yield* findCostly(tables, looks, sorted)
    const byKeys = yield* findCostly(tables, {
      read: polls.read(held),
      renew: polls.renew(held, later(3)),
      hint: polls.hint(workspaceId, account.id, later(1)),
      settle: polls.settle(
        held,
        {
          ...settlement(other),
          backfills: [{ runId: run.id, result: Option.getOrThrow(settlement(other).poll) }]
        },
        later(2)
      ),
      find: store.find(scope.scope, old.id),
      "is completed": store.isCompleted(workspaceId, old.id)
    })
    return [...costly, ...byKeys]
  }).pipe(Effect.provide(oneConnection(target, plans)))

const findCostlyChecks = (target: PgAdapters.Target, plans: string) =>
  Effect.gen(function* () {
    yield* withoutStatistics(...tables)
    const store = yield* AccountHealthStore
    const at = yield* inboxEpoch
    const { id: workspaceId } = yield* makeInboxWorkspace(at)
    const account = yield* connect(workspaceId, { at })
    yield* addAccounts
    const later = (minutes: number) => DateTime.add(at, { minutes })
    const lease = { now: later(1), leaseNow: later(1), leaseUntil: later(2), limit: 10 }
    const [held] = yield* store.claim({ ...lease, token: "a" })
    if (held === undefined) return ["nothing is claimed"]
    const judge = judgeAccount(testNetworks, later(1))
    return yield* findCostly(tables, {
      claim: store.claim({ ...lease, token: "b" }),
      find: store.find(workspaceId, account.id),
      renew: store.renew(held, later(3)),
      settle: store.settle(held, Option.none(), judge, later(1)),
      seize: store.seize(workspaceId, account.id, { ...lease, token: "c" })
    })
  }).pipe(Effect.provide(oneConnection(target, plans)))

const findCostlyDeliveries = (target: PgAdapters.Target, plans: string) =>
  Effect.gen(function* () {
    yield* withoutStatistics(...tables)
    const deliveries = yield* WebhookDeliveries
    const deliver = (id: string) =>
      deliveries.store({ id, endpoint: "instagram", body: new Uint8Array([1]), arrivedAt: noon }, noon)
    yield* deliver("d00000")
    yield* copy("webhook_deliveries", count, { id: numbered("id") })
    const sql = yield* SqlClient.SqlClient
    const account = yield* connect((yield* makeInboxWorkspace()).id)
    yield* withoutStatistics("webhook_units")
    yield* sql`INSERT INTO webhook_units SELECT ${account.workspaceId}, ${account.id}, id FROM webhook_deliveries`
    const lease = { leaseNow: noon, leaseUntil: DateTime.add(noon, { minutes: 1 }) }
    const claims = yield* deliveries.claim({ ...lease, token: "a", limit: 100 })
    const [first, second, ...more] = claims
    if (first === undefined || second === undefined) return ["nothing is claimed"]
    const costly = yield* findCostly(tables, { claim: deliveries.claim({ ...lease, token: "b", limit: 100 }) }, sorted)
    const byIds = yield* findCostly(tables, {
      store: deliver("another"),
      renew: deliveries.renew(first, lease.leaseUntil),
      settle: deliveries.settle(first, { _tag: "Failed", reason: "no" }, noon),
      "complete one": deliveries.complete([second], noon),
      complete: deliveries.complete(more, noon),
      "remove old ones": deliveries.removeOlder(
        { done: DateTime.add(noon, { days: 1 }), failed: DateTime.add(noon, { days: 1 }) },
        100
      )
    })
    return [...costly, ...byIds]
  }).pipe(Effect.provide(oneConnection(target, plans)))

beforeStatistics("20,000 accounts or deliveries", {
  "accounts that are polled are found by their ids": findCostlyPolls,
  "accounts that are checked are found by their ids": findCostlyChecks,
  "deliveries that are worked on are found by their ids": findCostlyDeliveries
})
