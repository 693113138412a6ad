import type { MediaContext } from "@loopbox/core/networks/MediaContext"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { captionOf } from "../meta/captionOf.ts"
import { OptionalLink, optionalPart, optionalParts, OptionalText, OptionalTime, reader } from "../payloads/payload.ts"

/** What is asked of a post. */
export const postFields =
  "id,message,story,permalink_url,full_picture,created_time,attachments{media_type,media{image{src}}}"

const Media = Schema.Struct({ image: optionalPart(Schema.Struct({ src: OptionalLink })) })
const Shown = Schema.Struct({ media_type: OptionalText, media: optionalPart(Media) })

const readPost = reader(
  Schema.Struct({
    message: OptionalText,
    story: OptionalText,
    permalink_url: OptionalLink,
    full_picture: OptionalLink,
    created_time: OptionalTime,
    attachments: optionalPart(Schema.Struct({ data: optionalParts(Shown) }))
  })
)

const mediaTypes: ReadonlyMap<string, MediaContext["mediaType"]> = new Map([
  ["photo", "image"],
  ["video", "video"],
  ["album", "carousel"]
])

/** A post as api.md §3 shows it; one that nothing hangs on is text (social-networks.md §8). */
export const readMediaContext =
  (id: string) =>
  (value: unknown): Result.Result<MediaContext, string> =>
    Result.map(readPost(value), ({ attachments, created_time, full_picture, message, permalink_url, story }) => {
      const first = Option.flatMap(attachments, ({ data }) => Option.fromUndefinedOr(data[0]))
      const image = Option.flatMap(
        Option.flatMap(
          Option.flatMap(first, ({ media }) => media),
          ({ image }) => image
        ),
        ({ src }) => src
      )
      const type = Option.flatMap(first, ({ media_type }) => media_type)
      return {
        id,
        caption: Option.orElse(captionOf(message), () => captionOf(story)),
        mediaUrl: Option.orElse(full_picture, () => image),
        timestamp: created_time,
        mediaType: Option.match(first, {
          onNone: () => (Option.isSome(full_picture) ? "unknown" : "text"),
          onSome: () =>
            Option.getOrElse(
              Option.flatMap(type, (type) => Option.fromUndefinedOr(mediaTypes.get(type))),
              () => "unknown" as const
            )
        }),
        permalink: permalink_url
      }
    })
