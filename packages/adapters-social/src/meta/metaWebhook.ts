import type { Normalise } from "@loopbox/core/networks/SocialConnector"
import type { Network } from "../names.ts"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { addressee, type EnvelopeAddressees, memberOf } from "../payloads/addressees.ts"
import { ignored, unreadable } from "../payloads/Collector.ts"
import type { Reading } from "../payloads/Collector.ts"
import { asArray, Id, OptionalTime, reader } from "../payloads/payload.ts"
import { isTold, kept, type RedactEnvelope } from "../payloads/redaction.ts"
import { takeApart } from "../payloads/takeApart.ts"
import type { Add } from "../payloads/takeApart.ts"

/** What all elements of one entry have in common. */
export interface MetaEntry {
  /** The account that the entry is about. */
  readonly accountId: string
  /** When the network sent it. */
  readonly sentAt: Option.Option<DateTime.Utc>
  readonly arrivedAt: DateTime.Utc
}

/** How one network reads the two kinds of elements. */
export interface MetaReader {
  readonly change: (entry: MetaEntry, field: string, value: unknown) => Reading
  readonly message: (entry: MetaEntry, element: unknown, isStandby: boolean) => Reading
}

const readEntry = reader(Schema.Struct({ id: Id, time: OptionalTime }))

/** Messages sometimes come as changes of these fields, the dashboard's test button among them. */
const messageFields = /^(messages|message_edits?|messaging_postbacks|standby)$/

/**
 * Takes Meta's envelope apart: `{object, entry[]}`, or an array of those, each entry with `changes[]`, `messaging[]`,
 * `standby[]`, or with one change's `field` and `value` in itself. An object where an array is expected counts as one.
 */
export const metaWebhook = (readers: ReadonlyMap<string, MetaReader>): Normalise =>
  takeApart((envelope, arrivedAt, add) => readEnvelope(readers, envelope, arrivedAt, add))

const readEnvelope = (
  readers: ReadonlyMap<string, MetaReader>,
  envelope: unknown,
  arrivedAt: DateTime.Utc,
  add: Add
): void => {
  if (!Predicate.isObject(envelope)) return add("", unreadable("not an object"))
  const object = typeof envelope["object"] === "string" ? envelope["object"] : "none"
  const network = readers.get(object)
  if (network === undefined) return add("object", ignored(`object.${object}`))
  asArray(envelope["entry"]).forEach((entry, i) =>
    readElements(network, entry, arrivedAt, (path, reading) => add(`entry[${i}]${path}`, reading))
  )
}

/** Whose accounts each kind of envelope is about. */
const networks: ReadonlyMap<unknown, Network> = new Map([
  ["instagram", "instagram"],
  ["page", "facebook"]
])

/** Each entry has its account's id. */
export const addresseesOfMeta: EnvelopeAddressees = (envelope) => {
  const network = networks.get(memberOf(envelope, "object"))
  if (network === undefined) return []
  return asArray(memberOf(envelope, "entry")).flatMap((entry) => addressee(network, memberOf(entry, "id")))
}

/** An entry is about one account, all of it. */
export const redactMeta: RedactEnvelope = (envelope, account) => {
  if (!Predicate.isObject(envelope) || networks.get(envelope["object"]) !== account.network) return envelope
  const entry = kept(envelope["entry"], (one) => {
    const head = readEntry(one)
    return Result.isSuccess(head) ? !Option.contains(account.accountId, head.success.id) : !isTold(account, one)
  })
  return entry === undefined ? undefined : { ...envelope, entry }
}

const readElements = (network: MetaReader, entry: unknown, arrivedAt: DateTime.Utc, add: Add): void => {
  const head = readEntry(entry)
  if (Result.isFailure(head) || !Predicate.isObject(entry)) {
    return add("", unreadable(Result.isFailure(head) ? head.failure : "not an object"))
  }
  // The dashboard's test button sends this id; no account has it.
  const read = (reading: () => Reading): Reading => (head.success.id === "0" ? ignored("test") : reading())
  const shared: MetaEntry = { accountId: head.success.id, sentAt: head.success.time, arrivedAt }
  let elements = 0
  const each = (name: string, one: (element: unknown) => Reading): void => {
    asArray(entry[name]).forEach((element, i) => {
      elements++
      add(
        `.${name}[${i}]`,
        read(() => one(element))
      )
    })
  }
  each("changes", (change) => readChange(network, shared, change))
  each("messaging", (element) => network.message(shared, element, false))
  each("standby", (element) => network.message(shared, element, true))
  if (entry["field"] !== undefined)
    add(
      "",
      read(() => readChange(network, shared, entry))
    )
  else if (elements === 0)
    add(
      "",
      read(() => ignored("entry.empty"))
    )
}

const readChange = (network: MetaReader, entry: MetaEntry, change: unknown): Reading => {
  if (!Predicate.isObject(change)) return unreadable("not an object")
  const { field, value } = change
  if (typeof field !== "string") return unreadable("missing or unreadable: field")
  return messageFields.test(field) && Predicate.isObject(value)
    ? network.message(entry, value, field === "standby")
    : network.change(entry, field, value)
}
