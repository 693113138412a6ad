import type { WebhookEndpoint } from "@loopbox/core/connectors/Source"
import { endpointOf } from "@loopbox/core/connectors/Source"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Happening, Writing } from "./World.ts"

/** An event as its network writes it. */
export interface WebhookEvent {
  readonly endpoint: WebhookEndpoint
  /** Meta's is one `entry` of an envelope, which several may share. */
  readonly payload: Readonly<Record<string, unknown>>
}

const seconds = (time: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(time) / 1000)
const millis = (time: DateTime.Utc): number => DateTime.toEpochMillis(time)
/** ISO as Meta writes it: whole seconds, and a zone without a colon. */
export const offsetIso = (time: DateTime.Utc): string => DateTime.formatIso(time).replace(/\.\d+Z$/, "+0000")

const whenSome = <A>(name: string, value: Option.Option<A>): Readonly<Record<string, A>> =>
  Option.match(value, { onNone: () => ({}), onSome: (value) => ({ [name]: value }) })

/**
 * What a network tells of it, if it does: Instagram tells nothing of a comment's end, X nothing of other people's
 * deletions, and a comment is hidden quietly everywhere but on Facebook.
 */
export const webhookEvent = (happening: Happening): Option.Option<WebhookEvent> => {
  const { account, kind } = happening.writing
  const payload =
    kind === "message"
      ? messagePayload(happening)
      : { instagram: instagramComment, facebook: facebookComment, threads: threadsReply, x: xPost }[account.network](
          happening
        )
  return Option.map(payload, (payload) => ({ endpoint: endpointOf(account.network), payload }))
}

type Payload = Option.Option<Readonly<Record<string, unknown>>>

const metaEnvelope = (writing: Writing, time: number, elements: Readonly<Record<string, unknown>>) => ({
  object: writing.account.network === "instagram" ? "instagram" : "page",
  entry: [{ id: writing.account.accountId, time, ...elements }]
})

const instagramComment = ({ at, what, writing }: Happening): Payload => {
  if (what !== "written") return Option.none()
  const value = {
    id: writing.id,
    from: { id: writing.author.id, username: writing.author.username },
    media: { id: Option.getOrElse(writing.postId, () => ""), media_product_type: "FEED" },
    text: writing.text,
    ...whenSome("parent_id", writing.parentId)
  }
  return Option.some(metaEnvelope(writing, seconds(at), { changes: [{ field: "comments", value }] }))
}

const verbs = { written: "add", edited: "edited", deleted: "remove", hidden: "hide", shown: "unhide" } as const

const facebookComment = ({ at, what, writing }: Happening): Payload => {
  const { account, author, id, parentId, postId, text } = writing
  const post = Option.getOrElse(postId, () => "")
  // Hiding is the Page's doing, and told in its name.
  const byPage = what === "hidden" || what === "shown"
  const value = {
    item: "comment",
    verb: verbs[what],
    from: byPage ? { id: account.accountId, name: account.name } : { id: author.id, name: author.name },
    comment_id: id,
    post_id: post,
    parent_id: Option.getOrElse(parentId, () => post),
    created_time: seconds(at),
    ...(what === "deleted"
      ? {}
      : { message: text, post: { id: post, is_published: true, status_type: "added_photos" } })
  }
  return Option.some(metaEnvelope(writing, seconds(at), { changes: [{ field: "feed", value }] }))
}

const messagePayload = ({ at, what, writing }: Happening): Payload => {
  if (what === "hidden" || what === "shown") return Option.none()
  const { account, author, edits, id, isMention, parentId, text } = writing
  const story = { type: "story_mention", payload: { url: `https://stories.example/${id}` } }
  const message = isMention
    ? { attachments: [story] }
    : {
        text,
        ...whenSome(
          "reply_to",
          Option.map(parentId, (mid) => ({ mid }))
        )
      }
  const told = {
    written: { message: { mid: id, ...message } },
    edited: { message_edit: { mid: id, text, num_edit: edits } },
    deleted: { message: { mid: id, is_deleted: true } }
  }[what]
  const parties = { sender: { id: author.id }, recipient: { id: account.accountId }, timestamp: millis(at) }
  return Option.some(metaEnvelope(writing, millis(at), { messaging: [{ ...parties, ...told }] }))
}

const threadsReply = ({ at, what, writing }: Happening): Payload => {
  const { account, author, id, isMention, parentId, postId, text } = writing
  const root = { id: Option.getOrElse(postId, () => id), owner_id: account.accountId, username: account.username }
  const envelope = (topic: string, field: string, value: Readonly<Record<string, unknown>>) =>
    Option.some({ app_id: "1", topic, target_id: root.id, time: seconds(at), values: [{ field, value }] })
  if (what === "deleted") {
    const owner = { owner_id: account.accountId }
    return envelope("moderate", "delete", {
      id,
      owner,
      deleted_at: offsetIso(at),
      timestamp: offsetIso(writing.writtenAt)
    })
  }
  if (what !== "written") return Option.none()
  const post = {
    id,
    username: author.username,
    text,
    media_type: "TEXT_POST",
    permalink: `https://www.threads.com/@${author.username}/post/${id}`,
    timestamp: offsetIso(at),
    profile_picture_url: author.avatarUrl
  }
  if (isMention) return envelope("interaction", "mentions", post)
  return envelope("moderate", "replies", {
    ...post,
    replied_to: { id: Option.getOrElse(parentId, () => root.id) },
    root_post: root
  })
}

/** The post's root: the account's post, or the mention itself. */
const conversationOf = (writing: Writing): string =>
  Option.getOrElse(writing.postId, () => writing.history[0] ?? writing.id)

/** A post of API 2 with all the fields that anyone asks for. */
export const xPostFields = (writing: Writing): Readonly<Record<string, unknown>> => {
  const { account, author, history, id, isMention, parentId, postId, writtenAt } = writing
  const handle = `@${account.username}`
  // An answer opens with the handle of whom it answers, whether its author typed it or not.
  const text = isMention || writing.text.startsWith(handle) ? writing.text : `${handle} ${writing.text}`
  const start = text.indexOf(handle)
  const repliedTo = Option.orElse(parentId, () => postId)
  return {
    id,
    text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    created_at: DateTime.formatIso(writtenAt),
    author_id: author.id,
    conversation_id: conversationOf(writing),
    edit_history_tweet_ids: history,
    display_text_range: [isMention ? 0 : handle.length + 1, text.length],
    entities: { mentions: [{ start, end: start + handle.length, username: account.username, id: account.accountId }] },
    in_reply_to_user_id: account.accountId,
    reply_settings: "everyone",
    ...whenSome("in_reply_to_tweet_id", repliedTo),
    ...whenSome(
      "referenced_tweets",
      Option.map(repliedTo, (id) => [{ type: "replied_to", id }])
    )
  }
}

const xPost = (happening: Happening): Payload => {
  const { what, writing } = happening
  if (what !== "written" && what !== "edited") return Option.none()
  const { account, author } = writing
  const user = { id: author.id, name: author.name, username: author.username, profile_image_url: author.avatarUrl }
  return Option.some({
    data: {
      event_uuid: writing.id,
      event_type: writing.isMention ? "post.mention.create" : "post.reply.create",
      filter: { user_id: account.accountId },
      payload: xPostFields(writing),
      includes: { users: [user] }
    }
  })
}
