import { HiddenChanged, Posted } from "@loopbox/core/networks/InboundActivity"
import type { Attachment } from "@loopbox/core/networks/InboundActivity"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { PolledElement } from "../payloads/PageCollector.ts"
import {
  Id,
  OptionalBoolean,
  OptionalId,
  OptionalLink,
  OptionalName,
  optionalPart,
  OptionalText,
  OptionalTime,
  reader
} from "../payloads/payload.ts"
import { eventVersion } from "../payloads/times.ts"
import { commentPosted, facebookRoute } from "./facebookComment.ts"

/** What is asked of a comment. */
export const commentFields = "id,message,from{id,name,picture},created_time,parent{id},attachment,is_hidden"

const Linked = Schema.Struct({ url: OptionalLink })
const Media = Schema.Struct({ image: optionalPart(Schema.Struct({ src: OptionalLink })), source: OptionalLink })

const readComment = reader(
  Schema.Struct({
    id: Id,
    message: OptionalText,
    from: optionalPart(
      Schema.Struct({ id: OptionalId, name: OptionalName, picture: optionalPart(Schema.Struct({ data: Linked })) })
    ),
    created_time: OptionalTime,
    parent: optionalPart(Schema.Struct({ id: Id })),
    attachment: optionalPart(Schema.Struct({ type: OptionalText, url: OptionalLink, media: optionalPart(Media) })),
    is_hidden: OptionalBoolean
  })
)
type Comment = Extract<ReturnType<typeof readComment>, { readonly _tag: "Success" }>["success"]

/** Meta's attachment types of comments by how they begin; what is not here is unsupported. */
const attachmentTypes: ReadonlyArray<readonly [string, Attachment["type"]]> = [
  ["photo", "image"],
  ["sticker", "image"],
  ["animated_image", "image"],
  ["video", "video"],
  ["share", "share"]
]

const attachmentsOf = ({ attachment }: Comment): ReadonlyArray<Attachment> =>
  Option.toArray(attachment).map(({ media, type, url }): Attachment => {
    const name = Option.getOrElse(type, () => "")
    const known = attachmentTypes.find(([begin]) => name.startsWith(begin))?.[1] ?? "unsupported"
    const image = Option.flatMap(
      Option.flatMap(media, ({ image }) => image),
      ({ src }) => src
    )
    const source = Option.flatMap(media, ({ source }) => source)
    return {
      type: known,
      url: Option.getOrNull(known === "image" ? Option.orElse(image, () => url) : Option.orElse(source, () => url))
    }
  })

/** Where comments were read: on a post, and below a comment if they are its answers. */
export interface CommentPlace {
  readonly accountId: string
  readonly postId: Option.Option<string>
  readonly rootId: Option.Option<string>
  readonly requestedAt: DateTime.Utc
}

/** A comment that was read. */
export interface PolledComment extends PolledElement {
  readonly posted: Posted
}

/** Reads one comment into the item that its webhook makes. */
export const readPolledComment =
  ({ accountId, postId, requestedAt, rootId }: CommentPlace) =>
  (element: unknown): Result.Result<PolledComment, string> =>
    Result.map(readComment(element), (comment) => {
      const { created_time, from, id, is_hidden, message, parent } = comment
      const picture = Option.flatMap(from, ({ picture }) => picture)
      const posted = commentPosted({
        accountId,
        id,
        postId,
        rootId,
        parentId: Option.orElse(
          Option.map(parent, ({ id }) => id),
          () => rootId
        ),
        author: {
          id: Option.flatMap(from, ({ id }) => id),
          name: Option.flatMap(from, ({ name }) => name),
          avatarUrl: Option.flatMap(picture, ({ data }) => data.url)
        },
        text: message,
        attachments: attachmentsOf(comment),
        at: Option.getOrElse(created_time, () => requestedAt),
        permalink: Option.none()
      })
      const hiding = Option.map(
        is_hidden,
        (isHidden) =>
          new HiddenChanged({
            route: facebookRoute(accountId),
            source: "fb_comment",
            externalId: id,
            isHidden,
            version: eventVersion(requestedAt, Option.none()),
            asOf: requestedAt
          })
      )
      return { id, posted, activities: [posted, ...Option.toArray(hiding)] }
    })

/** Replies made by API may be deeper than the two levels that people see, but not without end. */
export const deepestThread = 10

/**
 * The top of a comment's chain, as far as the page goes: none where it leads to a comment that is not on it, or in a
 * circle.
 */
const topOnPage = (byId: ReadonlyMap<string, Posted>, parentId: string): Option.Option<string> => {
  let id = parentId
  for (let level = 0; level < deepestThread; level++) {
    const key = byId.get(id)?.threadKey
    if (key === undefined) return Option.none()
    if (key._tag === "Known") return Option.some(key.key)
    id = key.parentExternalId
  }
  return Option.none()
}

/** The comments of one page, with the threads that the page itself tells. */
export const withThreads = (comments: ReadonlyArray<PolledComment>): ReadonlyArray<PolledComment> => {
  const byId = new Map(comments.map(({ id, posted }) => [id, posted]))
  return comments.map((comment) => {
    const { posted } = comment
    if (posted.threadKey._tag === "Known") return comment
    return Option.match(topOnPage(byId, posted.threadKey.parentExternalId), {
      onNone: () => comment,
      onSome: (key) => {
        const settled = new Posted({ ...posted, threadKey: { _tag: "Known", key } })
        return { ...comment, posted: settled, activities: [settled, ...comment.activities.slice(1)] }
      }
    })
  })
}
