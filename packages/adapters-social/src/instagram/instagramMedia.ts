import type { MediaContext } from "@loopbox/core/networks/MediaContext"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { captionOf } from "../meta/captionOf.ts"
import { OptionalLink, optionalPart, optionalParts, OptionalText, OptionalTime, reader } from "../payloads/payload.ts"

/** What is asked of a post. */
export const mediaFields =
  "id,caption,media_type,media_url,thumbnail_url,permalink,timestamp,children{media_type,media_url,thumbnail_url}"

const picture = { media_type: OptionalText, media_url: OptionalLink, thumbnail_url: OptionalLink }
const Child = Schema.Struct(picture)

const readMedia = reader(
  Schema.Struct({
    ...picture,
    caption: OptionalText,
    permalink: OptionalLink,
    timestamp: OptionalTime,
    children: optionalPart(Schema.Struct({ data: optionalParts(Child) }))
  })
)

const mediaTypes: ReadonlyMap<string, MediaContext["mediaType"]> = new Map([
  ["IMAGE", "image"],
  ["VIDEO", "video"],
  ["CAROUSEL_ALBUM", "carousel"]
])

/** The picture of a post: of a video its preview, never the video; none where it is flagged for copyright. */
const pictureOf = ({ media_type, media_url, thumbnail_url }: typeof Child.Type): Option.Option<string> =>
  Option.contains(media_type, "VIDEO") ? thumbnail_url : Option.orElse(media_url, () => thumbnail_url)

/** A post as api.md §3 shows it; a carousel by its first child. */
export const readMediaContext =
  (id: string) =>
  (value: unknown): Result.Result<MediaContext, string> =>
    Result.map(readMedia(value), (media) => {
      const { caption, children, media_type, permalink, timestamp } = media
      const first = Option.flatMap(children, ({ data }) => Option.fromUndefinedOr(data[0]))
      return {
        id,
        caption: captionOf(caption),
        mediaUrl: Option.orElse(Option.flatMap(first, pictureOf), () => pictureOf(media)),
        timestamp,
        mediaType: Option.getOrElse(
          Option.flatMap(media_type, (type) => Option.fromUndefinedOr(mediaTypes.get(type))),
          () => "unknown" as const
        ),
        permalink
      }
    })
