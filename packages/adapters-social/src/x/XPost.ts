import { Posted } from "@loopbox/core/networks/InboundActivity"
import type { Attachment, Person, ThreadKey } from "@loopbox/core/networks/InboundActivity"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { heard, ignored } from "../payloads/Collector.ts"
import type { Reading } from "../payloads/Collector.ts"
import { postText } from "./postText.ts"
import type { PostLink } from "./postText.ts"
import { summonsOf } from "./summonsOf.ts"
import type { PostMention } from "./summonsOf.ts"

/** A post of X, of whichever shape it came in. */
export interface XPost {
  readonly id: string
  /** Ids of all its versions, oldest first; at least its own. */
  readonly history: readonly [string, ...ReadonlyArray<string>]
  readonly author: Person
  readonly createdAt: Option.Option<DateTime.Utc>
  /** None in the old shape. */
  readonly conversationId: Option.Option<string>
  readonly repliedToId: Option.Option<string>
  readonly inReplyToUserId: Option.Option<string>
  /** Who wrote the post that it answers, from wherever that is told. */
  readonly repliedToAuthorId: Option.Option<string>
  readonly isRepost: boolean
  readonly quoted: ReadonlyArray<{ readonly id: string; readonly authorId: Option.Option<string> }>
  readonly text: string
  readonly links: ReadonlyArray<PostLink>
  readonly mentions: Option.Option<ReadonlyArray<PostMention>>
  readonly displayStart: Option.Option<number>
  readonly attachments: ReadonlyArray<Attachment>
}

/** For whom a post came, and what its event proves. */
export interface Addressee {
  readonly accountId: string
  readonly username: Option.Option<string>
  readonly isKnownSummons: boolean
  readonly arrivedAt: DateTime.Utc
}

/** The key, where the post tells it. A root that was edited keeps the id of its first version. */
const threadOf = (post: XPost): ThreadKey => {
  if (Option.isSome(post.conversationId) && !post.history.includes(post.conversationId.value)) {
    return { _tag: "Known", key: post.conversationId.value }
  }
  return Option.isSome(post.repliedToId) && Option.isNone(post.conversationId)
    ? { _tag: "RootOf", parentExternalId: post.repliedToId.value }
    : { _tag: "Known", key: post.history[0] }
}

/** Built, for X gives none. */
export const permalinkOf = (post: Pick<XPost, "id" | "author">): string => {
  const handle = Option.getOrElse(
    Option.filter(post.author.username, (name) => /^\w+$/.test(name)),
    () => "i"
  )
  return `https://x.com/${handle}/status/${post.id}`
}

/** What a reader of a post sees. */
export const shownText = (post: XPost): string =>
  postText(
    post.text,
    post.links,
    post.quoted.map(({ id }) => id)
  )

/**
 * Whether the conversation is known to be the account's: the post answers the one that began it, whose author X names.
 * Of deeper answers only the one that they answer is named.
 */
const isOnOwnPost = ({ conversationId, repliedToAuthorId, repliedToId }: XPost, { accountId }: Addressee): boolean =>
  Option.isSome(conversationId) &&
  Option.contains(repliedToId, conversationId.value) &&
  Option.contains(repliedToAuthorId, accountId)

/** The item that a post is for an account; a repost is none, and neither is an own post that answers nothing. */
export const postReading = (post: XPost, to: Addressee): Reading => {
  if (post.isRepost) return ignored("repost")
  const isOwn = Option.contains(post.author.id, to.accountId)
  if (isOwn && Option.isNone(post.repliedToId)) return ignored("post.own")
  const externalId = post.history[0]
  const threadKey = threadOf(post)
  const version = post.history.length - 1
  const at = Option.getOrElse(post.createdAt, () => to.arrivedAt)
  return heard(
    new Posted({
      route: { network: "x", accountId: Option.some(to.accountId), username: Option.none() },
      source: "x_reply",
      externalId,
      replyTargetId: post.history.at(-1) ?? post.id,
      threadKey,
      parentExternalId: post.repliedToId,
      linkedPostId:
        threadKey._tag === "Known" && threadKey.key !== externalId ? Option.some(threadKey.key) : Option.none(),
      author: post.author,
      isOwn,
      body: shownText(post),
      attachments: post.attachments,
      receivedAt: at,
      version,
      editedAt: version === 0 ? Option.none() : Option.some(at),
      permalink: Option.some(permalinkOf(post)),
      summons: Option.some(
        summonsOf(
          {
            mentions: post.mentions,
            displayStart: post.displayStart,
            isReply: Option.isSome(post.repliedToId),
            quotedAuthorIds: post.quoted.map(({ authorId }) => authorId),
            isKnownSummons: to.isKnownSummons
          },
          { id: to.accountId, username: to.username }
        )
      ),
      isOnOwnPost: isOnOwnPost(post, to),
      operationTag: Option.none(),
      isStandby: false
    })
  )
}

/** The larger picture of a profile; X names the small one. */
export const largerAvatar = (url: string): string => url.replace(/_normal(\.\w+)$/, "_400x400$1")
