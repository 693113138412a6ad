import { Announced, Deleted, Edited, Posted, unknownPerson } from "@loopbox/core/networks/InboundActivity"
import type { AccountRoute, Attachment, Person } from "@loopbox/core/networks/InboundActivity"
import type { Network, Source } from "../names.ts"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { heard, ignored, unreadable } from "../payloads/Collector.ts"
import type { Reading } from "../payloads/Collector.ts"
import type { MetaEntry } from "./metaWebhook.ts"
import { messageAttachments, orUnsupported } from "./messageAttachments.ts"
import {
  Id,
  OptionalCount,
  OptionalFlag,
  OptionalId,
  OptionalName,
  optionalPart,
  OptionalText,
  OptionalTime,
  reader
} from "../payloads/payload.ts"
import { bodyText } from "@loopbox/core/networks/networkText"

const Party = optionalPart(Schema.Struct({ id: Id }))

const readHead = reader(Schema.Struct({ sender: Party, recipient: Party, timestamp: OptionalTime }))

const readMessage = reader(
  Schema.Struct({
    mid: Id,
    text: OptionalText,
    is_echo: OptionalFlag,
    is_deleted: OptionalFlag,
    is_unsupported: OptionalFlag,
    metadata: OptionalName,
    reply_to: optionalPart(Schema.Struct({ mid: OptionalId, story: Schema.optionalKey(Schema.Unknown) }))
  })
)

const readPostback = reader(Schema.Struct({ mid: Id, title: OptionalText }))

const readEdit = reader(Schema.Struct({ mid: Id, text: OptionalText, num_edit: OptionalCount }))

/** What every element is about, whoever speaks. */
interface Occasion {
  readonly route: AccountRoute
  readonly source: Source
  readonly at: DateTime.Utc
}

/** Who speaks in which conversation. */
export interface Speech extends Occasion {
  readonly isOwn: boolean
  readonly authorId: string
  /** The other party: the thread. */
  readonly counterpartId: string
  readonly isStandby: boolean
}

const networks: Record<"ig_dm" | "fb_dm", Network> = { ig_dm: "instagram", fb_dm: "facebook" }

/** What the account says to a person, just now. */
export const ownSpeech = (
  source: "ig_dm" | "fb_dm",
  accountId: string,
  counterpartId: string,
  at: DateTime.Utc
): Speech => ({
  route: messageRoute(source, accountId),
  source,
  isOwn: true,
  authorId: accountId,
  counterpartId,
  at,
  isStandby: false
})

/** Messages of an account in the inbox of their network. */
export const messageRoute = (source: "ig_dm" | "fb_dm", accountId: string): AccountRoute => ({
  network: networks[source],
  accountId: Option.some(accountId),
  username: Option.none()
})

/** An element of `messaging[]` or `standby[]`; Instagram's and Messenger's are the same but for a few kinds. */
export const readMessaging = (
  source: "ig_dm" | "fb_dm",
  entry: MetaEntry,
  element: unknown,
  isStandby: boolean
): Reading => {
  if (!Predicate.isObject(element)) return unreadable("not an object")
  const kind = kinds.find((kind) => element[kind] !== undefined)
  if (kind === undefined) return ignored(otherKind(element))
  const head = readHead(element)
  if (Result.isFailure(head)) return unreadable(head.failure)
  const occasion: Occasion = {
    route: messageRoute(source, entry.accountId),
    source,
    at: Option.getOrElse(
      Option.orElse(head.success.timestamp, () => entry.sentAt),
      () => entry.arrivedAt
    )
  }
  // Changes of a known message name it by its id alone; Instagram at times leaves its people out.
  if (kind === "message_edit") return asEdit(element[kind], occasion, entry.arrivedAt)
  const deleted = kind === "message" ? asDeleted(element[kind], occasion) : Option.none()
  if (Option.isSome(deleted)) return deleted.value
  const senderId = Option.map(head.success.sender, ({ id }) => id)
  const recipientId = Option.map(head.success.recipient, ({ id }) => id)
  const isEcho = Predicate.isObject(element[kind]) && element[kind]["is_echo"] === true
  const isOwn = isEcho || Option.contains(senderId, entry.accountId)
  const counterpartId = isOwn ? recipientId : senderId
  if (Option.isNone(counterpartId)) return unreadable(`missing or unreadable: ${isOwn ? "recipient" : "sender"}.id`)
  return read[kind](element[kind], {
    ...occasion,
    isOwn,
    authorId: isOwn ? entry.accountId : counterpartId.value,
    counterpartId: counterpartId.value,
    isStandby
  })
}

