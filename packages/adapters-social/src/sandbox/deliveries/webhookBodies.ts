import type { WebhookEndpoint } from "../../names.ts"
import { endpointOf } from "../../names.ts"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { toldEnclosure, toldOnComment } from "../graph/enclosures.ts"
import { offsetIso } from "../times.ts"
import type { AccountProfile, Happening, Writing } from "../Writing.ts"
import { digitsOf } from "../worldIds.ts"
import { xPostFields, xUserFields } from "../x/postFields.ts"
import { inWords } from "../x/xWords.ts"
import type { Words } from "../x/xWords.ts"

/** An event as its network writes it. */
export interface WebhookEvent {
  readonly endpoint: WebhookEndpoint
  /** Meta's is one `entry` of an envelope, which several may share. */
  readonly payload: Readonly<Record<string, unknown>>
}

const seconds = (time: DateTime.Utc): number => Math.floor(DateTime.toEpochMillis(time) / 1000)
const millis = (time: DateTime.Utc): number => DateTime.toEpochMillis(time)

const whenSome = <A>(name: string, value: Option.Option<A>): Readonly<Record<string, A>> =>
  Option.match(value, { onNone: () => ({}), onSome: (value) => ({ [name]: value }) })

/**
 * What a network tells of it, if it does: Instagram tells nothing of a comment's end, X nothing of other people's
 * deletions, and a comment is hidden quietly everywhere but on Facebook. Events of X are in one of its vocabularies.
 */
export const webhookEvents = (
  happening: Happening,
  xWords: Words,
  chance: (of: string) => number,
  isEditOnly = false
): ReadonlyArray<WebhookEvent> => {
  const { account, id, isOwn, kind } = happening.writing
  const events = Option.toArray(webhookEvent(happening, xWords))
  if (account.network !== "instagram" || kind !== "message" || isOwn || happening.what !== "written") return events
  const edit = {
    endpoint: endpointOf(account.network),
    payload: textlessEdit(happening, chance(`people of ${id}`) < 0.5)
  }
  if (isEditOnly) return [edit]
  return chance(`order of ${id}`) < 0.5 ? [edit, ...events] : [...events, edit]
}

/** What Instagram sends beside each message that comes in, before or after it, with or without its people. */
const textlessEdit = ({ at, writing }: Happening, hasPeople: boolean) => {
  const people = { sender: { id: writing.author.id }, recipient: { id: writing.account.accountId } }
  const element = { timestamp: millis(at), message_edit: { mid: writing.id, num_edit: 0 } }
  return metaEnvelope(writing, millis(at), { messaging: [hasPeople ? { ...people, ...element } : element] })
}

const webhookEvent = (happening: Happening, xWords: Words): Option.Option<WebhookEvent> => {
  const { account, kind } = happening.writing
  // A post of one's own is told by X alone, and answers nothing anywhere.
  if (kind === "post" && account.network !== "x") return Option.none()
  const payload =
    kind === "message"
      ? messagePayload(happening)
      : {
          instagram: instagramComment,
          facebook: facebookComment,
          threads: threadsReply,
          x: (one: Happening) => xPost(one, xWords)
        }[account.network](happening)
  return Option.map(payload, (payload) => ({ endpoint: endpointOf(account.network), payload }))
}

type Payload = Option.Option<Readonly<Record<string, unknown>>>

const metaEnvelope = (writing: Writing, time: number, elements: Readonly<Record<string, unknown>>) => ({
  object: writing.account.network === "instagram" ? "instagram" : "page",
  entry: [{ id: writing.account.accountId, time, ...elements }]
})

const instagramComment = ({ at, what, writing }: Happening): Payload => {
  if (what !== "written") return Option.none()
  const field = writing.surface === "live" ? "live_comments" : "comments"
  const value = {
    id: writing.id,
    from: {
      id: writing.author.id,
      username: writing.author.username,
      ...(writing.isOwn ? { self_ig_scoped_id: selfScopedId(writing.account) } : {})
    },
    media: mediaOf(writing),
    ...(writing.text === "" ? {} : { text: writing.text }),
    ...whenSome("parent_id", writing.parentId)
  }
  return Option.some(metaEnvelope(writing, seconds(at), { changes: [{ field, value }] }))
}

