import { RateLimited } from "@loopbox/core/networks/ConnectorErrors"
import type { Network } from "../names.ts"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as RateLimiter from "effect/persistence/RateLimiter"
import type { Counted, Usage } from "./Usage.ts"

/** What is counted together: the calls of one kind (a network's word for a group of endpoints) for one account. */
export interface BudgetKey {
  readonly accountId: string
  readonly endpoint: string
  /** Whose refusal it is, where an account of one network is reached at another one's host. */
  readonly network?: Network | undefined
}

/** How often an account may call endpoints of one kind, where the network counts by the second. */
export type Paces = Readonly<Record<string, { readonly calls: number; readonly every: Duration.Input }>>

/** Keeps calls below what the network allows an account, and the app, by what its headers said (social-networks.md §2.2). */
export interface Budget {
  /**
   * Lets a call through, a little later where the pace asks for it or the budget runs low, or refuses it at once: reads
   * leave the last part of a budget to writes.
   */
  readonly admit: (key: BudgetKey, kind: "read" | "write") => Effect.Effect<void, RateLimited>
  /** Takes what an answer said. A budget that is spent stays so until its time. */
  readonly note: (key: BudgetKey, usage: Usage) => Effect.Effect<void>
}

/** From here on reads come slower, up to `slowest_ms` each. */
const slowFrom_percent = 75
const slowest_ms = 2_000
/** From here on nothing is read, so that replies still get through. */
const readUpTo_percent = 95
const spent_percent = 100

/** Accounts times kinds of endpoints; the least used are forgotten, and learned anew by one call. */
const mostBudgets = 20_000

interface Reading extends Usage {
  readonly lasts: Duration.Duration
}

const usedShare = Metric.gauge("loopbox_network_budget_used_percent", {
  description: "Most used share of a budget that a network told of lately, in percent"
})

/** How long a share counts as told lately, beside lower ones. */
const lately_ms = 60_000

/** Keeps the gauge of a network: of all budgets, accounts and kinds together, for their number has no bound. */
const makeTell = (network: Network) => {
  const gauge = Metric.withAttributes(usedShare, { network })
  let most = { percent: 0, told_ms: 0 }
  return Effect.fnUntraced(function* (percent: number) {
    const now_ms = yield* Clock.currentTimeMillis
    if (percent < most.percent && now_ms - most.told_ms < lately_ms) return
    most = { percent, told_ms: now_ms }
    yield* Metric.update(gauge, percent)
  })
}

const kinds: ReadonlyArray<Counted> = ["account", "endpoint", "app"]

const nameOf = ({ accountId, endpoint }: BudgetKey, counted: Counted): string => {
  if (counted === "app") return counted
  return counted === "endpoint" ? `${counted} ${endpoint}` : `${counted} ${accountId} ${endpoint}`
}

const saidOf: Record<Counted, string> = {
  account: "the account's budget",
  endpoint: "the app's budget",
  app: "the app's whole budget"
}

const refusesAt = (kind: "read" | "write"): number => (kind === "read" ? readUpTo_percent : spent_percent)

export const makeBudget = Effect.fnUntraced(function* (network: Network, paces: Paces) {
  const limiter = yield* RateLimiter.make.pipe(Effect.provide(RateLimiter.layerStoreMemory))
  // What is not known is not kept: only answers fill it.
  const readings = yield* Cache.makeWith((_name: string) => Effect.succeed(Option.none<Reading>()), {
    capacity: mostBudgets,
    timeToLive: (exit) => (Exit.isSuccess(exit) && Option.isSome(exit.value) ? exit.value.value.lasts : Duration.zero)
  })

  const tell = makeTell(network)

  const keepPace = Effect.fnUntraced(function* (key: BudgetKey) {
    const pace = paces[key.endpoint]
    if (pace === undefined) return
    // Only a store that can fail does; this one is a map.
    yield* Effect.orDie(
      RateLimiter.sleep(limiter, {
        key: nameOf(key, "account"),
        limit: pace.calls,
        window: pace.every,
        algorithm: "token-bucket"
      })
    )
  })

  const admit = Effect.fnUntraced(function* (key: BudgetKey, kind: "read" | "write") {
    const known = yield* Effect.forEach(kinds, (counted) => Cache.get(readings, nameOf(key, counted)))
    const [most] = known
      .flatMap((reading) => Option.toArray(reading))
      .toSorted((a, b) => b.used_percent - a.used_percent || DateTime.Order(b.until, a.until))
    if (most !== undefined && most.used_percent >= refusesAt(kind)) {
      return yield* new RateLimited({
        network: key.network ?? network,
        networkCode: Option.none(),
        detail: `${Math.round(most.used_percent)} % of ${saidOf[most.counted]} is used (${key.endpoint})`,
        retryAt: Option.some(most.until)
      })
    }
    if (most !== undefined && kind === "read" && most.used_percent >= slowFrom_percent) {
      const share = (most.used_percent - slowFrom_percent) / (readUpTo_percent - slowFrom_percent)
      yield* Effect.sleep(yield* Random.nextBetween(0, slowest_ms * share))
    }
    yield* keepPace(key)
  })

  const note = Effect.fnUntraced(function* (key: BudgetKey, usage: Usage) {
    yield* tell(usage.used_percent)
    const name = nameOf(key, usage.counted)
    const known = yield* Cache.get(readings, name)
    const isSpent = Option.exists(known, ({ used_percent }) => used_percent >= spent_percent)
    if (isSpent && usage.used_percent < spent_percent) return
    const lasts = DateTime.distance(yield* DateTime.now, usage.until)
    if (Duration.isPositive(lasts)) yield* Cache.set(readings, name, Option.some({ ...usage, lasts }))
  })

  return { admit, note } satisfies Budget
})
