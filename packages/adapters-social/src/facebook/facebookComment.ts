import { Posted } from "@loopbox/core/networks/InboundActivity"
import type { AccountRoute, Attachment, Person, ThreadKey } from "@loopbox/core/networks/InboundActivity"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { orUnsupported } from "../meta/messageAttachments.ts"
import { bodyText } from "@loopbox/core/networks/networkText"

/** What is known of a comment, from wherever. */
export interface FacebookComment {
  readonly accountId: string
  readonly id: string
  readonly postId: Option.Option<string>
  /** What it answers: a comment, or the post. */
  readonly parentId: Option.Option<string>
  /** The top of its thread, where that is known. */
  readonly rootId: Option.Option<string>
  readonly author: Pick<Person, "id" | "name" | "avatarUrl">
  readonly text: Option.Option<string>
  readonly attachments: ReadonlyArray<Attachment>
  readonly at: DateTime.Utc
  readonly permalink: Option.Option<string>
}

export const facebookRoute = (accountId: string): AccountRoute => ({
  network: "facebook",
  accountId: Option.some(accountId),
  username: Option.none()
})

/** The post that a parent is, if it is one: the comment's own, under its long or short name, or a photo of the Page. */
const postNamed = (accountId: string, parentId: string, postId: Option.Option<string>): Option.Option<string> =>
  Option.orElse(
    Option.filter(postId, (postId) => postId === parentId || postId.endsWith(`_${parentId}`)),
    () => (parentId.startsWith(`${accountId}_`) ? Option.some(parentId) : Option.none())
  )

/** What a comment answers, and in which thread: a comment on a post begins one. */
const placeOf = ({
  accountId,
  id,
  parentId,
  postId,
  rootId
}: FacebookComment): { readonly threadKey: ThreadKey; readonly parentExternalId: Option.Option<string> } => {
  const post = Option.match(parentId, {
    onNone: () => postId,
    onSome: (parentId) => postNamed(accountId, parentId, postId)
  })
  if (Option.isSome(rootId)) return { threadKey: { _tag: "Known", key: rootId.value }, parentExternalId: parentId }
  return Option.isSome(parentId) && Option.isNone(post)
    ? { threadKey: { _tag: "RootOf", parentExternalId: parentId.value }, parentExternalId: parentId }
    : { threadKey: { _tag: "Known", key: id }, parentExternalId: post }
}

/** Which of its wordings a comment has. */
export type Edition = Pick<Posted, "version" | "editedAt">

const asFirstWritten: Edition = { version: 0, editedAt: Option.none() }

/** A comment as an item: the same from a webhook, a poll and our own reply. */
export const commentPosted = (comment: FacebookComment, edition: Edition = asFirstWritten): Posted => {
  const body = bodyText(Option.getOrElse(comment.text, () => ""))
  return new Posted({
    route: facebookRoute(comment.accountId),
    source: "fb_comment",
    externalId: comment.id,
    replyTargetId: comment.id,
    ...placeOf(comment),
    linkedPostId: comment.postId,
    author: { ...comment.author, username: Option.none() },
    isOwn: Option.contains(comment.author.id, comment.accountId),
    body,
    attachments: orUnsupported(body, comment.attachments),
    receivedAt: comment.at,
    ...edition,
    permalink: comment.permalink,
    summons: Option.none(),
    operationTag: Option.none(),
    isStandby: false
  })
}
