import type { AccountRoute } from "@loopbox/core/networks/InboundActivity"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Reading } from "./Collector.ts"
import { parseJson } from "./parseJson.ts"
import { asArray } from "./payload.ts"

/** An envelope without what it says to one account; undefined if nothing is left. */
export type RedactEnvelope = (envelope: unknown, account: AccountRoute) => unknown

const isSame = (one: AccountRoute, account: AccountRoute): boolean =>
  Option.isSome(one.accountId)
    ? Option.contains(account.accountId, one.accountId.value)
    : Option.exists(one.username, (name) =>
        Option.exists(account.username, (own) => own.toLowerCase() === name.toLowerCase())
      )

/** Whether an element speaks to the account; of one that is not said to speak to any, whether it names it. */
export const isTold = (account: AccountRoute, element: unknown, ...readings: ReadonlyArray<Reading>): boolean => {
  const routes = readings.flatMap((reading) =>
    reading._tag === "Heard" ? reading.activities.map(({ route }) => route) : []
  )
  if (routes.length > 0) return routes.some((route) => isSame(route, account))
  const text = JSON.stringify(element) ?? ""
  return Option.exists(account.accountId, (id) => text.includes(id))
}

/** The members of what may be one object or many that stay, in the same shape; undefined if none does. */
export const kept = (value: unknown, stays: (member: unknown) => boolean): unknown => {
  const members = asArray(value).filter(stays)
  if (members.length === 0) return undefined
  return Array.isArray(value) ? members : members[0]
}

/** Redacts a body that is one envelope, or an array of them. One that is not JSON can't be told apart. */
export const redactBody =
  (redactEnvelope: RedactEnvelope) =>
  (body: Uint8Array, account: AccountRoute): Option.Option<Uint8Array> => {
    const parsed = parseJson(body)
    if (Result.isFailure(parsed)) return Option.none()
    const envelopes = asArray(parsed.success).flatMap((envelope) => {
      const rest = redactEnvelope(envelope, account)
      return rest === undefined ? [] : [rest]
    })
    if (envelopes.length === 0) return Option.none()
    const rest = JSON.stringify(Array.isArray(parsed.success) ? envelopes : envelopes[0])
    return Option.some(rest === JSON.stringify(parsed.success) ? body : new TextEncoder().encode(rest))
  }
