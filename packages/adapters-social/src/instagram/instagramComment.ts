import { Posted } from "@loopbox/core/networks/InboundActivity"
import type { AccountRoute, Person } from "@loopbox/core/networks/InboundActivity"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { orUnsupported } from "../meta/messageAttachments.ts"
import { bodyText } from "@loopbox/core/networks/networkText"

/** What is known of a comment, from wherever. */
export interface InstagramComment {
  readonly accountId: string
  readonly id: string
  /** The top comment that it answers. A reply to a reply names it too, so a parent is always the thread. */
  readonly parentId: Option.Option<string>
  readonly mediaId: Option.Option<string>
  /** The post that an ad shows, where the media is that ad. */
  readonly originalMediaId?: Option.Option<string>
  readonly author: Person
  readonly isOwn: boolean
  readonly text: Option.Option<string>
  readonly at: DateTime.Utc
}

export const instagramRoute = (accountId: string): AccountRoute => ({
  network: "instagram",
  accountId: Option.some(accountId),
  username: Option.none()
})

/**
 * A comment as an item: the same from a webhook, a poll and our own reply. One without words is a picture that moves, or
 * a sticker; Instagram tells nothing of it.
 */
export const commentPosted = (comment: InstagramComment): Posted => {
  const body = bodyText(Option.getOrElse(comment.text, () => ""))
  return new Posted({
    route: instagramRoute(comment.accountId),
    source: "ig_comment",
    externalId: comment.id,
    replyTargetId: comment.id,
    threadKey: { _tag: "Known", key: Option.getOrElse(comment.parentId, () => comment.id) },
    parentExternalId: Option.orElse(comment.parentId, () => comment.mediaId),
    linkedPostId: Option.orElse(comment.originalMediaId ?? Option.none(), () => comment.mediaId),
    author: comment.isOwn ? { ...comment.author, id: Option.some(comment.accountId) } : comment.author,
    isOwn: comment.isOwn,
    body,
    attachments: orUnsupported(body, []),
    receivedAt: comment.at,
    version: 0,
    editedAt: Option.none(),
    permalink: Option.none(),
    summons: Option.none(),
    operationTag: Option.none(),
    isStandby: false
  })
}
