import { Deleted, Edited, HiddenChanged, Posted } from "@loopbox/core/connectors/InboundActivity"
import type { AccountRoute, Attachment, ThreadKey } from "@loopbox/core/connectors/InboundActivity"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { heard, ignored, unreadable } from "../internal/Collector.ts"
import type { Reading } from "../internal/Collector.ts"
import { readMessaging } from "../internal/messaging.ts"
import type { MetaEntry, MetaReader } from "../internal/metaWebhook.ts"
import {
  asArray,
  Id,
  OptionalId,
  OptionalLink,
  OptionalName,
  optionalPart,
  OptionalText,
  OptionalTime,
  reader
} from "../internal/payload.ts"
import { bodyText, linkText } from "../internal/text.ts"
import { eventVersion } from "../internal/times.ts"

const readChange = reader(Schema.Struct({ item: OptionalText, verb: OptionalText }))

const readComment = reader(
  Schema.Struct({
    comment_id: Id,
    post_id: OptionalId,
    parent_id: OptionalId,
    created_time: OptionalTime,
    message: OptionalText,
    permalink_url: OptionalLink,
    from: optionalPart(Schema.Struct({ id: OptionalId, name: OptionalName })),
    // Older apps get the author flat, the id as a number.
    sender_id: OptionalId,
    sender_name: OptionalName
  })
)
type Comment = Extract<ReturnType<typeof readComment>, { readonly _tag: "Success" }>["success"]

const routeOf = (entry: MetaEntry): AccountRoute => ({
  network: "facebook",
  accountId: Option.some(entry.accountId),
  username: Option.none()
})

/** The post that a parent is, if it is one: the comment's own, under its long or short name, or a photo of the Page. */
const postNamed = (entry: MetaEntry, parentId: string, postId: Option.Option<string>): Option.Option<string> =>
  Option.orElse(
    Option.filter(postId, (postId) => postId === parentId || postId.endsWith(`_${parentId}`)),
    () => (parentId.startsWith(`${entry.accountId}_`) ? Option.some(parentId) : Option.none())
  )

/** What a comment answers, and in which thread: a comment on a post begins one. */
const placeOf = (
  entry: MetaEntry,
  { comment_id, parent_id, post_id }: Comment
): { readonly threadKey: ThreadKey; readonly parentExternalId: Option.Option<string> } => {
  const post = Option.match(parent_id, {
    onNone: () => post_id,
    onSome: (parentId) => postNamed(entry, parentId, post_id)
  })
  return Option.isSome(parent_id) && Option.isNone(post)
    ? { threadKey: { _tag: "RootOf", parentExternalId: parent_id.value }, parentExternalId: parent_id }
    : { threadKey: { _tag: "Known", key: comment_id }, parentExternalId: post }
}

const picture = (value: unknown): ReadonlyArray<Attachment> => {
  if (!Predicate.isObject(value)) return []
  const of = (type: Attachment["type"], member: string): ReadonlyArray<Attachment> =>
    asArray(value[member])
      .filter(Predicate.isString)
      .slice(0, 20)
      .map((url) => ({ type, url: Option.getOrNull(linkText(url)) }))
  return [...of("image", "photo"), ...of("image", "photos"), ...of("video", "video")]
}

const posted = (
  entry: MetaEntry,
  value: unknown,
  comment: Comment,
  at: DateTime.Utc,
  { editedAt, version }: Pick<Posted, "version" | "editedAt">
): Posted => {
  const authorId = Option.orElse(
    Option.flatMap(comment.from, ({ id }) => id),
    () => comment.sender_id
  )
  return new Posted({
    route: routeOf(entry),
    source: "fb_comment",
    externalId: comment.comment_id,
    replyTargetId: comment.comment_id,
    ...placeOf(entry, comment),
    linkedPostId: comment.post_id,
    author: {
      id: authorId,
      name: Option.orElse(
        Option.flatMap(comment.from, ({ name }) => name),
        () => comment.sender_name
      ),
      username: Option.none(),
      avatarUrl: Option.none()
    },
    isOwn: Option.contains(authorId, entry.accountId),
    body: bodyText(Option.getOrElse(comment.message, () => "")),
    attachments: picture(value),
    receivedAt: at,
    version,
    editedAt,
    permalink: comment.permalink_url,
    summons: Option.none(),
    operationTag: Option.none(),
    isStandby: false
  })
}

const readVerb = (entry: MetaEntry, verb: string, value: unknown): Reading => {
  const read = readComment(value)
  if (Result.isFailure(read)) return unreadable(read.failure)
  const comment = read.success
  const at = Option.getOrElse(
    Option.orElse(comment.created_time, () => entry.sentAt),
    () => entry.arrivedAt
  )
  const head = { route: routeOf(entry), source: "fb_comment", externalId: comment.comment_id } as const
  const version = eventVersion(at, entry.sentAt)
  // An edit may carry the time of its comment.
  const asOf = Option.isSome(entry.sentAt) ? DateTime.max(at, entry.sentAt.value) : at
  if (verb === "add") return heard(posted(entry, value, comment, at, { version: 0, editedAt: Option.none() }))
  if (verb === "edited" || verb === "edit") {
    const whole = posted(entry, value, comment, at, { version, editedAt: Option.some(asOf) })
    return heard(new Edited({ ...head, body: whole.body, version, editedAt: asOf, whole: Option.some(whole) }))
  }
  if (verb === "remove") return heard(new Deleted(head))
  // Whoever hid it stands in `from`, not its author.
  if (verb === "hide" || verb === "unhide") {
    return heard(new HiddenChanged({ ...head, isHidden: verb === "hide", version, asOf }))
  }
  return ignored(`feed.comment.${verb}`)
}

const change = (entry: MetaEntry, field: string, value: unknown): Reading => {
  if (field !== "feed") return ignored(field)
  const head = readChange(value)
  if (Result.isFailure(head)) return unreadable(head.failure)
  const item = Option.getOrElse(head.success.item, () => "none")
  const verb = Option.getOrElse(head.success.verb, () => "none")
  return item === "comment" ? readVerb(entry, verb, value) : ignored(`feed.${item}`)
}

/** Facebook's part of Meta's webhook: comments on a Page's posts, and Messenger (§1.3). */
export const facebookReader: MetaReader = {
  change,
  message: (entry, element, isStandby) => readMessaging("fb_dm", entry, element, isStandby)
}
