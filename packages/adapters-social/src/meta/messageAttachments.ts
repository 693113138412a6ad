import type { Attachment } from "@loopbox/core/networks/InboundActivity"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { asArray, OptionalLink, optionalPart, OptionalText, reader } from "../payloads/payload.ts"

const Linked = Schema.Struct({ url: OptionalLink })

const Payload = Schema.Struct({ url: OptionalLink, story_media_url: OptionalLink })
const readAttachment = reader(Schema.Struct({ type: OptionalText, url: OptionalLink, payload: optionalPart(Payload) }))
const readStory = reader(Linked)

/** Meta's attachment types in the words of api.md §3; what is not here is unsupported. */
const types: ReadonlyMap<string, Attachment["type"]> = new Map([
  ["image", "image"],
  ["sticker", "image"],
  ["video", "video"],
  ["audio", "audio"],
  ["file", "file"],
  ["share", "share"],
  ["ig_post", "share"],
  ["ig_reel", "share"],
  ["reel", "share"],
  ["fallback", "share"],
  ["story_mention", "story"],
  ["ig_story", "story"]
])

/** No message has more; what stands behind is left out. */
const mostAttachments = 100

const unsupported: Attachment = { type: "unsupported", url: null }

const asAttachment = (value: unknown): Attachment => {
  const attachment = readAttachment(value)
  if (Result.isFailure(attachment)) return unsupported
  const { payload, type, url } = attachment.success
  return {
    type: Option.getOrElse(
      Option.flatMap(type, (type) => Option.fromUndefinedOr(types.get(type))),
      () => "unsupported" as const
    ),
    url: Option.getOrNull(
      Option.orElse(
        Option.flatMap(payload, ({ story_media_url, url }) => Option.orElse(url, () => story_media_url)),
        () => url
      )
    )
  }
}

const readPolled = reader(
  Schema.Struct({
    mime_type: OptionalText,
    image_data: optionalPart(Linked),
    video_data: optionalPart(Linked),
    file_url: OptionalLink
  })
)

/** An attachment as conversations have it: not a type and a payload, but a member named for what it is. */
const asPolledAttachment = (value: unknown): Attachment => {
  const read = readPolled(value)
  if (Result.isFailure(read)) return unsupported
  const { file_url, image_data, mime_type, video_data } = read.success
  const kind = Option.match(mime_type, { onNone: () => "", onSome: (type) => type.slice(0, type.indexOf("/")) })
  const linked = (
    type: Attachment["type"],
    data: Option.Option<{ readonly url: Option.Option<string> }>
  ): Attachment => ({
    type,
    url: Option.getOrNull(
      Option.orElse(
        Option.flatMap(data, ({ url }) => url),
        () => file_url
      )
    )
  })
  if (Option.isSome(image_data) || kind === "image") return linked("image", image_data)
  if (Option.isSome(video_data) || kind === "video") return linked("video", video_data)
  if (kind === "audio") return linked("audio", Option.none())
  return Option.isSome(file_url) ? linked("file", Option.none()) : asAttachment(value)
}

/** A story that a message answers. */
const storyAttachment = (story: unknown): Attachment => {
  const read = readStory(story)
  return { type: "story", url: Result.isSuccess(read) ? Option.getOrNull(read.success.url) : null }
}

const dataOf = (value: unknown): ReadonlyArray<unknown> =>
  asArray(Predicate.isObject(value) && "data" in value ? value["data"] : value).slice(0, mostAttachments)

const Link = optionalPart(Schema.Struct({ link: OptionalLink }))

/** What a polled message has beside its attachments: a webhook puts all of it among them, or with what it answers. */
const readBeside = reader(
  Schema.Struct({
    story: optionalPart(Schema.Struct({ mention: Link, reply_to: Link })),
    sticker: OptionalLink
  })
)
const readShare = reader(Schema.Struct({ link: OptionalLink }))

const asShare = (value: unknown): Attachment => {
  const read = readShare(value)
  return { type: "share", url: Result.isSuccess(read) ? Option.getOrNull(read.success.link) : null }
}

/** What hangs on a message that was read from its conversation: its members of these names, and what is not shown. */
export const polledAttachments = (message: unknown, isUnsupported: boolean): ReadonlyArray<Attachment> => {
  if (!Predicate.isObject(message)) return []
  const beside = readBeside(message)
  const { sticker, story } = Result.getOrElse(beside, () => ({ sticker: Option.none(), story: Option.none() }))
  const all = [
    ...dataOf(message["attachments"]).map(asPolledAttachment),
    ...Option.toArray(sticker).map((url): Attachment => ({ type: "image", url })),
    ...Option.toArray(story).flatMap(({ mention, reply_to }) =>
      [mention, reply_to].flatMap(Option.toArray).map(({ link }): Attachment => ({
        type: "story",
        url: Option.getOrNull(link)
      }))
    ),
    ...dataOf(message["shares"]).map(asShare),
    ...(isUnsupported ? [unsupported] : [])
  ]
  // A sticker is told as a share or an attachment, too, by the same URL.
  return all.filter(({ url }, i) => url === null || all.findIndex((other) => other.url === url) === i)
}

/** What an item shows: a message without anything that we know has something that we don't. */
export const orUnsupported = (body: string, attachments: ReadonlyArray<Attachment>): ReadonlyArray<Attachment> =>
  body === "" && attachments.length === 0 ? [unsupported] : attachments

/** What hangs on a message: its attachments, the story that it answers, and what the network doesn't show us. */
export const messageAttachments = (
  message: unknown,
  story: Option.Option<unknown>,
  isUnsupported: boolean
): ReadonlyArray<Attachment> => [
  ...asArray(Predicate.isObject(message) ? message["attachments"] : undefined)
    .slice(0, mostAttachments)
    .map(asAttachment),
  ...Option.toArray(story).map(storyAttachment),
  ...(isUnsupported ? [unsupported] : [])
]
