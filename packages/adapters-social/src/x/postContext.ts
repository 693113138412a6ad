import type { MediaContext } from "@loopbox/core/networks/MediaContext"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { Attachment } from "@loopbox/core/networks/InboundActivity"
import { asArray } from "../payloads/payload.ts"
import { readIncludes, readPost } from "./readPost.ts"
import { permalinkOf, shownText } from "./XPost.ts"

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
