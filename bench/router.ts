import { PgAdapters } from "@loopbox/adapters-postgres"
import { connect, ingest, makeInboxWorkspace } from "@loopbox/testing/fixtures/inboxFixtures"
import { posted } from "@loopbox/testing/fixtures/activities"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import {
  aloneBeside,
  makeAlone,
  makeCluster,
  removeCluster,
  withDatabase
} from "../packages/adapters-postgres/test/testCluster.ts"
import type { Benchmark } from "./Benchmark.ts"
import { type Asked, makeCalls } from "./scale/calls.ts"
import { layerMeasured } from "./scale/databases.ts"
import { makeEmptyClaims } from "./scale/emptyClaims.ts"
import { now } from "./scale/firstWorkspace.ts"
import { factorOf, type Growth, lineOf, measure, type Side, withContext } from "./scale/measure.ts"

/** The coordinator of a cluster on this machine, as `.ci/citus.sh` prints it. */
const coordinator = process.env["LOOPBOX_BENCH_CITUS"] ?? ""
/** Only calls whose names begin so. */
const only = process.env["LOOPBOX_BENCH_ONLY"] ?? ""
/** What `loopbox db distribute` makes where nothing else is said. */
const shards = Number(process.env["LOOPBOX_BENCH_SHARDS"] ?? "8")
/** How often each call is made on each side: a look over all shards takes up to 70 ms on a machine with other work. */
const calls = Number(process.env["LOOPBOX_BENCH_CALLS"] ?? "60")

const workspaces = 20
const itemsOfEach = 300
const unit = 50

const measured = /^(ingest|list|threads$|unread|mark one|search, a rare|events|submit|empty claim)/

/** What is wanted of each; the others are only told. */
const wanted: Readonly<Record<string, number>> = {
  "ingest of one item": 2.5,
  list: 1.6,
  "list, one account": 2.5
}

/** Next to nothing on one server, so that its bound is a time. */
const wantedClaim_ms = 5

const fill = Effect.forEach(Array.from({ length: workspaces }), () =>
  Effect.gen(function* () {
    const { id } = yield* makeInboxWorkspace(DateTime.subtract(now, { days: 60 }), "enterprise")
    const account = yield* connect(id, { network: "instagram", networkAccountId: `page of ${id}` })
    for (let from = 0; from < itemsOfEach; from += unit) {
      const activities = Array.from({ length: unit }, (_, n) => from + n).map((n) =>
        posted({
          externalId: `e${n}`,
          threadKey: `t${Math.floor(n / 4)}`,
          body: `when do you ship the ${n % 50 === 0 ? "urgently " : ""}shoes`,
          receivedAt: DateTime.subtract(now, { minutes: itemsOfEach - n })
        })
      )
      yield* ingest(account, activities, { now })
    }
    const asked: Asked = { workspaceId: id, accountId: account.id }
    return asked
  })
)

const sideOf = Effect.fnUntraced(function* (target: PgAdapters.Target) {
  const context = yield* Layer.build(layerMeasured(target))
  const asked = yield* Effect.provideContext(fill, context)
  const analyze = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ANALYZE`)
  yield* PgAdapters.withLongRunningClient(target, {}, analyze)
  const made: Effect.Success<typeof makeCalls> = {
    ...(yield* Effect.provideContext(makeCalls, context)),
    ...(yield* Effect.provideContext(makeEmptyClaims, context))
  }
  const side: Side = {
    calls: withContext(made, context),
    asked
  }
  return side
})

const measureBoth = Effect.gen(function* () {
  const name = `router_${process.pid}`
  const alone = aloneBeside(name)
  yield* Effect.addFinalizer(() => Effect.orDie(removeCluster(coordinator, [name, alone])))
  yield* makeAlone(coordinator, alone)
  yield* makeCluster(coordinator, { alone, name, shards })
  const server: PgAdapters.Target = { url: Redacted.make(coordinator) }
  return yield* Effect.gen(function* () {
    const [one, other] = [yield* sideOf(withDatabase(server, alone)), yield* sideOf(withDatabase(server, name))]
    return yield* measure(one, other, (call) => measured.test(call) && call.startsWith(only), calls)
  }).pipe(Effect.scoped)
})

const besideOf = (growth: Growth) => {
  const isClaim = growth.name.startsWith("empty claim")
  const bound = isClaim ? wantedClaim_ms : wanted[growth.name]
  if (bound === undefined) return []
  return isClaim
    ? [{ what: `${growth.name}, in ms`, ratio: growth.large.p50, wanted: bound }]
    : [{ what: growth.name, ratio: factorOf(growth), wanted: bound }]
}

/** What Citus' router costs, each call after the other on the same machine. */
export const router: Benchmark = {
  name: "router",
  description:
    "requests and empty claims on Citus, a coordinator and two workers on this machine (LOOPBOX_BENCH_CITUS, " +
    ".ci/citus.sh), against the same on its coordinator alone",
  better: "lower",
  wanted: wanted["ingest of one item"] ?? 0,
  run: async () => {
    if (coordinator === "") throw new Error("LOOPBOX_BENCH_CITUS is to name a coordinator: bash .ci/citus.sh says it")
    const growths = await Effect.runPromise(Effect.scoped(measureBoth))
    const main = growths.find(({ name }) => name === "ingest of one item") ?? growths[0]
    return {
      ours: main?.large.p50 ?? 0,
      baseline: main?.small.p50 ?? 0,
      unit: `milliseconds at the median, ${main?.name ?? "nothing"}`,
      beside: growths.filter((growth) => growth !== main).flatMap(besideOf),
      notes: ["alone: p50 / p99, on Citus: p50 / p99: factor", ...growths.map(lineOf)]
    }
  }
}
