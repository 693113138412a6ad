import { AuthExpired, OutcomeUnknown, RateLimited, Rejected } from "@loopbox/core/networks/ConnectorErrors"
import type { WriteFailed } from "@loopbox/core/networks/ConnectorErrors"
import { NotYet } from "@loopbox/core/networks/publishing/PublishErrors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** What was prepared can't be found or used yet, whatever it said of itself before (B1.3, B3.3). */
const notYet: ReadonlySet<string> = new Set(["9007", "9007/2207027", "24/2207008", "24/4279009"])

/** Seen although the post was live (B1.3). */
const spam = "2207051"
const quota = "2207042"
const restricted: ReadonlySet<string> = new Set(["2207050", "4279013"])
const notFound = "2207006"

/** Facebook's codes whose meaning is their own (B2). */
const rejections: ReadonlyMap<string, Rejected["reason"]> = new Map([
  // Its photos hang on a post already: perhaps on ours.
  ["1366051", "duplicate"],
  ["1609008", "invalid"],
  // The person has to pass a security check.
  ["1404006", "blocked"],
  ["1404112", "blocked"],
  ["4854002", "blocked"],
  ["1404078", "other"]
])

/** What a refusal of a publishing call means, where it is another thing than elsewhere. */
const inPublishing = (error: WriteFailed): WriteFailed | NotYet => {
  const { detail, network, networkCode } = error
  const shared = { network, networkCode, detail }
  const said = Option.getOrElse(networkCode, () => "")
  const [code = "", subcode = ""] = said.split("/")
  if (notYet.has(said)) return new NotYet(shared)
  if (subcode === spam) return new OutcomeUnknown(shared)
  if (error._tag === "OutcomeUnknown") return error
  if (subcode === quota) return new RateLimited({ ...shared, retryAt: Option.none() })
  if (restricted.has(subcode)) return new Rejected({ ...shared, reason: "blocked" })
  if (subcode === notFound) return new AuthExpired({ ...shared, reason: "permission", missingScopes: [] })
  const reason = rejections.get(subcode) ?? rejections.get(code)
  return reason === undefined ? error : new Rejected({ ...shared, reason })
}

/** The one call that publishes on a network of Meta. */
export const publishing = <A>(call: Effect.Effect<A, WriteFailed>): Effect.Effect<A, WriteFailed | NotYet> =>
  Effect.mapError(call, inPublishing)