const mediaOf = ({ account, postId, surface }: Writing) => {
  const media = { id: Option.getOrElse(postId, () => ""), media_product_type: surface === "ad" ? "AD" : "FEED" }
  if (surface !== "ad") return media
  const ad_id = `12${digitsOf(`ad ${account.accountId}`, 15)}`
  return {
    ...media,
    ad_id,
    ad_title: "Spring",
    original_media_id: `179${digitsOf(`advertised ${account.accountId}`, 15)}`
  }
}

/** By what Instagram shows the account that it is spoken of itself. */
const selfScopedId = ({ accountId }: AccountProfile): string => `5${digitsOf(`self ${accountId}`, 15)}`

const verbs = { written: "add", edited: "edited", deleted: "remove", hidden: "hide", shown: "unhide" } as const

const facebookComment = ({ at, what, writing }: Happening): Payload => {
  const { account, author, id, parentId, postId, surface, text } = writing
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
      : {
          ...(text === "" ? {} : { message: text }),
          ...toldOnComment(writing),
          post: { id: post, is_published: surface === "post", status_type: "added_photos" }
        })
  }
  return Option.some(metaEnvelope(writing, seconds(at), { changes: [{ field: "feed", value }] }))
}

const messagePayload = ({ at, what, writing }: Happening): Payload => {
  if (what === "hidden" || what === "shown") return Option.none()
  const { account, author, edits, id, isMention, isOwn, otherParty, parentId, sent, text } = writing
  const story = { type: "story_mention", payload: { url: `https://stories.example/${id}` } }
  const message = isMention
    ? { attachments: [story] }
    : {
        ...(text === "" ? {} : { text }),
        ...toldEnclosure(writing),
        ...whenSome(
          "reply_to",
          Option.map(parentId, (mid) => ({ mid }))
        ),
        ...(isOwn ? { is_echo: true, app_id: 1 } : {}),
        ...whenSome(
          "metadata",
          Option.flatMap(sent, ({ metadata }) => metadata)
        )
      }
  const told = {
    written: { message: { mid: id, ...message } },
    edited: { message_edit: { mid: id, text, num_edit: edits } },
    deleted: { message: { mid: id, is_deleted: true } }
  }[what]
  const person = Option.getOrElse(otherParty, () => author)
  const [from, to] = isOwn ? [account.accountId, person.id] : [person.id, account.accountId]
  const parties = { sender: { id: from }, recipient: { id: to }, timestamp: millis(at) }
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

const xPost = ({ what, writing }: Happening, words: Words): Payload => {
  if (what === "deleted") return writing.isOwn ? xEvent("post.delete", writing, xDeleted(writing)) : Option.none()
  return what === "written" || what === "edited"
    ? xEvent(xEventType(writing), writing, inWords(words, xPostFields(writing)))
    : Option.none()
}

/** What X calls the kind of what happened, whether it tells of it or not. */
export const xEventTypeOf = ({ what, writing }: Happening): string =>
  what === "deleted" ? "post.delete" : xEventType(writing)

const xEventType = ({ isMention, isOwn, quotedId }: Writing): string => {
  if (isOwn) return "post.create"
  if (Option.isSome(quotedId)) return "post.quote.create"
  return isMention ? "post.mention.create" : "post.reply.create"
}

const xDeleted = ({ author, id }: Writing) => ({ id, author_id: author.id })

const xEvent = (event_type: string, { account, author, id }: Writing, payload: Readonly<Record<string, unknown>>) =>
  Option.some({
    data: {
      event_uuid: id,
      event_type,
      filter: { user_id: account.accountId },
      payload,
      includes: { users: [xUserFields(author)] }
    }
  })
