import type { LookupAddress, LookupOptions } from "node:dns"
import { isIP } from "node:net"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import type * as Undici from "undici"

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

const open = ({ Pool }: typeof Undici, name: string) => {
  const [, origin = "", ...addresses] = name.split(" ")
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
  return new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    // The sender keeps the time, from the look-up of the name on.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: Duration.toMillis(idleTime),
    keepAliveMaxTimeout: Duration.toMillis(idleTime),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Duration.toMillis(nextAddress),
    connect: { timeout: 0, lookup: lookupOf(pinned), rejectUnauthorized: true }
  })
}

/**
 * Pools of connections, one for each lane, origin and set of judged addresses: a slow receiver uses up its own, and a
 * connection is used again only while its name leads to the same addresses. A pool is closed when it has been idle.
 */
export const makePinnedPools = Effect.gen(function* () {
  const pools = yield* RcMap.make({
    lookup: (name: string) =>
      Effect.acquireRelease(
        Effect.map(loadUndici, (undici) => open(undici, name)),
        (pool) => Effect.promise(() => pool.destroy())
      ),
    idleTimeToLive: idleTime
  })
  /** The pool of one lane to these addresses, open until the scope closes and a while longer. */
  return (lane: string, url: URL, addresses: ReadonlyArray<LookupAddress>) =>
    RcMap.get(pools, nameOf(lane, url, addresses))
})
