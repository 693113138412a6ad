import { Deleted, Edited, HiddenChanged } from "@loopbox/core/networks/InboundActivity"
import type { Attachment, Posted } from "@loopbox/core/networks/InboundActivity"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { heard, ignored, unreadable } from "../payloads/Collector.ts"
import type { Reading } from "../payloads/Collector.ts"
import { readMessaging } from "../meta/messaging.ts"
import type { MetaEntry, MetaReader } from "../meta/metaWebhook.ts"
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
} from "../payloads/payload.ts"
import { linkText } from "@loopbox/core/networks/networkText"
import { eventVersion } from "../payloads/times.ts"
import { commentPosted, type Edition, facebookRoute } from "./facebookComment.ts"

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

const picture = (value: unknown): ReadonlyArray<Attachment> => {
  if (!Predicate.isObject(value)) return []
  const of = (type: Attachment["type"], member: string): ReadonlyArray<Attachment> =>
    asArray(value[member])
      .filter(Predicate.isString)
      .slice(0, 20)
      .map((url) => ({ type, url: Option.getOrNull(linkText(url)) }))
  return [...of("image", "photo"), ...of("image", "photos"), ...of("video", "video")]
}

const posted = (entry: MetaEntry, value: unknown, comment: Comment, at: DateTime.Utc, edition?: Edition): Posted =>
  commentPosted(
    {
      accountId: entry.accountId,
      id: comment.comment_id,
      postId: comment.post_id,
      parentId: comment.parent_id,
      rootId: Option.none(),
      author: {
        id: Option.orElse(
          Option.flatMap(comment.from, ({ id }) => id),
          () => comment.sender_id
        ),
        name: Option.orElse(
          Option.flatMap(comment.from, ({ name }) => name),
          () => comment.sender_name
        ),
        avatarUrl: Option.none()
      },
      text: comment.message,
      attachments: picture(value),
      at,
      permalink: comment.permalink_url
    },
    edition
  )

const readVerb = (entry: MetaEntry, verb: string, value: unknown): Reading => {
  const read = readComment(value)
  if (Result.isFailure(read)) return unreadable(read.failure)
  const comment = read.success
  const at = Option.getOrElse(
    Option.orElse(comment.created_time, () => entry.sentAt),
    () => entry.arrivedAt
  )
  const head = { route: facebookRoute(entry.accountId), source: "fb_comment", externalId: comment.comment_id } as const
  const version = eventVersion(at, entry.sentAt)
  // An edit may carry the time of its comment.
  const asOf = Option.isSome(entry.sentAt) ? DateTime.max(at, entry.sentAt.value) : at
  if (verb === "add") return heard(posted(entry, value, comment, at))
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
