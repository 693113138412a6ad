import * as Option from "effect/Option"
import type { AccountScene, Operation, SandboxAnswer } from "../Operation.ts"
import type { Writing } from "../Writing.ts"
import { forbidden, invalidRequest, notFound } from "./xAnswers.ts"
import { findPost } from "./xShow.ts"

const absent = (id: string): SandboxAnswer => ({ status: 404, body: { errors: [notFound("tweet", id)] } })

/** Whether the account wrote the post that the conversation began with. */
const isInOwnConversation = ({ account, world }: AccountScene, { isMention, postId }: Writing): boolean =>
  !isMention &&
  Option.exists(
    Option.flatMap(postId, (id) => world.findWriting("x", id)),
    ({ author }) => author.id === account.accountId
  )

const hide: Operation = {
  name: "hide_reply",
  scope: "tweet.moderate.write",
  answer: (scene, ask) => {
    const hidden = ask.input("hidden")
    const post = findPost(scene, ask.param("id"))
    if (typeof hidden !== "boolean") return invalidRequest("hidden", String(hidden), "It has to be true or false")
    if (Option.isNone(post)) return absent(ask.param("id"))
    if (post.value.kind !== "comment") return invalidRequest("id", post.value.id, "The post is no reply")
    if (!isInOwnConversation(scene, post.value)) {
      return forbidden("You can only hide replies to conversations that you started.")
    }
    // No webhook tells of it, and no field.
    scene.world.change("edited", { ...post.value, isHidden: hidden }, scene.at)
    return { status: 200, body: { data: { hidden } } }
  }
}

/** Removed from all plans that an app can take by itself. */
const noLikes = (name: string): Operation => ({
  name,
  scope: "like.write",
  answer: () => forbidden("This endpoint is not included in your current access level.")
})

export const xModeration = { hide, like: noLikes("like_tweet"), unlike: noLikes("unlike_tweet") }
