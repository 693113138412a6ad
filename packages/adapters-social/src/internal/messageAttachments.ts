import type { Attachment } from "@loopbox/core/connectors/InboundActivity"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { asArray, OptionalLink, optionalPart, OptionalText, reader } from "./payload.ts"

const Linked = Schema.Struct({ url: OptionalLink })

const readAttachment = reader(Schema.Struct({ type: OptionalText, url: OptionalLink, payload: optionalPart(Linked) }))
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
  ["story_mention", "story"]
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
        Option.flatMap(payload, ({ url }) => url),
        () => url
      )
    )
  }
}

/** What hangs on a message: its attachments, the story that it answers, and what the network doesn't show us. */
export const messageAttachments = (
  message: unknown,
  story: Option.Option<unknown>,
  isUnsupported: boolean
): ReadonlyArray<Attachment> => [
  ...asArray(Predicate.isObject(message) ? message["attachments"] : undefined)
    .slice(0, mostAttachments)
    .map(asAttachment),
  ...Option.toArray(story).map((story): Attachment => {
    const read = readStory(story)
    return { type: "story", url: Result.isSuccess(read) ? Option.getOrNull(read.success.url) : null }
  }),
  ...(isUnsupported ? [unsupported] : [])
]
