import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AccountScene, Ask, Scene } from "../Operation.ts"
import { offsetIso } from "../times.ts"
import { digitsOf } from "../worldIds.ts"
import { asPerson, isVisible } from "../World.ts"
import type { AccountProfile, SandboxPerson, Writing } from "../Writing.ts"
import { shownEnclosure } from "./enclosures.ts"
import { GraphEdge, GraphNode } from "./graphFields.ts"
import { hostOf, pageOfField, readPage } from "./graphPages.ts"
import type { PagedList } from "./graphPages.ts"
import { missing } from "./graphRoutes.ts"
import { appScopedId } from "./instagramNodes.ts"

/** Details are told of so many of a conversation's newest messages. */
const mostDetails = 20

/** What an account and a person wrote to each other. */
export interface Talk {
  readonly id: string
  readonly person: SandboxPerson
  readonly newest: Writing
}

const conversationId = ({ accountId, network }: AccountProfile, personId: string): string => {
  const digits = digitsOf(`talk ${network} ${accountId} ${personId}`, 17)
  return network === "facebook" ? `t_${digits}` : `aWdfZAG06MTpJR01lc3NhZ2VUaHJlYWQ6${digits}`
}

/** Conversations of an account, the one with the newest message first. */
export const talksOf = ({ world }: Scene, account: AccountProfile, at: DateTime.Utc): ReadonlyArray<Talk> => {
  const talks = new Map<string, Talk>()
  for (const newest of world.ofAccount(account)) {
    if (newest.kind !== "message" || Option.isNone(newest.otherParty) || !isVisible(newest, at)) continue
    const person = newest.otherParty.value
    if (!talks.has(person.id)) talks.set(person.id, { id: conversationId(account, person.id), person, newest })
  }
  return [...talks.values()]
}

export const findTalk = (scene: Scene, account: AccountProfile, id: string): Option.Option<Talk> =>
  /^(?:t_|aWdfZ)/.test(id)
    ? Option.fromUndefinedOr(talksOf(scene, account, scene.at).find((talk) => talk.id === id))
    : Option.none()

const party = ({ id, name, network, username }: SandboxPerson): GraphNode =>
  network === "instagram"
    ? new GraphNode("IGUser", ["id", "username"], { id, username })
    : new GraphNode("User", ["id", "name"], { id, name, email: `${id}@facebook.com` })

const plainParty = ({ id, name, network, username }: SandboxPerson) =>
  network === "instagram" ? { id, username } : { id, name, email: `${id}@facebook.com` }

/** A message; of an old one there is only that it was. */
const messageNode = (writing: Writing, isOld: boolean) => {
  const { account, author, id, isMention, otherParty, parentId, text, writtenAt } = writing
  const person = Option.getOrElse(otherParty, () => author)
  const to = author.id === account.accountId ? person : asPerson(account)
  const detail = <A>(value: A): A | undefined => (isOld ? undefined : value)
  return new GraphNode("Message", ["id", "created_time"], {
    id,
    created_time: offsetIso(writtenAt),
    from: detail(party(author)),
    to: detail({ data: [plainParty(to)] }),
    message: detail(isMention ? "" : text),
    reply_to: detail(Option.getOrUndefined(Option.map(parentId, (mid) => ({ mid })))),
    story: detail(isMention ? { mention: { id, link: `https://stories.example/${id}` } } : undefined),
    attachments: undefined,
    shares: undefined,
    reactions: undefined,
    tags: undefined,
    is_unsupported: undefined,
    // Only Messenger's messages have it.
    ...(account.network === "facebook" ? { sticker: undefined } : {}),
    ...detail(shownEnclosure(writing))
  })
}

const messagesOf = ({ at, world }: Scene, account: AccountProfile, personId: string): PagedList<Writing> => {
  const all = world.ofTalk(account, personId)
  const detailed = new Set(
    all
      .filter((one) => isVisible(one, at))
      .slice(0, mostDetails)
      .map(({ id }) => id)
  )
  return {
    all,
    idOf: ({ id }) => id,
    isThere: (one) => isVisible(one, at),
    toNode: (one) => messageNode(one, !detailed.has(one.id)),
    standard: 25,
    most: 100
  }
}

/** Instagram names the account in its conversations by the id that webhooks don't know; through a Page it does not. */
const selfInTalk = (account: AccountProfile, ask: Ask) =>
  plainParty(hostOf(ask) === "instagram" ? { ...asPerson(account), id: appScopedId(account) } : asPerson(account))

export const talkNode = (scene: AccountScene, ask: Ask, { id, newest, person }: Talk): GraphNode => {
  const version = ask.param("version")
  const messages = new GraphEdge((field) =>
    readPage(
      messagesOf(scene, scene.account, person.id),
      pageOfField(field, ask, `/${hostOf(ask)}/${version}/${id}/messages`)
    )
  )
  return new GraphNode("Conversation", ["id", "updated_time"], {
    id,
    updated_time: offsetIso(newest.writtenAt),
    participants: { data: [plainParty(person), selfInTalk(scene.account, ask)] },
    messages,
    message_count: undefined,
    unread_count: undefined,
    can_reply: undefined,
    snippet: undefined,
    link: undefined,
    name: undefined,
    senders: undefined
  })
}

/** The list that `/{conversation}/messages` reads. */
export const messagesEdge = (scene: AccountScene, ask: Ask) =>
  Result.map(
    Result.fromOption(findTalk(scene, scene.account, ask.param("id")), () => missing(scene, ask.param("id"))),
    ({ person }) => messagesOf(scene, scene.account, person.id)
  )

/** The list that `/{account}/conversations` reads; `user_id` narrows it to one person. */
export const conversationsEdge = (scene: AccountScene, ask: Ask): PagedList<Talk> => {
  const userId = ask.text("user_id")
  return {
    all: talksOf(scene, scene.account, scene.at).filter(({ person }) => userId === undefined || person.id === userId),
    idOf: ({ id }) => id,
    isThere: () => !scene.settings.empty_lists,
    toNode: (talk) => talkNode(scene, ask, talk),
    standard: 25,
    most: 50
  }
}

/** One message by its id; an old one is not told of. */
export const singleMessage = (scene: AccountScene, writing: Writing): GraphNode | undefined => {
  const personId = Option.match(writing.otherParty, { onNone: () => "", onSome: ({ id }) => id })
  const newest = scene.world.ofTalk(scene.account, personId).filter((one) => isVisible(one, scene.at))
  return newest.findIndex((one) => one.id === writing.id) < mostDetails ? messageNode(writing, false) : undefined
}
