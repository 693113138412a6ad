import * as Option from "effect/Option"
import type { AccountScene, Ask, Operation, SandboxAnswer } from "../Operation.ts"
import { isVisible } from "../World.ts"
import type { Writing } from "../Writing.ts"
import { graphError, invalid } from "./graphAnswers.ts"
import { missing } from "./graphRoutes.ts"

type Network = "instagram" | "facebook"

const done: SandboxAnswer = { status: 200, body: { success: true } }

/** The comment that is meant, of the account's own posts. */
const commentOf = (network: Network, scene: AccountScene, id: string): Option.Option<Writing> =>
  Option.filter(
    scene.world.findWriting(network, id),
    (one) => one.kind === "comment" && one.account.accountId === scene.account.accountId && isVisible(one, scene.at)
  )

const ofComment =
  (
    network: Network,
    idOf: (ask: Ask) => string,
    act: (scene: AccountScene, comment: Writing, ask: Ask) => SandboxAnswer
  ) =>
  (scene: AccountScene, ask: Ask): SandboxAnswer =>
    Option.match(commentOf(network, scene, idOf(ask)), {
      onNone: () => missing(scene, idOf(ask)),
      onSome: (comment) => act(scene, comment, ask)
    })

const byPath = (ask: Ask): string => ask.param("id")
const byInput = (ask: Ask): string => ask.text("comment_id") ?? ""

/** `POST /{comment}` with `hide` (Instagram) or `is_hidden` (Facebook). Facebook tells of it by webhook. */
export const hidingComment = (network: Network, scope: string): Operation => ({
  name: "hide_comment",
  scope,
  answer: ofComment(network, byPath, ({ at, world }, comment, ask) => {
    const name = network === "instagram" ? "hide" : "is_hidden"
    const given = ask.text(name)
    if (given !== "true" && given !== "false") return invalid(`Param ${name} must be true or false`)
    const isHidden = given === "true"
    // The account's own comments stay visible: Instagram says nothing of it.
    if (comment.isOwn) return network === "instagram" ? done : invalid("A comment of the Page itself can't be hidden")
    if (comment.isHidden === isHidden) return done
    const change = { ...comment, isHidden, wasHidden: true }
    return { ...done, happened: world.change(isHidden ? "hidden" : "shown", change, at) }
  })
})

/** `DELETE /{comment}`, by the owner of the post. */
export const deletingComment = (network: Network, scope: string): Operation => ({
  name: "delete_comment",
  scope,
  answer: ofComment(network, byPath, ({ at, world }, comment) => ({
    ...done,
    happened: world.change("deleted", { ...comment, isDeleted: true }, at)
  }))
})

/** `POST` and `DELETE /{comment}/likes` (Facebook), `/{ig-id}/likes?comment_id=` (Instagram). No webhook tells of it. */
export const likingComment = (network: Network, scope: string, isLiked: boolean): Operation => ({
  name: isLiked ? "like_comment" : "unlike_comment",
  scope,
  answer: ofComment(network, network === "instagram" ? byInput : byPath, ({ account, at, world }, comment) => {
    if (network === "instagram" && !world.likeLock.admit(account.accountId, at)) {
      return graphError(400, 613, undefined, "(#613) Calls to this api have exceeded the rate limit.")
    }
    world.change("edited", { ...comment, isLiked }, at)
    return done
  })
})
