import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  Count,
  Id,
  OptionalFlag,
  OptionalId,
  OptionalLink,
  OptionalName,
  optionalPart,
  optionalParts,
  OptionalText,
  reader
} from "../payloads/payload.ts"
import { fromIso, fromOldX } from "../payloads/times.ts"
import type { PostLink } from "./postText.ts"
import { mediaType } from "./readPost.ts"
import { largerAvatar } from "./XPost.ts"
import type { XPost } from "./XPost.ts"

const Media = Schema.Struct({ url: Id, type: OptionalText, media_url_https: OptionalLink })

const Entities = Schema.Struct({
  user_mentions: optionalParts(
    Schema.Struct({ id_str: OptionalId, id: OptionalId, screen_name: OptionalName, indices: optionalParts(Count) })
  ),
  urls: optionalParts(Schema.Struct({ url: Id, expanded_url: OptionalLink })),
  media: optionalParts(Media)
})

const long = {
  full_text: OptionalText,
  entities: optionalPart(Entities),
  extended_entities: optionalPart(Schema.Struct({ media: optionalParts(Media) })),
  display_text_range: optionalParts(Count)
}

const Quoted = Schema.Struct({
  id_str: OptionalId,
  user: optionalPart(Schema.Struct({ id_str: OptionalId }))
})

const readBody = reader(
  Schema.Struct({
    id_str: OptionalId,
    id: OptionalId,
    created_at: OptionalText,
    text: OptionalText,
    in_reply_to_status_id_str: OptionalId,
    in_reply_to_user_id_str: OptionalId,
    retweeted_status: Schema.optionalKey(Schema.Unknown),
    is_quote_status: OptionalFlag,
    quoted_status_id_str: OptionalId,
    quoted_status: optionalPart(Quoted),
    user: optionalPart(
      Schema.Struct({
        id_str: OptionalId,
        id: OptionalId,
        name: OptionalName,
        screen_name: OptionalName,
        profile_image_url_https: OptionalLink
      })
    ),
    extended_tweet: optionalPart(Schema.Struct(long)),
    ...long
  })
)

/** A post of Account Activity, deprecated in 2026: ids in `…_str`, no conversation, entities under other names. */
export const readOldPost = (value: unknown): Result.Result<XPost, string> =>
  Result.flatMap(readBody(value), (post) => {
    const id = Option.orElse(post.id_str, () => post.id)
    if (Option.isNone(id)) return Result.fail("missing or unreadable: id_str")
    // A truncated post has its whole text, and the entities of that, in here.
    const whole = Option.getOrElse(post.extended_tweet, () => post)
    const entities = Option.orElse(whole.entities, () => post.entities)
    const media = Option.match(
      Option.orElse(whole.extended_entities, () => entities),
      {
        onNone: () => [],
        onSome: ({ media }) => media
      }
    )
    const quotedId = Option.orElse(post.quoted_status_id_str, () =>
      Option.flatMap(post.quoted_status, ({ id_str }) => id_str)
    )
    const links: ReadonlyArray<PostLink> = [
      ...Option.match(entities, { onNone: () => [], onSome: ({ urls }) => urls }).map(({ expanded_url, url }) => ({
        url,
        expandedUrl: expanded_url,
        isMedia: false
      })),
      ...media.map(({ url }) => ({ url, expandedUrl: Option.none(), isMedia: true }))
    ]
    const xPost: XPost = {
      id: id.value,
      history: [id.value],
      author: {
        id: Option.flatMap(post.user, (user) => Option.orElse(user.id_str, () => user.id)),
        name: Option.flatMap(post.user, ({ name }) => name),
        username: Option.flatMap(post.user, ({ screen_name }) => screen_name),
        avatarUrl: Option.map(
          Option.flatMap(post.user, (user) => user.profile_image_url_https),
          largerAvatar
        )
      },
      createdAt: Option.flatMap(post.created_at, (time) => Option.orElse(fromOldX(time), () => fromIso(time))),
      conversationId: Option.none(),
      repliedToId: post.in_reply_to_status_id_str,
      inReplyToUserId: post.in_reply_to_user_id_str,
      repliedToAuthorId: post.in_reply_to_user_id_str,
      isRepost: Predicate.isNotNullish(post.retweeted_status),
      quoted: Option.toArray(quotedId).map((id) => ({
        id,
        authorId: Option.flatMap(post.quoted_status, ({ user }) => Option.flatMap(user, ({ id_str }) => id_str))
      })),
      text: Option.getOrElse(
        Option.orElse(whole.full_text, () => Option.orElse(post.full_text, () => post.text)),
        () => ""
      ),
      links,
      mentions: Option.map(entities, ({ user_mentions }) =>
        user_mentions.map(({ id, id_str, indices, screen_name }) => ({
          start: Option.fromUndefinedOr(indices[0]),
          userId: Option.orElse(id_str, () => id),
          username: screen_name
        }))
      ),
      displayStart: Option.fromUndefinedOr(whole.display_text_range[0] ?? post.display_text_range[0]),
      attachments: media.slice(0, 20).map(({ media_url_https, type }) => ({
        type: mediaType(type),
        url: Option.getOrNull(media_url_https)
      }))
    }
    return Result.succeed(xPost)
  })
