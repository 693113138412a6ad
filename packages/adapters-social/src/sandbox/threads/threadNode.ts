import * as Option from "effect/Option"
import { GraphNode } from "../graph/graphFields.ts"
import type { AccountScene } from "../Operation.ts"
import { offsetIso } from "../times.ts"
import { isVisible } from "../World.ts"
import { mediaType } from "./publishing.ts"
import type { Writing } from "../Writing.ts"

const reference = (id: string): GraphNode => new GraphNode("Media", ["id"], { id })

/** One that was hidden is not what it was before. */
const hideStatus = ({ isHidden, wasHidden }: Writing): string => {
  if (isHidden) return "HIDDEN"
  return wasHidden ? "UNHUSHED" : "NOT_HUSHED"
}

/** A thread, or a reply in one. */
export const threadNode = ({ account, at, world }: AccountScene, writing: Writing): GraphNode => {
  const { author, id, isOwn, parentId, postId, posted, text, writtenAt } = writing
  const rootId = Option.getOrUndefined(postId)
  const isReply = rootId !== undefined
  const answers = isReply ? world.answersTo("threads", id) : world.ofPost("threads", id)
  return new GraphNode("Media", ["id"], {
    id,
    text,
    username: author.username,
    timestamp: offsetIso(writtenAt),
    media_product_type: "THREADS",
    media_type: mediaType(posted),
    permalink: `https://www.threads.com/@${author.username}/post/${id}`,
    shortcode: id,
    profile_picture_url: author.avatarUrl,
    is_verified: false,
    is_quote_post: false,
    is_reply: isReply,
    is_reply_owned_by_me: isReply && isOwn && author.id === account.accountId,
    has_replies: answers.some((one) => isVisible(one, at)),
    hide_status: isReply ? hideStatus(writing) : undefined,
    root_post: rootId === undefined ? undefined : reference(rootId),
    replied_to: rootId === undefined ? undefined : reference(Option.getOrElse(parentId, () => rootId)),
    owner: isOwn ? reference(author.id) : undefined,
    reply_audience: isReply ? undefined : "EVERYONE",
    media_url: Option.getOrUndefined(Option.map(posted, () => `https://media.example/threads/${id}`)),
    thumbnail_url: undefined,
    gif_url: undefined,
    alt_text: Option.getOrUndefined(Option.flatMap(posted, ({ altTexts }) => Option.fromUndefinedOr(altTexts[0]))),
    children: undefined,
    link_attachment_url: undefined,
    poll_attachment: undefined,
    quoted_post: undefined,
    reposted_post: undefined,
    topic_tag: undefined
  })
}
