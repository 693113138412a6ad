import type { MediaContext } from "@loopbox/core/networks/MediaContext"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  Id,
  OptionalLink,
  optionalPart,
  optionalParts,
  OptionalText,
  OptionalTime,
  reader
} from "../payloads/payload.ts"
import { bodyText } from "@loopbox/core/networks/networkText"
import { ThreadsMedia } from "./threadsPost.ts"

export const contextFields =
  "id,text,media_type,media_url,thumbnail_url,gif_url,permalink,timestamp,username,children{media_url,media_type}"

const readContext = reader(
  Schema.Struct({
    id: Id,
    text: OptionalText,
    permalink: OptionalLink,
    timestamp: OptionalTime,
    children: optionalPart(Schema.Struct({ data: optionalParts(ThreadsMedia) })),
    ...ThreadsMedia.fields
  })
)

const types: ReadonlyMap<string, MediaContext["mediaType"]> = new Map([
  ["TEXT_POST", "text"],
  ["TEXT", "text"],
  ["IMAGE", "image"],
  ["VIDEO", "video"],
  ["CAROUSEL_ALBUM", "carousel"]
])

/** What can be shown of a post: of a video its preview, where there is one. */
const pictureOf = ({ gif_url, media_url, thumbnail_url }: typeof ThreadsMedia.Type): Option.Option<string> =>
  Option.orElse(
    Option.orElse(thumbnail_url, () => media_url),
    () => gif_url
  )

/** A thread's root as the context of its replies (social-networks.md §4). */
export const threadContext = (body: unknown): Result.Result<MediaContext, string> =>
  Result.map(readContext(body), (post) => {
    const [first] = Option.match(post.children, { onNone: () => [], onSome: ({ data }) => data })
    const type = Option.flatMap(post.media_type, (name) => Option.fromUndefinedOr(types.get(name)))
    return {
      id: post.id,
      caption: Option.filter(Option.map(post.text, bodyText), (text) => text !== ""),
      mediaUrl: Option.orElse(pictureOf(post), () => (first === undefined ? Option.none() : pictureOf(first))),
      timestamp: post.timestamp,
      mediaType: Option.isSome(post.gif_url) ? "image" : Option.getOrElse(type, () => "unknown"),
      permalink: post.permalink
    }
  })
