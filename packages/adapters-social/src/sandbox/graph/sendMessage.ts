import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { AccountScene, Ask, Operation, SandboxAnswer } from "../Operation.ts"
import { byteLength, characterLength } from "../textLimits.ts"
import { asPerson, isVisible } from "../World.ts"
import type { Enclosure, SandboxPerson } from "../Writing.ts"
import { graphError, invalid } from "./graphAnswers.ts"
import { member, sentFile } from "./sentFile.ts"

const most = { instagram: { length: byteLength, limit: 1_000 }, facebook: { length: characterLength, limit: 2_000 } }
const mostMetadata_chars = 1_000
const window_h = 24
const humanAgent_h = 7 * 24

/** What a message says. */
interface Content {
  /** Empty beside a file. */
  readonly text: string
  readonly enclosed: Option.Option<Enclosure>
  readonly metadata: unknown
}

/** The account's message reaches a person. */
const deliver = (
  network: "instagram" | "facebook",
  { account, at, world }: AccountScene,
  person: SandboxPerson,
  { enclosed, metadata, text }: Content
): SandboxAnswer => {
  const happened = world.write(
    {
      account,
      author: asPerson(account),
      kind: "message",
      text,
      enclosed,
      isOwn: true,
      otherParty: Option.some(person),
      // Instagram's echo does not bring it back.
      sent: Option.some({
        metadata: network === "facebook" && typeof metadata === "string" ? Option.some(metadata) : Option.none()
      })
    },
    at
  )
  return { status: 200, body: { recipient_id: person.id, message_id: happened.writing.id }, happened }
}

/** Once a comment, within 7 days of it. It opens no window: the person has to answer first. */
const answerPrivately = (
  network: "instagram" | "facebook",
  scene: AccountScene,
  commentId: string,
  content: Content
): SandboxAnswer => {
  const { account, at, world } = scene
  const comment = Option.filter(
    world.findWriting(network, commentId),
    (one) => one.kind === "comment" && one.account.accountId === account.accountId && isVisible(one, at)
  )
  if (Option.isNone(comment)) return graphError(400, 100, 2_018_292, "(#100) Invalid comment_id")
  if (comment.value.isOwn) return graphError(400, 10_902, undefined, "(#10902) This activity can't be replied to")
  if (comment.value.isAnsweredPrivately)
    return graphError(400, 10_900, undefined, "(#10900) Activity already replied to")
  if (DateTime.isLessThan(DateTime.add(comment.value.writtenAt, { hours: humanAgent_h }), at)) {
    const subcode = network === "instagram" ? 2_534_022 : 2_018_278
    return graphError(400, 10, subcode, "(#10) This message is sent outside of allowed window.")
  }
  world.change("edited", { ...comment.value, isAnsweredPrivately: true }, at)
  return deliver(network, scene, comment.value.author, content)
}

/** `POST /me/messages`, `POST /{page}/messages`: only to who wrote within 24 hours. */
const send = (network: "instagram" | "facebook", scene: AccountScene, ask: Ask): SandboxAnswer => {
  const { account, at, world } = scene
  const { comment_id: commentId, id: recipientId } = member(ask, "recipient")
  const message = member(ask, "message")
  const file = sentFile(network, message, ask.loaded)
  if (Result.isFailure(file)) return file.failure
  const enclosed = file.success
  const { metadata, text = "" } = message
  if (typeof text !== "string" || (text.trim() === "" && Option.isNone(enclosed))) {
    return invalid("Param message must have text")
  }
  const { length, limit } = most[network]
  if (length(text) > limit) return invalid(`Length of param message[text] must be less than or equal to ${limit}`)
  if (typeof metadata === "string" && characterLength(metadata) > mostMetadata_chars) {
    return invalid(`Length of param message[metadata] must be less than or equal to ${mostMetadata_chars}`)
  }
  if (typeof commentId === "string") return answerPrivately(network, scene, commentId, { text, enclosed, metadata })
  const tag = ask.text("tag")
  if (tag !== undefined && tag !== "HUMAN_AGENT") return invalid("Param tag must be HUMAN_AGENT")
  if ((tag !== undefined) !== (ask.text("messaging_type") === "MESSAGE_TAG")) {
    return invalid("Param tag goes with the messaging_type MESSAGE_TAG")
  }
  const person = typeof recipientId === "string" ? world.findPerson(network, recipientId) : Option.none()
  const heard = Option.flatMap(person, ({ id }) =>
    Option.fromUndefinedOr(world.ofTalk(account, id).find(({ isOwn }) => !isOwn))
  )
  if (Option.isNone(person) || Option.isNone(heard)) {
    return network === "instagram"
      ? graphError(400, 100, 2_534_014, "(#100) No matching user found")
      : graphError(400, 100, 2_018_001, "(#100) No matching user found")
  }
  const end = DateTime.add(heard.value.writtenAt, { hours: tag === undefined ? window_h : humanAgent_h })
  if (DateTime.isLessThan(end, at)) {
    const subcode = network === "instagram" ? 2_534_022 : 2_018_278
    return graphError(400, 10, subcode, "(#10) This message is sent outside of allowed window.")
  }
  return deliver(network, scene, person.value, { text, enclosed, metadata })
}

export const sending = (network: "instagram" | "facebook", scope: string): Operation => ({
  name: "send",
  scope,
  answer: (scene, ask) => send(network, scene, ask)
})
