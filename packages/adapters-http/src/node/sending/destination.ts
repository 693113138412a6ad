import { isIP } from "node:net"
import type { LookupAddress } from "node:dns"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
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

const addressesOf = (hostname: string, resolve: ResolveName): ReturnType<ResolveName> => {
  const literal = hostname.replace(/^\[|\]$/g, "")
  const family = isIP(literal)
  if (family !== 0) return Effect.succeed([{ address: literal, family }])
  return isLocalhost(hostname) ? Effect.succeed(loopback) : resolve(hostname)
}

/** Whether an answer is there without a fiber that waits for it. */
export const isKnown = <A, E>(found: Effect.Effect<A, E>): found is Exit.Exit<A, E> => Exit.isExit(found)

const judge = (
  addresses: ReadonlyArray<LookupAddress>,
  { allowsPrivate, isPublic = isGlobalUnicast }: Reach
): Exit.Exit<ReadonlyArray<LookupAddress>, NoDestination> => {
  if (addresses.length === 0) return Exit.fail(unresolved())
  return allowsPrivate || addresses.every(({ address }) => isPublic(address))
    ? Exit.succeed(addresses)
    : Exit.fail(refused())
}

/**
 * The addresses that a URL leads to now, all of them judged: one that may not be connected to refuses the others too.
 * Whoever connects must use these, and not resolve the name again. An exit, if nobody has to be asked.
 */
export const destinationOf = (url: URL, reach: Reach): Effect.Effect<ReadonlyArray<LookupAddress>, NoDestination> => {
  if (url.protocol !== "https:" && !(reach.allowsPrivate && url.protocol === "http:")) return Exit.fail(refused())
  const found = addressesOf(url.hostname, reach.resolve)
  if (isKnown(found)) return Exit.isSuccess(found) ? judge(found.value, reach) : Exit.fail(unresolved())
  return Effect.matchEffect(found, {
    onFailure: () => Effect.fail(unresolved()),
    onSuccess: (addresses) => judge(addresses, reach)
  })
}
