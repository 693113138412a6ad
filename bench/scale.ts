import type { PgAdapters } from "@loopbox/adapters-postgres"
import { Effect, Layer } from "effect"
import type { Benchmark } from "./Benchmark.ts"
import { makeCalls } from "./scale/calls.ts"
import { fillAnew, findAsked, findOrFill, layerMeasured, readQueues } from "./scale/databases.ts"
import { factorOf, lineOf, load, measure, type Side, withContext } from "./scale/measure.ts"
import { divided, full } from "./scale/sizes.ts"
import { withServer } from "./withServer.ts"

/** What the larger database is divided by; 1: the size that is promised, which takes 20 GB and half an hour. */
const division = Number(process.env["LOOPBOX_SCALE_DIVISION"] ?? "10")
/** A server whose databases stay, so that filling and measuring may be done apart. */
const kept = process.env["LOOPBOX_SCALE_SERVER"]
/** Only calls whose names begin so. */
const only = process.env["LOOPBOX_SCALE_ONLY"] ?? ""

const factor = 100

const forgetful = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_wal_size: "8GB",
  shared_buffers: "1GB"
}

/** The calls of one database, with all that they need. */
const sideOf = Effect.fnUntraced(function* (target: PgAdapters.Target) {
  const context = yield* Layer.build(layerMeasured(target))
  const calls = yield* Effect.provideContext(makeCalls, context)
  const asked = yield* Effect.provideContext(findAsked, context)
  yield* Effect.provideContext(readQueues, context)
  const side: Side = {
    calls: withContext(calls, context),
    asked
  }
  return side
})

const runOn = (serverUrl: string) =>
  Effect.gen(function* () {
    const [sizes, hundredth] = [divided(full, division), divided(full, division * factor)]
    const small = yield* fillAnew(serverUrl, `scale_${division * factor}`, hundredth)
    const large = yield* findOrFill(serverUrl, `scale_${division}`, sizes)
    if (only === "fill") return { growths: [], loads: [] }
    const isAsked = (name: string) => name.startsWith(only)
    const [one, other] = [yield* sideOf(small), yield* sideOf(large)]
    return { growths: yield* measure(one, other, isAsked), loads: yield* load(other, isAsked) }
  }).pipe(Effect.scoped, Effect.runPromise)

/** Whether any call of a store costs more because others have more. */
export const scale: Benchmark = {
  name: "scale",
  description:
    "list, threads, search, ingest, every claim and every sweep with 10,000 workspaces and 10,000,000 items " +
    "(LOOPBOX_SCALE_DIVISION=1; a tenth without), against the same with a hundredth of that",
  better: "lower",
  wanted: 1.5,
  run: async () => {
    const { growths, loads } =
      kept === undefined ? await withServer(forgetful, ({ url }) => runOn(url)) : await runOn(kept)
    const worst = growths.toSorted((one, other) => factorOf(other) - factorOf(one))[0]
    return {
      ours: worst?.large.p50 ?? 0,
      baseline: worst?.small.p50 ?? 0,
      unit: "milliseconds at the median, of the call that grows most",
      notes: ["at a hundredth: p50 / p99, whole: p50 / p99: growth", ...growths.map(lineOf), ...loads]
    }
  }
}
