import { Deleted } from "@loopbox/core/networks/InboundActivity"
import type { AccountRoute } from "@loopbox/core/networks/InboundActivity"
import type { Normalise } from "@loopbox/core/networks/SocialConnector"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { addressee, type EnvelopeAddressees, memberOf } from "../payloads/addressees.ts"
import { heard, ignored, unreadable } from "../payloads/Collector.ts"
import type { Reading } from "../payloads/Collector.ts"
import { asArray, Id, OptionalId, OptionalName, optionalPart, OptionalTime, reader } from "../payloads/payload.ts"
import { isTold, kept, type RedactEnvelope } from "../payloads/redaction.ts"
import { takeApart } from "../payloads/takeApart.ts"
import type { Add } from "../payloads/takeApart.ts"
import { readThreadsPost, threadsReply } from "./threadsPost.ts"

const readEnvelope = reader(Schema.Struct({ time: OptionalTime }))
const readEntry = reader(Schema.Struct({ id: OptionalId, time: OptionalTime }))

const readDelete = reader(
  Schema.Struct({
    id: Id,
    owner: optionalPart(Schema.Struct({ owner_id: OptionalId })),
    owner_id: OptionalId,
    username: OptionalName
  })
)

/** What an envelope or entry says for all of its values. */
interface Around {
  readonly accountId: Option.Option<string>
  readonly sentAt: Option.Option<DateTime.Utc>
  readonly arrivedAt: DateTime.Utc
}

/** The account that owns the root post; its user name finds the account where the id finds none (§9.5). */
const routeOf = (accountId: Option.Option<string>, username: Option.Option<string>): AccountRoute => ({
  network: "threads",
  accountId,
  username
})

const reply = (around: Around, value: unknown): Reading => {
  const read = readThreadsPost(value)
  if (Result.isFailure(read)) return unreadable(read.failure)
  const { root_post, username } = read.success
  const accountId = Option.orElse(root_post.owner_id, () => around.accountId)
  if (Option.isNone(accountId) && Option.isNone(root_post.username)) {
    return unreadable("missing or unreadable: root_post.owner_id")
  }
  const isOwn =
    Option.isSome(username) &&
    Option.exists(root_post.username, (owner) => owner.toLowerCase() === username.value.toLowerCase())
  return heard(
    threadsReply(read.success, {
      route: routeOf(accountId, root_post.username),
      isOwn,
      otherwiseAt: Option.getOrElse(around.sentAt, () => around.arrivedAt)
    })
  )
}

const remove = (around: Around, value: unknown): Reading => {
  const read = readDelete(value)
  if (Result.isFailure(read)) return unreadable(read.failure)
  const { id, owner, owner_id, username } = read.success
  const accountId = Option.orElse(
    Option.orElse(
      Option.flatMap(owner, ({ owner_id }) => owner_id),
      () => owner_id
    ),
    () => around.accountId
  )
  if (Option.isNone(accountId) && Option.isNone(username)) return unreadable("missing or unreadable: owner.owner_id")
  return heard(new Deleted({ route: routeOf(accountId, username), source: "threads_reply", externalId: id }))
}

const readValue = (around: Around, element: unknown): Reading => {
  if (!Predicate.isObject(element)) return unreadable("not an object")
  const { field, value } = element
  if (typeof field !== "string") return unreadable("missing or unreadable: field")
  if (field === "replies") return reply(around, value)
  // Mentions are no replies, and what we publish comes back as a reply where it is one.
  return field === "delete" ? remove(around, value) : ignored(field)
}

const readValues = (envelope: unknown, arrivedAt: DateTime.Utc, add: Add): void => {
  const head = readEnvelope(envelope)
  if (Result.isFailure(head) || !Predicate.isObject(envelope)) return add("", unreadable("not an object"))
  const sentAt = head.success.time
  const values = asArray(envelope["values"])
  const entries = asArray(envelope["entry"])
  values.forEach((value, i) => add(`values[${i}]`, readValue({ accountId: Option.none(), sentAt, arrivedAt }, value)))
  entries.forEach((entry, i) => {
    const read = readEntry(entry)
    if (Result.isFailure(read) || !Predicate.isObject(entry)) return add(`entry[${i}]`, unreadable("not an object"))
    const around: Around = {
      accountId: read.success.id,
      sentAt: Option.orElse(read.success.time, () => sentAt),
      arrivedAt
    }
    asArray(entry["changes"]).forEach((change, j) => add(`entry[${i}].changes[${j}]`, readValue(around, change)))
  })
  if (values.length + entries.length === 0) add("", ignored("empty"))
}

/** Each value names its owner; behind a gateway the entry around it may, too. */
export const addresseesOfThreads: EnvelopeAddressees = (envelope) => {
  const told = (element: unknown) => {
    const value = memberOf(element, "value")
    return [
      ...addressee("threads", memberOf(value, "root_post", "owner_id"), memberOf(value, "root_post", "username")),
      ...addressee("threads", memberOf(value, "owner", "owner_id") ?? memberOf(value, "owner_id"))
    ]
  }
  return [
    ...asArray(memberOf(envelope, "values")).flatMap(told),
    ...asArray(memberOf(envelope, "entry")).flatMap((entry) => [
      ...addressee("threads", memberOf(entry, "id")),
      ...asArray(memberOf(entry, "changes")).flatMap(told)
    ])
  ]
}

/** Each value is about the owner of its root post. */
export const redactThreads: RedactEnvelope = (envelope, account) => {
  if (!Predicate.isObject(envelope)) return envelope
  const isKept = (accountId: Around["accountId"]) => (value: unknown) =>
    !isTold(account, value, readValue({ accountId, sentAt: Option.none(), arrivedAt: DateTime.makeUnsafe(0) }, value))
  const values = kept(envelope["values"], isKept(Option.none()))
  const entries = asArray(envelope["entry"]).flatMap((one) => {
    const head = readEntry(one)
    if (Result.isFailure(head) || !Predicate.isObject(one)) return isTold(account, one) ? [] : [one]
    const changes = kept(one["changes"], isKept(head.success.id))
    return changes === undefined ? [] : [{ ...one, changes }]
  })
  if (values === undefined && entries.length === 0) return undefined
  const { entry: _entry, values: _values, ...around } = envelope
  return {
    ...around,
    ...(values === undefined ? {} : { values }),
    ...(entries.length === 0 ? {} : { entry: entries })
  }
}

/**
 * Threads' webhook (§1.4): `values` is one object or many, in the envelope itself or, behind some gateways, as
 * `entry[].changes[]`.
 */
export const normaliseThreads: Normalise = takeApart(readValues)
