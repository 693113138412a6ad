import type { PgAdapters } from "@loopbox/adapters-postgres"
import { type OperationClaim, OutboundStore } from "@loopbox/core/outbound/OutboundStore"
import type { OutboundOperation } from "@loopbox/core/outbound/OutboundOperation"
import { begin, uncertain } from "@loopbox/core/outbound/transitions"
import { RetentionStore } from "@loopbox/core/retention/RetentionStore"
import { posted } from "@loopbox/testing/fixtures/activities"
import { connect, inboxEpoch, ingest, makeInboxWorkspace, scopeOf } from "@loopbox/testing/fixtures/inboxFixtures"
import { sources } from "@loopbox/testing/fixtures/networks"
import { makeOperation } from "@loopbox/testing/fixtures/outboundFixtures"
import { DateTime, Effect, Option, Result } from "effect"
import { copy, numbered, withoutStatistics } from "../copies.ts"
import { beforeStatistics } from "../beforeStatistics.ts"
import { findCostly, oneConnection } from "../rowsRead.ts"

const count = 20_000

/** Whatever reads too much of a workspace's 20,000 replies: all are due, or all but the newest have ended. */
const findCostlyReplies = (target: PgAdapters.Target, plans: string, areEnded: boolean) =>
  Effect.gen(function* () {
    const [store, retention] = [yield* OutboundStore, yield* RetentionStore]
    const at = yield* inboxEpoch
    const { id: workspaceId } = yield* makeInboxWorkspace(at)
    const account = yield* connect(workspaceId, { at })
    const before = DateTime.subtract(at, { days: 1 })
    yield* withoutStatistics("items", "threads")
    yield* ingest(account, [posted({ externalId: "e00000", threadKey: "t00000", receivedAt: before })], { now: at })
    yield* copy("items", count, { id: numbered("id"), external_id: numbered("external_id") })
    const submit = (operation: OutboundOperation) =>
      store.submit(operation, (existing) => Result.succeed(Option.getOrElse(existing, () => operation)))
    const first = yield* submit(yield* makeOperation(account, at, { key: "key" }))
    const ended = areEnded
      ? { status: "'succeeded'", due_at: "NULL", ended_at: "r.due_at", response_external_id: "'r' || n" }
      : {}
    yield* copy("outbound_operations", count, {
      id: numbered("id"),
      item_id: numbered("item_id"),
      operation: `r.operation || jsonb_build_object('id', ${numbered("id")})`,
      ...ended
    })
    const other = yield* makeOperation(account, at, { key: "other" })
    const lease = { now: at, leaseNow: at, leaseUntil: DateTime.add(at, { minutes: 1 }), limit: 10, sources }
    const [held] = yield* store.claim({ ...lease, token: "a", limit: 1 })
    if (held === undefined) return ["nothing is claimed"]
    const change = (claim: OperationClaim, next: (operation: OutboundOperation) => OutboundOperation) =>
      store.change(claim, (operation) => ({
        operation: next(operation),
        leaseUntil: Option.some(DateTime.add(at, { minutes: 2 }))
      }))
    return yield* findCostly(["outbound_operations", "items", "threads"], {
      submit: submit(other),
      "submit again": submit(other),
      find: store.find(scopeOf(workspaceId), first.id),
      claim: store.claim({ ...lease, token: "b" }),
      renew: store.renew(held, lease.leaseUntil),
      send: change(held, (operation) => uncertain(begin(operation, at), at)),
      reconcile: store.reconcile(held, ["c1", "c2"], ({ operation }) => ({ operation, leaseUntil: Option.none() })),
      hasten: store.hasten(other),
      "purge 100": retention.purgeRows(DateTime.add(at, { days: 400 }), 100),
      "ingest an own one": ingest(account, [posted({ externalId: "own", threadKey: "own", isOwn: true })], { now: at })
    })
  }).pipe(Effect.provide(oneConnection(target, plans)))

beforeStatistics("20,000 replies", {
  "those that wait are found by their ids": (target, plans) => findCostlyReplies(target, plans, false),
  "the few that wait are found beside those that have ended": (target, plans) => findCostlyReplies(target, plans, true)
})
