import type { LookupAddress, LookupOptions } from "node:dns"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { supervised } from "@loopbox/core/kernel/lease/supervised"
import type * as Undici from "undici"
import { skipInterimAnswers } from "./interimAnswers.ts"

/** Connections of a lane, as many as it has attempts at once. */
const connections = 8

/** An idle connection is closed before servers with the usual five seconds close it under a request. */
const idleTime: Duration.Input = "4 seconds"

/** How long one of several addresses is waited for before the next is tried too. */
const nextAddress: Duration.Input = "1 second"

type Found = (cause: Error | null, address: string | Array<LookupAddress>, family?: number) => void

/** What `net.connect` asks instead of a resolver: the addresses that were judged, whatever the name. */
const lookupOf = (addresses: ReadonlyArray<LookupAddress>) => (_: string, options: LookupOptions, found: Found) => {
  const [first] = addresses
  return options.all === true || first === undefined
    ? found(null, [...addresses])
    : found(null, first.address, first.family)
}

/** A pool by its name: the lane, the origin and the addresses, apart by blanks, which none of them has. */
const nameOf = (lane: string, { origin }: URL, addresses: ReadonlyArray<LookupAddress>): string =>
  // Resolvers turn the order of addresses.
  [lane, origin, ...addresses.map(({ address }) => address).toSorted()].join(" ")

/** Loaded by the first delivery, for most processes never make one. */
const loadUndici = Effect.promise(() => import("undici"))

/** As a pool connects by itself, but for answers that come before the answer. */
const connectTo = ({ buildConnector }: typeof Undici, addresses: ReadonlyArray<LookupAddress>) => {
  const connect = buildConnector({
    allowH2: false,
    timeout: 0,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Duration.toMillis(nextAddress),
    lookup: lookupOf(addresses),
    rejectUnauthorized: true
  })
  const connector: Undici.buildConnector.connector = (options, connected) =>
    connect(options, (...[failure, socket]) =>
      failure === null ? connected(null, skipInterimAnswers(socket)) : connected(failure, null)
    )
  return connector
}

const open = (undici: typeof Undici, origin: string, addresses: ReadonlyArray<LookupAddress>) =>
  new undici.Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    // The sender keeps the time, from the look-up of the name on.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: Duration.toMillis(idleTime),
    keepAliveMaxTimeout: Duration.toMillis(idleTime),
    connect: connectTo(undici, addresses)
  })

/** A pool, and how many attempts use it. */
export interface LentPool {
  readonly pool: Undici.Pool
  users: number
  idleSince_ms: number
}

/** What a lane was lent last. */
interface Lent {
  readonly url: URL
  readonly addresses: ReadonlyArray<LookupAddress>
  readonly name: string
}

const isSame = (some: ReadonlyArray<LookupAddress>, others: ReadonlyArray<LookupAddress>): boolean =>
  some.length === others.length && some.every(({ address }, n) => address === others[n]?.address)

/**
 * Pools of connections, one for each lane, origin and set of judged addresses: a slow receiver uses up its own, and a
 * connection is used again only while its name leads to the same addresses. A pool is closed when it has been idle.
 */
export const makePinnedPools = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const pools = new Map<string, LentPool>()
  const lent = new Map<string, Lent>()
  const opened = yield* Queue.sliding<void>(1)

  /** The pool of a lane to these addresses, not closed before it is given back. */
  const lend = (undici: typeof Undici, lane: string, url: URL, addresses: ReadonlyArray<LookupAddress>): LentPool => {
    const last = lent.get(lane)
    const isLast = last !== undefined && last.url === url && isSame(last.addresses, addresses)
    const name = isLast ? last.name : nameOf(lane, url, addresses)
    if (!isLast) lent.set(lane, { url, addresses, name })
    const pool = pools.get(name) ?? { pool: open(undici, url.origin, addresses), users: 0, idleSince_ms: 0 }
    pools.set(name, pool)
    Queue.offerUnsafe(opened, undefined)
    pool.users += 1
    return pool
  }

  const giveBack = (pool: LentPool): void => {
    pool.users -= 1
    pool.idleSince_ms = clock.currentTimeMillisUnsafe()
  }

  const close = (isDone: (pool: LentPool) => boolean) =>
    Effect.suspend(() => {
      const done = Array.from(pools).filter(([, pool]) => isDone(pool))
      for (const [name] of done) pools.delete(name)
      for (const [lane, { name }] of lent) if (!pools.has(name)) lent.delete(lane)
      return Effect.promise(() => Promise.all(done.map(([, { pool }]) => pool.destroy())))
    })

  yield* Effect.addFinalizer(() => close(() => true))
  const closeIdle = Effect.suspend(() => {
    const before_ms = clock.currentTimeMillisUnsafe() - Duration.toMillis(idleTime)
    return close(({ idleSince_ms, users }) => users === 0 && idleSince_ms <= before_ms)
  })
  // Most processes never have one, and then there is nothing to look at every few seconds.
  yield* supervised(
    "endpoints.pools",
    Effect.suspend(() => (pools.size === 0 ? Queue.take(opened) : Effect.andThen(Effect.sleep(idleTime), closeIdle)))
  )

  return { load: loadUndici, lend, giveBack }
})
