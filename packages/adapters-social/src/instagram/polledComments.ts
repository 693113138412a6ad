import { HiddenChanged } from "@loopbox/core/networks/InboundActivity"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { PolledElement } from "../payloads/PageCollector.ts"
import {
  Id,
  OptionalBoolean,
  OptionalId,
  OptionalName,
  optionalPart,
  OptionalText,
  OptionalTime,
  reader
} from "../payloads/payload.ts"
import { isAccount } from "../meta/polledMessages.ts"
import { eventVersion } from "../payloads/times.ts"
import { commentPosted, instagramRoute } from "./instagramComment.ts"

const one = "id,text,timestamp,username,from{id,username},parent_id,hidden"
/** What is asked of a reply. */
export const replyFields = one
/** What is asked of a comment: itself, and the first of its replies. */
export const commentFields = `${one},replies{${one}}`

const readComment = reader(
  Schema.Struct({
    id: Id,
    text: OptionalText,
    timestamp: OptionalTime,
    username: OptionalName,
    from: optionalPart(Schema.Struct({ id: OptionalId, username: OptionalName, self_ig_scoped_id: OptionalId })),
    parent_id: OptionalId,
    hidden: OptionalBoolean,
    replies: Schema.optionalKey(Schema.Unknown)
  })
)

/** A comment that was read, with what leads to its replies. */
export interface PolledComment extends PolledElement {
  readonly at: DateTime.Utc
  /** The first page of its replies, as it came. */
  readonly replies: unknown
}

/** Where comments were read: under a post, and under a comment if they are its replies. */
export interface CommentPlace {
  readonly access: AccountAccess
  readonly mediaId: Option.Option<string>
  readonly rootId: Option.Option<string>
  readonly requestedAt: DateTime.Utc
}

/** Reads one comment into the item that its webhook makes. */
export const readPolledComment =
  ({ access, mediaId, requestedAt, rootId }: CommentPlace) =>
  (element: unknown): Result.Result<PolledComment, string> =>
    Result.map(readComment(element), ({ from, hidden, id, parent_id, replies, text, timestamp, ...named }) => {
      const username = Option.orElse(
        Option.flatMap(from, ({ username }) => username),
        () => named.username
      )
      const authorId = Option.flatMap(from, ({ id }) => id)
      const isOwn =
        Option.exists(from, (from) => Option.isSome(from.self_ig_scoped_id)) ||
        isAccount(access, { id: authorId, name: Option.none(), username })
      const at = Option.getOrElse(timestamp, () => requestedAt)
      const posted = commentPosted({
        accountId: access.networkAccountId,
        id,
        parentId: Option.orElse(rootId, () => parent_id),
        mediaId,
        author: { id: authorId, name: Option.none(), username, avatarUrl: Option.none() },
        isOwn,
        text,
        at
      })
      const hiding = Option.map(
        hidden,
        (isHidden) =>
          new HiddenChanged({
            route: instagramRoute(access.networkAccountId),
            source: "ig_comment",
            externalId: id,
            isHidden,
            version: eventVersion(requestedAt, Option.none()),
            asOf: requestedAt
          })
      )
      return { id, at, replies, activities: [posted, ...Option.toArray(hiding)] }
    })
