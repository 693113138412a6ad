import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { heard, ignored, unreadable } from "../payloads/Collector.ts"
import type { Reading } from "../payloads/Collector.ts"
import { readMessaging } from "../meta/messaging.ts"
import type { MetaEntry, MetaReader } from "../meta/metaWebhook.ts"
import { Id, OptionalId, OptionalLink, OptionalName, optionalPart, OptionalText, reader } from "../payloads/payload.ts"
import { commentPosted } from "./instagramComment.ts"

const Author = Schema.Struct({
  id: OptionalId,
  username: OptionalName,
  name: OptionalName,
  profile_pic: OptionalLink,
  self_ig_scoped_id: OptionalId
})

const readComment = reader(
  Schema.Struct({
    id: Id,
    text: OptionalText,
    parent_id: OptionalId,
    // An ad is a media of its own, that no list has and that can't be read; the post that it shows is beside it.
    media: optionalPart(Schema.Struct({ id: Id, original_media_id: OptionalId })),
    from: optionalPart(Author)
  })
)

/** Comments carry no time of their own, so they get that of their batch; their edits and deletes have no webhook. */
const comment = (entry: MetaEntry, value: unknown): Reading => {
  const read = readComment(value)
  if (Result.isFailure(read)) return unreadable(read.failure)
  const { from, id, media, parent_id, text } = read.success
  const isOwn = Option.exists(
    from,
    (from) => Option.isSome(from.self_ig_scoped_id) || Option.contains(from.id, entry.accountId)
  )
  return heard(
    commentPosted({
      accountId: entry.accountId,
      id,
      parentId: parent_id,
      mediaId: Option.map(media, ({ id }) => id),
      originalMediaId: Option.flatMap(media, ({ original_media_id }) => original_media_id),
      author: {
        id: Option.flatMap(from, ({ id }) => id),
        name: Option.flatMap(from, ({ name }) => name),
        username: Option.flatMap(from, ({ username }) => username),
        avatarUrl: Option.flatMap(from, ({ profile_pic }) => profile_pic)
      },
      isOwn,
      text,
      at: Option.getOrElse(entry.sentAt, () => entry.arrivedAt)
    })
  )
}

/** Instagram's part of Meta's webhook: comments, also live ones and those on ads, and direct messages (§1.2). */
export const instagramReader: MetaReader = {
  change: (entry, field, value) =>
    field === "comments" || field === "live_comments" ? comment(entry, value) : ignored(field),
  message: (entry, element, isStandby) => readMessaging("ig_dm", entry, element, isStandby)
}
