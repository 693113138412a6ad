import { Posted } from "@loopbox/core/connectors/InboundActivity"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { heard, ignored, unreadable } from "../internal/Collector.ts"
import type { Reading } from "../internal/Collector.ts"
import { readMessaging } from "../internal/messaging.ts"
import type { MetaEntry, MetaReader } from "../internal/metaWebhook.ts"
import { Id, OptionalId, OptionalLink, OptionalName, optionalPart, OptionalText, reader } from "../internal/payload.ts"
import { bodyText } from "../internal/text.ts"

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
    media: optionalPart(Schema.Struct({ id: Id })),
    from: optionalPart(Author)
  })
)

/**
 * Comments carry no time of their own, so they get that of their batch; edits and deletes of comments have no webhook.
 * A reply to a reply names the top comment as its parent, so a parent is always the thread.
 */
const comment = (entry: MetaEntry, value: unknown): Reading => {
  const read = readComment(value)
  if (Result.isFailure(read)) return unreadable(read.failure)
  const { from, id, media, parent_id, text } = read.success
  const mediaId = Option.map(media, ({ id }) => id)
  const isOwn = Option.exists(
    from,
    (from) => Option.isSome(from.self_ig_scoped_id) || Option.contains(from.id, entry.accountId)
  )
  return heard(
    new Posted({
      route: { network: "instagram", accountId: Option.some(entry.accountId), username: Option.none() },
      source: "ig_comment",
      externalId: id,
      replyTargetId: id,
      threadKey: { _tag: "Known", key: Option.getOrElse(parent_id, () => id) },
      parentExternalId: Option.orElse(parent_id, () => mediaId),
      linkedPostId: mediaId,
      author: {
        id: isOwn ? Option.some(entry.accountId) : Option.flatMap(from, ({ id }) => id),
        name: Option.flatMap(from, ({ name }) => name),
        username: Option.flatMap(from, ({ username }) => username),
        avatarUrl: Option.flatMap(from, ({ profile_pic }) => profile_pic)
      },
      isOwn,
      body: bodyText(Option.getOrElse(text, () => "")),
      attachments: [],
      receivedAt: Option.getOrElse(entry.sentAt, () => entry.arrivedAt),
      version: 0,
      editedAt: Option.none(),
      permalink: Option.none(),
      summons: Option.none(),
      operationTag: Option.none(),
      isStandby: false
    })
  )
}

/** Instagram's part of Meta's webhook: comments, also live ones and those on ads, and direct messages (§1.2). */
export const instagramReader: MetaReader = {
  change: (entry, field, value) =>
    field === "comments" || field === "live_comments" ? comment(entry, value) : ignored(field),
  message: (entry, element, isStandby) => readMessaging("ig_dm", entry, element, isStandby)
}
