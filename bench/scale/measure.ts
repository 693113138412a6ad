import { type Context, Effect } from "effect"
import { performance } from "node:perf_hooks"
import { quantile } from "../statistics.ts"
import type { Asked } from "./calls.ts"

type Call<R = never> = (asked: Asked, n: number) => Effect.Effect<unknown, unknown, R>

/** A database that calls go to, and whom they are about. */
export interface Side {
  readonly calls: Readonly<Record<string, Call>>
  readonly asked: ReadonlyArray<Asked>
}

/** Calls with all that they need of a database. */
export const withContext = <R>(calls: Readonly<Record<string, Call<R>>>, context: Context.Context<R>): Side["calls"] =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [
      name,
      (asked, n) =>
        Effect.provideContext(
          Effect.suspend(() => call(asked, n)),
          context
        )
    ])
  )

export interface Growth {
  readonly name: string
  readonly small: { readonly p50: number; readonly p99: number }
  readonly large: { readonly p50: number; readonly p99: number }
}

const allPairs = 200
/** Claims and sweeps use up what there is. */
const usingUp = 60
const warmUps = 20

const timesOf = (name: string, pairs: number): number =>
  /^(claim|sweep|look|depth)/.test(name) ? Math.min(usingUp, pairs) : pairs

const of = (times: ReadonlyArray<number>) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) })

/** Both databases take turns, and which is first alternates: what slows the machine down slows both. */
const measureOne = Effect.fnUntraced(function* (name: string, small: Side, large: Side, pairs: number) {
  const times = { small: new Array<number>(), large: new Array<number>() }
  const count = timesOf(name, pairs)
  const warm = Math.min(warmUps, count / 3)
  for (let n = 0; n < warm + count; n++) {
    const turn = n % 2 === 0 ? (["small", "large"] as const) : (["large", "small"] as const)
    for (const which of turn) {
      const side = which === "small" ? small : large
      const [call, asked] = [side.calls[name], side.asked[n % side.asked.length]]
      if (call === undefined || asked === undefined) return yield* Effect.die(new Error(`no call "${name}"`))
      const start = performance.now()
      yield* call(asked, n)
      if (n >= warm) times[which].push(performance.now() - start)
    }
  }
  const growth: Growth = { name, small: of(times.small), large: of(times.large) }
  return growth
})

/** Each call of both databases in turn, one at a time, at most so many times. */
export const measure = (small: Side, large: Side, isAsked: (name: string) => boolean, pairs = allPairs) =>
  Effect.forEach(Object.keys(small.calls).filter(isAsked), (name) => measureOne(name, small, large, pairs))

/** Calls of which a second's worth says what the machine carries. */
const loaded = /^(list$|threads|unread|events|ingest|mark one|submit)/
const loadedFor = 4_000
const atOnce = 16

/** How many calls a second the larger database and this process do together, 16 at once. */
const loadOne = Effect.fnUntraced(function* (name: string, { asked, calls }: Side) {
  const call = calls[name]
  if (call === undefined) return yield* Effect.die(new Error(`no call "${name}"`))
  // Beyond the numbers of `measureOne`: what those made is there.
  let n = 1_000_000
  const start = performance.now()
  const one = Effect.suspend(() => {
    const about = asked[n % asked.length]
    return about === undefined ? Effect.void : call(about, n++)
  })
  const caller = Effect.repeat(one, { while: () => performance.now() - start < loadedFor })
  yield* Effect.all(
    Array.from({ length: atOnce }, () => caller),
    { concurrency: atOnce, discard: true }
  )
  const perSecond = ((n - 1_000_000) / (performance.now() - start)) * 1_000
  return `${name}: ${Math.round(perSecond)} a second, ${atOnce} at once`
})

/** A line for each call that requests and webhooks make. */
export const load = (large: Side, isAsked: (name: string) => boolean) =>
  Effect.forEach(
    Object.keys(large.calls).filter((name) => loaded.test(name) && isAsked(name)),
    (name) => loadOne(name, large)
  )

export const factorOf = ({ large, small }: Growth): number => large.p50 / small.p50

export const lineOf = (growth: Growth): string => {
  const { large, name, small } = growth
  const pair = ({ p50, p99 }: Growth["small"]) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`
  const tail = (large.p99 / small.p99).toFixed(2)
  return `${name}: ${pair(small)} ms, ${pair(large)} ms: ${factorOf(growth).toFixed(2)} (p99 ${tail})`
}
