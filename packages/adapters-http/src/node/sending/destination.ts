import { isIP } from "node:net"
import type { LookupAddress } from "node:dns"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { isGlobalUnicast } from "./isGlobalUnicast.ts"
import type { ResolveName } from "./resolveNames.ts"

/** There is no address that may be connected to. */
export class NoDestination extends Data.TaggedError("NoDestination")<{
  readonly reason: "address_refused" | "address_unresolved"
}> {}

export interface Reach {
  /** Whether http and addresses that are not public may be named. */
  readonly allowsPrivate: boolean
  readonly resolve: ResolveName
  /** Which addresses may be connected to without `allowsPrivate`; another one only in tests. */
  readonly isPublic?: (address: string) => boolean
}

const refused = () => new NoDestination({ reason: "address_refused" })

const unresolved = () => new NoDestination({ reason: "address_unresolved" })

/** RFC 6761 §6.3; asked of nobody, for with the dot at its end many machines do not know it. */
const isLocalhost = (hostname: string): boolean => /^(?:.+\.)?localhost\.?$/i.test(hostname)

const loopback: ReadonlyArray<LookupAddress> = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 }
]

const addressesOf = (hostname: string, resolve: ResolveName) => {
  const literal = hostname.replace(/^\[|\]$/g, "")
  const family = isIP(literal)
  if (family !== 0) return Effect.succeed([{ address: literal, family }])
  return isLocalhost(hostname) ? Effect.succeed(loopback) : resolve(hostname)
}

/**
 * The addresses that a URL leads to now, all of them judged: one that may not be connected to refuses the others too.
 * Whoever connects must use these, and not resolve the name again.
 */
export const destinationOf = (url: URL, { allowsPrivate, isPublic = isGlobalUnicast, resolve }: Reach) => {
  if (url.protocol !== "https:" && !(allowsPrivate && url.protocol === "http:")) return Effect.fail(refused())
  return addressesOf(url.hostname, resolve).pipe(
    Effect.mapError(unresolved),
    Effect.filterOrFail((addresses) => addresses.length > 0, unresolved),
    Effect.filterOrFail((addresses) => allowsPrivate || addresses.every(({ address }) => isPublic(address)), refused)
  )
}
