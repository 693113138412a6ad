import type { FeedPage } from "@loopbox/core/networks/Feed"
import { type Attachment, isIdOf } from "@loopbox/core/networks/InboundActivity"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { GraphPage } from "./graphPage.ts"
import { orUnsupported, polledAttachments } from "./messageAttachments.ts"
import { messagePosted, messageRoute } from "./messaging.ts"
import { earliest, PageCollector } from "../payloads/PageCollector.ts"
import type { PolledElement } from "../payloads/PageCollector.ts"
import {
  Id,
  OptionalFlag,
  OptionalId,
  OptionalName,
  optionalPart,
  optionalParts,
  OptionalText,
  OptionalTime,
  reader
} from "../payloads/payload.ts"
import { bodyText } from "@loopbox/core/networks/networkText"

export type MessageSource = "ig_dm" | "fb_dm"

const Speaker = Schema.Struct({ id: OptionalId, name: OptionalName, username: OptionalName })
type Speaker = typeof Speaker.Type

const readMessage = reader(
  Schema.Struct({
    id: Id,
    created_time: OptionalTime,
    from: optionalPart(Speaker),
    to: optionalPart(Schema.Struct({ data: optionalParts(Speaker) })),
    message: OptionalText,
    reply_to: optionalPart(Schema.Struct({ mid: OptionalId, id: OptionalId })),
    is_unsupported: OptionalFlag
  })
)
type Message = Extract<ReturnType<typeof readMessage>, { readonly _tag: "Success" }>["success"]

/** Whether someone who stands in a conversation is the account: by one of its ids, or by the handle that is its alone. */
export const isAccount = (access: AccountAccess, speaker: Speaker): boolean =>
  Option.exists(speaker.id, (id) => isIdOf(access, id)) ||
  Option.exists(access.username, (own) =>
    Option.exists(speaker.username, (name) => name.toLowerCase() === own.toLowerCase())
  )

/** Only the newest 20 messages of a conversation have more than an id; what is older counts as there, and no more. */
const hasDetails = ({ from, is_unsupported, message }: Message, attachments: ReadonlyArray<Attachment>): boolean =>
  Option.isSome(from) || Option.isSome(message) || attachments.length > 0 || Option.isSome(is_unsupported)

/** Who speaks, and with whom; the one who is missing is told by the conversation. */
const sidesOf = (
  access: AccountAccess,
  { from, to }: Message,
  counterpartId: Option.Option<string>
): Option.Option<{ readonly isOwn: boolean; readonly counterpartId: string }> => {
  const recipients = Option.match(to, { onNone: () => [], onSome: ({ data }) => data })
  const isOwn = Option.match(from, {
    onNone: () => recipients.length > 0 && !recipients.some((one) => isAccount(access, one)),
    onSome: (speaker) => isAccount(access, speaker)
  })
  const named = isOwn
    ? Option.flatMap(Option.fromUndefinedOr(recipients.find((one) => !isAccount(access, one))), ({ id }) => id)
    : Option.flatMap(from, ({ id }) => id)
  return Option.map(
    Option.orElse(counterpartId, () => named),
    (id) => ({ isOwn, counterpartId: id })
  )
}

const readPolled =
  (source: MessageSource, access: AccountAccess, counterpartId: Option.Option<string>, requestedAt: DateTime.Utc) =>
  (element: unknown): Result.Result<PolledElement & { readonly at: Option.Option<DateTime.Utc> }, string> =>
    Result.flatMap(readMessage(element), (message) => {
      const { created_time, from, id } = message
      const attachments = polledAttachments(element, Option.isSome(message.is_unsupported))
      if (!hasDetails(message, attachments)) return Result.succeed({ id, activities: [], at: Option.none() })
      const sides = sidesOf(access, message, counterpartId)
      if (Option.isNone(sides)) return Result.fail("missing or unreadable: from.id")
      const { isOwn } = sides.value
      const body = bodyText(Option.getOrElse(message.message, () => ""))
      const speech = {
        route: messageRoute(source, access.networkAccountId),
        source,
        isOwn,
        authorId: isOwn ? access.networkAccountId : sides.value.counterpartId,
        counterpartId: sides.value.counterpartId,
        at: Option.getOrElse(created_time, () => requestedAt),
        isStandby: false
      }
      const posted = messagePosted(speech, id, body, {
        author: {
          name: Option.flatMap(from, ({ name }) => name),
          username: Option.flatMap(from, ({ username }) => username)
        },
        attachments: orUnsupported(body, attachments),
        parentExternalId: Option.flatMap(message.reply_to, ({ id, mid }) => Option.orElse(mid, () => id))
      })
      return Result.succeed({ id, activities: [posted], at: Option.some(speech.at) })
    })

/** The items of one page of a conversation, the same as its webhooks make (social-networks.md §5). */
export const messagePage = (
  source: MessageSource,
  access: AccountAccess,
  counterpartId: Option.Option<string>,
  { elements, isLinked, next }: GraphPage,
  requestedAt: DateTime.Utc
): FeedPage => {
  const collector = new PageCollector(requestedAt)
  const read = readPolled(source, access, counterpartId, requestedAt)
  const messages = elements.map(read)
  messages.forEach((message, i) => collector.add(`data[${i}]`, message))
  const moments = messages.flatMap((message) => (Result.isSuccess(message) ? Option.toArray(message.success.at) : []))
  const endsHere = messages.some((message) => Result.isSuccess(message) && Option.isNone(message.success.at))
  return collector.finish(
    endsHere ? Option.none() : next,
    endsHere || isLinked ? Option.orElse(earliest(moments), () => Option.some(requestedAt)) : Option.none()
  )
}
