import type { MediaContext } from "@loopbox/core/connectors/MediaContext"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { Attachment } from "@loopbox/core/connectors/InboundActivity"
import { asArray } from "../internal/payload.ts"
import { readIncludes, readPost } from "./readPost.ts"
import { permalinkOf, shownText } from "./XPost.ts"

/** The query of one post that others hang on (social-networks.md §4). */
export const contextQuery = {
  "tweet.fields": "author_id,created_at,entities,note_tweet,attachments,referenced_tweets,edit_history_tweet_ids",
  expansions: "author_id,attachments.media_keys",
  "user.fields": "name,username,profile_image_url",
  "media.fields": "type,url,preview_image_url,alt_text,width,height"
} as const

const kindOf = (attachments: ReadonlyArray<Attachment>): MediaContext["mediaType"] => {
  const [first] = attachments
  if (first === undefined) return "text"
  if (attachments.length > 1) return "carousel"
  return first.type === "image" || first.type === "video" ? first.type : "unknown"
}

/** A post as the context of its answers. */
export const postContext = (body: unknown): Result.Result<MediaContext, string> => {
  const content = Predicate.isObject(body) ? body : {}
  const includes = readIncludes(content["includes"])
  return Result.map(readPost(asArray(content["data"])[0], includes), (post) => ({
    id: post.id,
    caption: Option.filter(Option.some(shownText(post)), (text) => text !== ""),
    mediaUrl: Option.fromNullishOr(post.attachments[0]?.url),
    timestamp: post.createdAt,
    mediaType: kindOf(post.attachments),
    permalink: Option.some(permalinkOf(post))
  }))
}
