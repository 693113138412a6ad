import type { AccountRoute } from "@loopbox/core/networks/InboundActivity"
import { nameText } from "@loopbox/core/networks/networkText"
import type { Network } from "../names.ts"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { parseJson } from "./parseJson.ts"
import { asArray, readId } from "./payload.ts"

/** The accounts that an envelope says it speaks to; read without its elements being judged. */
export type EnvelopeAddressees = (envelope: unknown) => ReadonlyArray<AccountRoute>

/** A larger body is not parsed while its network waits. */
const maxParsed_bytes = 1024 * 1024

/** Accounts that are told of one delivery. */
const maxAddressees = 50

/** A member of a member, or nothing. */
export const memberOf = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce((part: unknown, name) => (Predicate.isObject(part) ? part[name] : undefined), value)

/** The account of this id, user name, or both; none if neither can be read. */
export const addressee = (network: Network, id: unknown, username?: unknown): ReadonlyArray<AccountRoute> => {
  const accountId = readId(id)
  const name = typeof username === "string" ? nameText(username) : Option.none()
  return Option.isNone(accountId) && Option.isNone(name) ? [] : [{ network, accountId, username: name }]
}

const keyOf = ({ accountId, network, username }: AccountRoute): string =>
  JSON.stringify([network, Option.getOrNull(accountId), Option.getOrNull(username)])

/** The addressees of a body that is one envelope, or an array of them, each once. */
export const addresseesOf =
  (ofEnvelope: EnvelopeAddressees) =>
  (body: Uint8Array): ReadonlyArray<AccountRoute> => {
    if (body.length > maxParsed_bytes) return []
    const parsed = parseJson(body)
    if (Result.isFailure(parsed)) return []
    const routes = asArray(parsed.success).flatMap(ofEnvelope)
    return routes.length === 1
      ? routes
      : Array.from(new Map(routes.map((route) => [keyOf(route), route])).values()).slice(0, maxAddressees)
  }
