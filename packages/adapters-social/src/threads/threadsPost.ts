import { Posted } from "@loopbox/core/networks/InboundActivity"
import type { AccountRoute, Attachment } from "@loopbox/core/networks/InboundActivity"
import type * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  Id,
  OptionalFlag,
  OptionalId,
  OptionalLink,
  OptionalName,
  optionalPart,
  optionalParts,
  OptionalText,
  OptionalTime,
  reader
} from "../payloads/payload.ts"
import { bodyText } from "@loopbox/core/networks/networkText"

/** What a post shows; each of its own children, too. */
const media = { media_type: OptionalText, media_url: OptionalLink, thumbnail_url: OptionalLink, gif_url: OptionalLink }
export const ThreadsMedia = Schema.Struct(media)

/** A reply, as webhooks and conversations have it. */
export const readThreadsPost = reader(
  Schema.Struct({
    id: Id,
    username: OptionalName,
    text: OptionalText,
    timestamp: OptionalTime,
    permalink: OptionalLink,
    profile_picture_url: OptionalLink,
    replied_to: optionalPart(Schema.Struct({ id: Id })),
    root_post: Schema.Struct({ id: Id, owner_id: OptionalId, username: OptionalName }),
    children: optionalPart(Schema.Struct({ data: optionalParts(ThreadsMedia) })),
    is_reply_owned_by_me: OptionalFlag,
    hide_status: OptionalText,
    ...media
  })
)

export type ThreadsPost = Extract<ReturnType<typeof readThreadsPost>, { readonly _tag: "Success" }>["success"]

const types: ReadonlyMap<string, Attachment["type"]> = new Map([
  ["IMAGE", "image"],
  ["VIDEO", "video"],
  ["AUDIO", "audio"],
  ["CAROUSEL_ALBUM", "image"],
  ["REPOST_FACADE", "share"]
])

const asAttachments = (one: typeof ThreadsMedia.Type): ReadonlyArray<Attachment> => {
  if (Option.isSome(one.gif_url)) return [{ type: "image", url: one.gif_url.value }]
  const url = Option.getOrNull(Option.orElse(one.media_url, () => one.thumbnail_url))
  const name = Option.getOrElse(one.media_type, () => "TEXT")
  if (name === "TEXT_POST" || name === "TEXT") return url === null ? [] : [{ type: "unsupported", url }]
  return [{ type: types.get(name) ?? "unsupported", url }]
}

/** What else is to be known for an item. */
export interface ThreadsPlace {
  readonly route: AccountRoute
  readonly isOwn: boolean
  /** When it was written, if it does not say. */
  readonly otherwiseAt: DateTime.Utc
}

/** A reply as an item. */
export const threadsReply = (post: ThreadsPost, { isOwn, otherwiseAt, route }: ThreadsPlace): Posted => {
  const nested = Option.match(post.children, { onNone: () => [], onSome: ({ data }) => data.flatMap(asAttachments) })
  return new Posted({
    route,
    source: "threads_reply",
    externalId: post.id,
    replyTargetId: post.id,
    threadKey: { _tag: "Known", key: post.root_post.id },
    parentExternalId: Option.map(post.replied_to, ({ id }) => id),
    linkedPostId: Option.some(post.root_post.id),
    author: {
      id: Option.none(),
      name: Option.none(),
      username: post.username,
      avatarUrl: post.profile_picture_url
    },
    isOwn,
    body: bodyText(Option.getOrElse(post.text, () => "")),
    attachments: nested.length > 0 ? nested : asAttachments(post),
    receivedAt: Option.getOrElse(post.timestamp, () => otherwiseAt),
    version: 0,
    editedAt: Option.none(),
    permalink: post.permalink,
    summons: Option.none(),
    operationTag: Option.none(),
    isStandby: false
  })
}
