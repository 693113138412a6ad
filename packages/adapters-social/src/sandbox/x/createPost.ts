import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import { placeUnder } from "../control/placeUnder.ts"
import { weightedLength } from "../textLimits.ts"
import { asPerson } from "../World.ts"
import type { XUpload } from "../publishing/XUploads.ts"
import type { PostedMedia, Writing } from "../Writing.ts"
import { summons, xPostFields } from "./postFields.ts"
import { forbidden, invalidRequest, notFound } from "./xAnswers.ts"
import { takeMedia } from "./uploads.ts"
import { findPost } from "./xShow.ts"
import { inWords, standingWords } from "./xWords.ts"

const most_weight = 280

const sameText = (text: string): string => text.normalize("NFC").trim()

const answerTarget = (scene: AccountScene, id: string): Writing | SandboxAnswer => {
  const target = findPost(scene, id)
  if (Option.isSome(target)) {
    const isOwn = target.value.author.id === scene.account.accountId
    return isOwn || summons(target.value)
      ? target.value
      : forbidden(
          "Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to."
        )
  }
  return scene.world.ids.isOfAnotherWorld(id)
    ? forbidden("That post is of an earlier start of this sandbox, which remembers nothing of it.")
    : forbidden("You attempted to reply to a Tweet that is deleted or not visible to you.")
}

/** What a request may have; X refuses any other member. */
const members = new Set([
  ...["text", "media", "reply", "reply_settings", "quote_tweet_id", "poll", "geo", "community_id", "card_uri"],
  ...["made_with_ai", "paid_partnership", "nullcast", "for_super_followers_only", "direct_message_deep_link"],
  ...["share_with_followers", "edit_options"]
])
const replySettings = new Set(["following", "mentionedUsers", "subscribers", "verified"])

const unknownMember = (ask: Ask): SandboxAnswer | undefined => {
  const unknown = Object.keys(ask.inputs).find((name) => !members.has(name))
  if (unknown !== undefined) {
    const message = `$.${unknown}: is not defined in the schema and the schema does not allow additional properties`
    return invalidRequest(unknown, "", message)
  }
  const settings = ask.input("reply_settings")
  return settings === undefined || (typeof settings === "string" && replySettings.has(settings))
    ? undefined
    : invalidRequest("reply_settings", String(settings), "$.reply_settings: does not have a value in the enumeration")
}

const mediaIds = (ask: Ask): ReadonlyArray<string> => {
  const media = ask.input("media")
  const ids = Predicate.isObject(media) ? media["media_ids"] : undefined
  return Array.isArray(ids) ? ids.map(String) : []
}

const kinds: Readonly<Record<string, PostedMedia["kind"]>> = { tweet_gif: "gif", tweet_video: "video" }

const shownOn = (uploads: ReadonlyArray<XUpload>): Option.Option<PostedMedia> =>
  Option.map(Option.fromUndefinedOr(uploads[0]), ({ category }) => ({
    kind: kinds[category] ?? (uploads.length === 1 ? "image" : "carousel"),
    surface: "feed",
    parts: [],
    keys: uploads.map(({ mediaKey }) => mediaKey),
    altTexts: uploads.flatMap(({ altText }) => (altText === undefined ? [] : [altText]))
  }))

/** `POST /2/tweets`: a post, or an answer to who summoned the account; never the same text twice. */
export const createPost = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const { account, at, world } = scene
  const unknown = unknownMember(ask)
  if (unknown !== undefined) return unknown
  const ids = mediaIds(ask)
  const text = ask.input("text") ?? ""
  if (typeof text !== "string" || (text.trim() === "" && ids.length === 0)) {
    return invalidRequest("text", "", "Tweet creation requires the text of the Tweet.")
  }
  if (weightedLength(text) > most_weight) {
    return invalidRequest("text", text, `The text is longer than ${most_weight}, as X counts.`)
  }
  const reply = ask.input("reply")
  const targetId = Predicate.isObject(reply) ? reply["in_reply_to_tweet_id"] : undefined
  if (reply !== undefined && (typeof targetId !== "string" || !/^[0-9]{1,19}$/.test(targetId))) {
    return invalidRequest("reply.in_reply_to_tweet_id", String(targetId), "It does not match ^[0-9]{1,19}$")
  }
  const target = typeof targetId === "string" ? answerTarget(scene, targetId) : undefined
  if (target !== undefined && "status" in target) return target
  const uploads = takeMedia(scene, ids)
  if ("status" in uploads) return uploads
  // With new media the same words are another post.
  const isDuplicate = world
    .ofAccount(account)
    .some((one) => ids.length === 0 && one.isOwn && !one.isDeleted && sameText(one.text) === sameText(text))
  if (isDuplicate) return forbidden("You are not allowed to create a Tweet with duplicate content.")
  for (const one of uploads) scene.xUploads.set({ ...one, isUsed: true })
  const sent = Option.some({ metadata: Option.none() })
  const own = { account, author: asPerson(account), text, isOwn: true, sent, posted: shownOn(uploads) }
  const happened = world.write(
    target === undefined
      ? { ...own, kind: "post" }
      : {
          ...own,
          kind: "comment",
          addressee: target.isOwn ? Option.none() : Option.some(target.author),
          ...placeUnder(world, account, Option.some(target), undefined, at)
        },
    at
  )
  const { edit_history_tweet_ids, id, text: shown } = xPostFields(happened.writing)
  const data = inWords(standingWords(scene.settings), { id, text: shown, edit_history_tweet_ids })
  return { status: 201, body: { data }, happened }
}

/** `DELETE /2/tweets/{id}`: one of the account's own. */
export const deletePost = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const found = findPost(scene, ask.param("id"))
  if (Option.isNone(found)) return { status: 200, body: { errors: [notFound("tweet", ask.param("id"))] } }
  if (found.value.author.id !== scene.account.accountId) return forbidden("You can only delete your own posts.")
  const happened = scene.world.change("deleted", { ...found.value, isDeleted: true }, scene.at)
  return { status: 200, body: { data: { deleted: true } }, happened }
}
