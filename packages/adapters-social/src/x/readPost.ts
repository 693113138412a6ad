import type { Attachment, Person } from "@loopbox/core/networks/InboundActivity"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import {
  asArray,
  Count,
  Id,
  OptionalCount,
  OptionalId,
  OptionalLink,
  OptionalName,
  optionalPart,
  optionalParts,
  OptionalText,
  OptionalTime,
  reader
} from "../payloads/payload.ts"
import { postReader, postsBeside } from "./vocabulary.ts"
import { largerAvatar } from "./XPost.ts"
import type { XPost } from "./XPost.ts"

const Entities = Schema.Struct({
  mentions: optionalParts(Schema.Struct({ start: OptionalCount, id: OptionalId, username: OptionalName })),
  urls: optionalParts(Schema.Struct({ url: Id, expanded_url: OptionalLink, media_key: OptionalId }))
})

const readBody = postReader(
  reader(
    Schema.Struct({
      id: Id,
      text: OptionalText,
      created_at: OptionalTime,
      author_id: OptionalId,
      conversation_id: OptionalId,
      in_reply_to_post_id: OptionalId,
      in_reply_to_user_id: OptionalId,
      referenced_posts: optionalParts(Schema.Struct({ type: OptionalText, id: Id })),
      entities: optionalPart(Entities),
      note_post: optionalPart(Schema.Struct({ text: OptionalText, entities: optionalPart(Entities) })),
      display_text_range: optionalParts(Count),
      edit_history_post_ids: optionalParts(Id),
      attachments: optionalPart(Schema.Struct({ media_keys: optionalParts(Id) }))
    })
  )
)

export const XUser = Schema.Struct({
  id: Id,
  name: OptionalName,
  username: OptionalName,
  profile_image_url: OptionalLink
})

const readUser = reader(XUser)
const readQuoted = reader(Schema.Struct({ id: Id, author_id: OptionalId }))
const readMedia = reader(
  Schema.Struct({ media_key: Id, type: OptionalText, url: OptionalLink, preview_image_url: OptionalLink })
)

/** What X sends beside posts: authors, quoted posts, media, each by id. */
export interface Includes {
  readonly users: ReadonlyMap<string, Person>
  readonly authors: ReadonlyMap<string, string>
  readonly media: ReadonlyMap<string, Attachment>
}

export const asPerson = (user: typeof XUser.Type): Person => ({
  id: Option.some(user.id),
  name: user.name,
  username: user.username,
  avatarUrl: Option.map(user.profile_image_url, largerAvatar)
})

const mediaTypes: ReadonlyMap<string, Attachment["type"]> = new Map([
  ["photo", "image"],
  ["video", "video"],
  ["animated_gif", "video"]
])

export const mediaType = (name: Option.Option<string>): Attachment["type"] =>
  Option.getOrElse(
    Option.flatMap(name, (name) => Option.fromUndefinedOr(mediaTypes.get(name))),
    () => "unsupported"
  )

/** What the number before a media key stands for, where the media itself was not sent. */
const keyTypes: ReadonlyMap<string, Attachment["type"]> = new Map([
  ["3", "image"],
  ["7", "video"],
  ["13", "video"],
  ["16", "video"]
])

const bareMedia = (key: string): Attachment => ({
  type: keyTypes.get(key.split("_")[0] ?? "") ?? "unsupported",
  url: null
})

/** Users of some events stand in a `data` of their own. */
const unwrap = (value: unknown): unknown =>
  Predicate.isObject(value) && Predicate.isObject(value["data"]) ? value["data"] : value

export const readIncludes = (value: unknown): Includes => {
  const parts = Predicate.isObject(value) ? value : {}
  const users = new Map<string, Person>()
  const authors = new Map<string, string>()
  const media = new Map<string, Attachment>()
  for (const user of asArray(parts["users"])) {
    const read = readUser(unwrap(user))
    if (Result.isSuccess(read)) users.set(read.success.id, asPerson(read.success))
  }
  for (const post of postsBeside(parts)) {
    const read = readQuoted(unwrap(post))
    if (Result.isSuccess(read) && Option.isSome(read.success.author_id)) {
      authors.set(read.success.id, read.success.author_id.value)
    }
  }
  for (const one of asArray(parts["media"])) {
    const read = readMedia(unwrap(one))
    if (Result.isFailure(read)) continue
    const { media_key, preview_image_url, type, url } = read.success
    media.set(media_key, {
      type: mediaType(type),
      url: Option.getOrNull(Option.orElse(url, () => preview_image_url))
    })
  }
  return { users, authors, media }
}

/** A post of API 2, as events, streams and look-ups have it. */
export const readPost = (value: unknown, includes: Includes): Result.Result<XPost, string> =>
  Result.map(readBody(value), (post) => {
    const entities = Option.orElse(
      Option.flatMap(post.note_post, ({ entities }) => entities),
      () => post.entities
    )
    const referenced = (type: string) => post.referenced_posts.filter((one) => Option.contains(one.type, type))
    const [first, ...later] = post.edit_history_post_ids
    const repliedToId = Option.orElse(
      Option.fromUndefinedOr(referenced("replied_to")[0]?.id),
      () => post.in_reply_to_post_id
    )
    return {
      id: post.id,
      history: first !== undefined && post.edit_history_post_ids.includes(post.id) ? [first, ...later] : [post.id],
      author: Option.getOrElse(
        Option.flatMap(post.author_id, (id) => Option.fromUndefinedOr(includes.users.get(id))),
        (): Person => ({ id: post.author_id, name: Option.none(), username: Option.none(), avatarUrl: Option.none() })
      ),
      createdAt: post.created_at,
      conversationId: post.conversation_id,
      repliedToId,
      inReplyToUserId: post.in_reply_to_user_id,
      repliedToAuthorId: Option.orElse(post.in_reply_to_user_id, () =>
        Option.flatMap(repliedToId, (id) => Option.fromUndefinedOr(includes.authors.get(id)))
      ),
      isRepost: referenced("retweeted").length > 0 || referenced("reposted").length > 0,
      quoted: referenced("quoted").map(({ id }) => ({
        id,
        authorId: Option.fromUndefinedOr(includes.authors.get(id))
      })),
      text: Option.getOrElse(
        Option.orElse(
          Option.flatMap(post.note_post, ({ text }) => text),
          () => post.text
        ),
        () => ""
      ),
      links: Option.match(entities, {
        onNone: () => [],
        onSome: ({ urls }) =>
          urls.map(({ expanded_url, media_key, url }) => ({
            url,
            expandedUrl: expanded_url,
            isMedia: Option.isSome(media_key)
          }))
      }),
      mentions: Option.map(entities, ({ mentions }) =>
        mentions.map(({ id, start, username }) => ({ start, userId: id, username }))
      ),
      displayStart: Option.fromUndefinedOr(post.display_text_range[0]),
      attachments: Option.match(post.attachments, {
        onNone: () => [],
        onSome: ({ media_keys }) => media_keys.slice(0, 20).map((key) => includes.media.get(key) ?? bareMedia(key))
      })
    }
  })
