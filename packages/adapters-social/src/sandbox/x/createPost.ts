import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import { placeUnder } from "../control/placeUnder.ts"
import { weightedLength } from "../textLimits.ts"
import { asPerson } from "../World.ts"
import type { Writing } from "../Writing.ts"
import { summons, xPostFields } from "./postFields.ts"
import { forbidden, invalidRequest } from "./xAnswers.ts"
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

/** `POST /2/tweets`: a post, or an answer to who summoned the account; never the same text twice. */
export const createPost = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const { account, at, world } = scene
  const text = ask.input("text")
  if (typeof text !== "string" || text.trim() === "") {
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
  const isDuplicate = world
    .ofAccount(account)
    .some((one) => one.isOwn && !one.isDeleted && sameText(one.text) === sameText(text))
  if (isDuplicate) return forbidden("You are not allowed to create a Tweet with duplicate content.")
  const own = { account, author: asPerson(account), text, isOwn: true, sent: Option.some({ metadata: Option.none() }) }
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
