import { AccessRevoked, Deleted } from "@loopbox/core/networks/InboundActivity"
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
import { asArray, Id, OptionalId, optionalPart, OptionalText, reader } from "../payloads/payload.ts"
import { isTold, kept, type RedactEnvelope } from "../payloads/redaction.ts"
import { takeApart } from "../payloads/takeApart.ts"
import type { Add } from "../payloads/takeApart.ts"
import { readOldPost } from "./readOldPost.ts"
import { readIncludes, readPost } from "./readPost.ts"
import type { Includes } from "./readPost.ts"
import { postReading } from "./XPost.ts"
import type { XPost } from "./XPost.ts"

const routeTo = (accountId: string): AccountRoute => ({
  network: "x",
  accountId: Option.some(accountId),
  username: Option.none()
})

/** Events that carry a post, and whether they prove that its author summoned the account. */
const postEvents: ReadonlyMap<string, boolean> = new Map([
  ["post.create", false],
  ["post.reply.create", false],
  ["post.mention.create", true],
  ["post.quote.create", true]
])

const readEvent = reader(
  Schema.Struct({ event_type: OptionalText, filter: optionalPart(Schema.Struct({ user_id: Id })) })
)
const readDeleted = reader(Schema.Struct({ id: Id, author_id: OptionalId }))

/** An event of the Activity API: `{event_type, filter: {user_id}, payload, includes}`; `beside` when it has no own. */
const activityEvent = (
  data: { readonly [name: PropertyKey]: unknown },
  beside: Includes,
  arrivedAt: DateTime.Utc
): Reading => {
  const event = readEvent(data)
  if (Result.isFailure(event)) return unreadable(event.failure)
  const type = Option.getOrElse(event.success.event_type, () => "none")
  const accountId = Option.map(event.success.filter, ({ user_id }) => user_id)
  if (type === "post.delete") {
    const deleted = readDeleted(data["payload"])
    if (Result.isFailure(deleted)) return unreadable(deleted.failure)
    const ownerId = Option.orElse(accountId, () => deleted.success.author_id)
    return Option.isSome(ownerId)
      ? heard(new Deleted({ route: routeTo(ownerId.value), source: "x_reply", externalId: deleted.success.id }))
      : unreadable("missing or unreadable: filter.user_id")
  }
  const isKnownSummons = postEvents.get(type)
  if (isKnownSummons === undefined && type !== "oauth.revoke") return ignored(type)
  if (Option.isNone(accountId)) return unreadable("missing or unreadable: filter.user_id")
  if (isKnownSummons === undefined) {
    return heard(new AccessRevoked({ route: routeTo(accountId.value), toldAt: arrivedAt }))
  }
  const includes = data["includes"] === undefined ? beside : readIncludes(data["includes"])
  const post = readPost(data["payload"], includes)
  if (Result.isFailure(post)) return unreadable(post.failure)
  const isOwn = Option.contains(post.success.author.id, accountId.value)
  // Only our own posts are subscribed to under this name.
  if (type === "post.create" && !isOwn) return ignored(type)
  return postReading(post.success, {
    accountId: accountId.value,
    username: Option.flatMap(Option.fromUndefinedOr(includes.users.get(accountId.value)), ({ username }) => username),
    isKnownSummons,
    arrivedAt
  })
}

/** A stream's line names no account: it is for each of those that the post speaks to; others are nobody's here. */
const mostAddressees = 50
const addresseesOf = (post: XPost): ReadonlyArray<string> =>
  [
    ...new Set([
      ...Option.toArray(post.inReplyToUserId),
      ...Option.getOrElse(post.mentions, () => []).flatMap(({ userId }) => Option.toArray(userId)),
      ...post.quoted.flatMap(({ authorId }) => Option.toArray(authorId))
    ])
  ].slice(0, mostAddressees)

const streamLine = (data: unknown, includes: Includes, arrivedAt: DateTime.Utc): ReadonlyArray<Reading> => {
  const post = readPost(data, includes)
  if (Result.isFailure(post)) return [unreadable(post.failure)]
  if (post.success.isRepost) return [ignored("repost")]
  const accountIds = addresseesOf(post.success)
  if (accountIds.length === 0) return [ignored("post.unaddressed")]
  return accountIds.map((accountId) => {
    const user = Option.fromUndefinedOr(includes.users.get(accountId))
    const username = Option.flatMap(user, ({ username }) => username)
    return postReading(post.success, { accountId, username, isKnownSummons: false, arrivedAt })
  })
}

const readOld = reader(Schema.Struct({ for_user_id: OptionalId }))
const readOldDelete = reader(Schema.Struct({ status: Schema.Struct({ id: Id }) }))
const readRevoke = reader(Schema.Struct({ revoke: Schema.Struct({ source: Schema.Struct({ user_id: Id }) }) }))

