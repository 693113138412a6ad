import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { digitsOf } from "../worldIds.ts"
import { asPerson } from "../World.ts"
import type { SandboxPerson, Writing } from "../Writing.ts"

interface Mention {
  readonly start: number
  readonly end: number
  readonly username: string
  readonly id: string
}

/** Links as X finds them; those without a scheme only where they end as domains often do. */
export const linkPattern =
  /\bhttps?:\/\/[^\s]+|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|co|de|example)\b(?:\/[^\s]*)?/giu

/** Positions on X count characters, not units of UTF-16. */
const characters = (text: string): number => [...text].length

const shortLink = (url: string): string => `https://t.co/${BigInt(digitsOf(`link ${url}`, 15)).toString(36)}`

/** Where the text begins that its author typed: after the handle that opens an answer by itself. */
const openingOf = (text: string, addressee: Option.Option<SandboxPerson>): string =>
  Option.match(addressee, {
    onNone: () => "",
    onSome: ({ username }) => (text.startsWith(`@${username}`) ? "" : `@${username} `)
  })

/** A post's text as X keeps it: handles first, links shortened; and where they stand in it. */
const composed = ({ account, addressee, text }: Writing) => {
  const urls: Array<Readonly<Record<string, string>>> = []
  const shortened = text.replace(linkPattern, (url) => {
    const expanded_url = /^https?:/i.test(url) ? url : `http://${url}`
    urls.push({ url: shortLink(url), expanded_url, display_url: url.replace(/^https?:\/\//i, "") })
    return shortLink(url)
  })
  const whole = `${openingOf(text, addressee)}${shortened}`
  const known = [asPerson(account), ...Option.toArray(addressee)]
  const mentions: Array<Mention> = []
  for (const { 0: handle, index } of whole.matchAll(/@\w+(?:\.\w+)*/g)) {
    const person = known.find(({ username }) => `@${username}`.toLowerCase() === handle.toLowerCase())
    const start = characters(whole.slice(0, index))
    if (person !== undefined) {
      mentions.push({ start, end: start + characters(handle), username: person.username, id: person.id })
    }
  }
  const start = Option.match(addressee, { onNone: () => 0, onSome: ({ username }) => characters(username) + 2 })
  return { whole, mentions, urls, start }
}

/** Whether its author named the account by choice, not only by answering it. */
export const summons = (writing: Writing): boolean => {
  const { mentions, start } = composed(writing)
  return (
    Option.isSome(writing.quotedId) ||
    mentions.some((one) => one.id === writing.account.accountId && one.start >= start)
  )
}

/** The post's root: the account's post, or the post itself. */
const conversationOf = ({ history, postId }: Writing): string => Option.getOrElse(postId, () => history[0])

/** What it answers directly. */
export const repliedToOf = ({ parentId, postId }: Writing): Option.Option<string> =>
  Option.orElse(parentId, () => postId)

/** A post of API 2 with all the fields that anyone asks for. */
export const xPostFields = (writing: Writing): Readonly<Record<string, unknown>> => {
  const { addressee, author, history, id, posted, quotedId, writtenAt } = writing
  const { mentions, start, urls, whole } = composed(writing)
  const repliedTo = repliedToOf(writing)
  const referenced = [
    ...Option.toArray(repliedTo).map((id) => ({ type: "replied_to", id })),
    ...Option.toArray(quotedId).map((id) => ({ type: "quoted", id }))
  ]
  const entities = { ...(mentions.length > 0 ? { mentions } : {}), ...(urls.length > 0 ? { urls } : {}) }
  return {
    id,
    text: whole.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    created_at: DateTime.formatIso(writtenAt),
    author_id: author.id,
    conversation_id: conversationOf(writing),
    edit_history_tweet_ids: history,
    display_text_range: [start, characters(whole)],
    ...(Object.keys(entities).length > 0 ? { entities } : {}),
    ...Option.match(addressee, { onNone: () => ({}), onSome: ({ id }) => ({ in_reply_to_user_id: id }) }),
    reply_settings: "everyone",
    lang: "en",
    ...Option.match(repliedTo, { onNone: () => ({}), onSome: (id) => ({ in_reply_to_tweet_id: id }) }),
    ...Option.match(posted, { onNone: () => ({}), onSome: ({ keys }) => ({ attachments: { media_keys: keys } }) }),
    ...(referenced.length > 0 ? { referenced_tweets: referenced } : {})
  }
}

/** A user as X shows them. */
export const xUserFields = ({ avatarUrl, id, name, username }: SandboxPerson): Readonly<Record<string, unknown>> => ({
  id,
  name,
  username,
  profile_image_url: avatarUrl
})