const kinds = ["message", "postback", "message_edit"] as const

/** The name of the first member that is not of the envelope: `reaction`, `read`, `optin`. */
const otherKind = (element: { readonly [name: PropertyKey]: unknown }): string =>
  Object.keys(element).find((name) => !envelope.has(name)) ?? "messaging"

const envelope: ReadonlySet<string> = new Set(["sender", "recipient", "timestamp", "id", "time"])

/** The mid that the dashboard's test button sends. */
const testId = "random_mid"

/** A message that was unsent; none where the element is a message. */
const asDeleted = (value: unknown, { route, source }: Occasion): Option.Option<Reading> =>
  Option.flatMap(Result.getSuccess(readMessage(value)), ({ is_deleted, mid }) =>
    Option.map(is_deleted, () =>
      mid === testId ? ignored("test") : heard(new Deleted({ route, source, externalId: mid }))
    )
  )

const asMessage = (value: unknown, speech: Speech): Reading => {
  const message = readMessage(value)
  if (Result.isFailure(message)) return unreadable(message.failure)
  const { is_unsupported, metadata, mid, reply_to, text } = message.success
  if (mid === testId) return ignored("test")
  const body = bodyText(Option.getOrElse(text, () => ""))
  const story = Option.flatMap(reply_to, (reply) => Option.fromUndefinedOr(reply.story))
  const attachments = messageAttachments(value, story, Option.isSome(is_unsupported))
  return heard(
    messagePosted(speech, mid, body, {
      attachments: orUnsupported(body, attachments),
      parentExternalId: Option.flatMap(reply_to, ({ mid }) => mid),
      operationTag: speech.isOwn ? metadata : Option.none()
    })
  )
}

const asPostback = (value: unknown, speech: Speech): Reading => {
  const postback = readPostback(value)
  if (Result.isFailure(postback)) return unreadable(postback.failure)
  const { mid, title } = postback.success
  return heard(messagePosted(speech, mid, bodyText(Option.getOrElse(title, () => "")), {}))
}

/**
 * The words of an edit, which are never none. Beside each direct message, and at times instead of it, Instagram sends
 * an edit of number 0, mostly without a text: it says that the message is there, and nothing of its words
 * (social-networks.md §8). So does any edit without a text.
 */
const asEdit = (value: unknown, { at, route, source }: Occasion, arrivedAt: DateTime.Utc): Reading => {
  const edit = readEdit(value)
  if (Result.isFailure(edit)) return unreadable(edit.failure)
  const { mid, num_edit, text } = edit.success
  if (mid === testId) return ignored("test")
  const body = bodyText(Option.getOrElse(text, () => ""))
  if (Option.contains(num_edit, 0) || body === "") {
    // Messenger never sends one instead of its message.
    if (source !== "ig_dm") return ignored(body === "" ? "message_edit.without_text" : "message_edit.0")
    return heard(new Announced({ route, source, externalId: mid, toldAt: arrivedAt }))
  }
  const version = Option.getOrElse(num_edit, () => 1)
  return heard(new Edited({ route, source, externalId: mid, body, version, editedAt: at, whole: Option.none() }))
}

const read = { message: asMessage, postback: asPostback }

/** A message as an item, however it came. */
export const messagePosted = (
  speech: Speech,
  mid: string,
  body: string,
  more: {
    readonly author?: Partial<Person>
    readonly attachments?: ReadonlyArray<Attachment>
    readonly parentExternalId?: Option.Option<string>
    readonly operationTag?: Option.Option<string>
  }
): Posted =>
  new Posted({
    route: speech.route,
    source: speech.source,
    externalId: mid,
    replyTargetId: mid,
    threadKey: { _tag: "Known", key: speech.counterpartId },
    parentExternalId: more.parentExternalId ?? Option.none(),
    linkedPostId: Option.none(),
    author: { ...unknownPerson, ...more.author, id: Option.some(speech.authorId) },
    isOwn: speech.isOwn,
    body,
    attachments: more.attachments ?? [],
    receivedAt: speech.at,
    version: 0,
    editedAt: Option.none(),
    permalink: Option.none(),
    summons: Option.none(),
    operationTag: more.operationTag ?? Option.none(),
    isStandby: speech.isStandby
  })