const oldElement = (name: string, accountId: string, element: unknown, arrivedAt: DateTime.Utc): Reading => {
  if (name === "tweet_create_events") {
    return Result.match(readOldPost(element), {
      onFailure: unreadable,
      onSuccess: (post) => postReading(post, { accountId, username: Option.none(), isKnownSummons: false, arrivedAt })
    })
  }
  if (name === "tweet_delete_events") {
    return Result.match(readOldDelete(element), {
      onFailure: unreadable,
      onSuccess: ({ status }) =>
        heard(new Deleted({ route: routeTo(accountId), source: "x_reply", externalId: status.id }))
    })
  }
  return ignored(name)
}

/** Account Activity, deprecated in 2026: `{for_user_id, tweet_create_events: […]}`, and revocation. */
const oldEnvelope = (envelope: { readonly [name: PropertyKey]: unknown }, arrivedAt: DateTime.Utc, add: Add): void => {
  const revoked = readRevoke(envelope["user_event"])
  if (Result.isSuccess(revoked)) {
    const route = routeTo(revoked.success.revoke.source.user_id)
    add("user_event", heard(new AccessRevoked({ route, toldAt: arrivedAt })))
  }
  const head = readOld(envelope)
  const accountId = Option.getOrUndefined(Result.isSuccess(head) ? head.success.for_user_id : Option.none())
  const names = Object.keys(envelope).filter((name) => name.endsWith("_events"))
  for (const name of names) {
    asArray(envelope[name]).forEach((element, i) =>
      add(
        `${name.slice(0, 64)}[${i}]`,
        accountId === undefined
          ? unreadable("missing or unreadable: for_user_id")
          : oldElement(name, accountId, element, arrivedAt)
      )
    )
  }
  if (names.length === 0 && Result.isFailure(revoked)) add("", ignored("empty"))
}

const readEnvelope = (envelope: unknown, arrivedAt: DateTime.Utc, add: Add): void => {
  if (!Predicate.isObject(envelope)) return add("", unreadable("not an object"))
  if (envelope["data"] === undefined) return oldEnvelope(envelope, arrivedAt, add)
  const includes = readIncludes(envelope["includes"])
  asArray(envelope["data"]).forEach((data, i) => {
    const path = Array.isArray(envelope["data"]) ? `data[${i}]` : "data"
    if (!Predicate.isObject(data)) return add(path, unreadable("not an object"))
    if (data["event_type"] !== undefined) return add(path, activityEvent(data, includes, arrivedAt))
    for (const reading of streamLine(data, includes, arrivedAt)) add(path, reading)
  })
}

/** As `activityEvent`, `streamLine` and `oldEnvelope` route them, without what a quoted post's author is told. */
export const addresseesOfX: EnvelopeAddressees = (envelope) => [
  ...addressee("x", memberOf(envelope, "for_user_id")),
  ...addressee("x", memberOf(envelope, "user_event", "revoke", "source", "user_id")),
  ...asArray(memberOf(envelope, "data")).flatMap((data) =>
    memberOf(data, "event_type") === undefined
      ? [
          ...addressee("x", memberOf(data, "in_reply_to_user_id")),
          ...asArray(memberOf(data, "entities", "mentions")).flatMap((one) => addressee("x", memberOf(one, "id")))
        ]
      : addressee("x", memberOf(data, "filter", "user_id"))
  )
]

/** An event says for whom it is; a stream's line is for everybody whom its post speaks to. */
export const redactX: RedactEnvelope = (envelope, account) => {
  if (!Predicate.isObject(envelope)) return envelope
  if (envelope["data"] === undefined) {
    const head = readOld(envelope)
    const owner = Result.isSuccess(head) ? head.success.for_user_id : Option.none()
    const isAbout = Option.isSome(owner) ? Option.contains(account.accountId, owner.value) : isTold(account, envelope)
    return isAbout ? undefined : envelope
  }
  const includes = readIncludes(envelope["includes"])
  const data = kept(envelope["data"], (one) => {
    const event = readEvent(one)
    const owner = Result.isSuccess(event) ? Option.map(event.success.filter, ({ user_id }) => user_id) : Option.none()
    return Option.isSome(owner)
      ? !Option.contains(account.accountId, owner.value)
      : !isTold(account, one, ...streamLine(one, includes, DateTime.makeUnsafe(0)))
  })
  return data === undefined ? undefined : { ...envelope, data }
}

/** X's webhook in its three shapes: Activity API, filtered stream, and the old Account Activity (§1.5). */
export const normaliseX: Normalise = takeApart(readEnvelope)
