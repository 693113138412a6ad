import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { answerComment } from "./answerComment.ts"
import { sentAddress } from "./sentFile.ts"
import { conversationsEdge, findTalk, messagesEdge, singleMessage, talkNode } from "./graphMessages.ts"
import { graphError, invalid } from "./graphAnswers.ts"
import { fileInputs, instagramPublishing } from "./instagramPublishing.ts"
import { isReadable, listing, missing, nothing, reading } from "./graphRoutes.ts"
import { route } from "../control/routes.ts"
import { deletingComment, hidingComment, likingComment } from "./moderateComment.ts"
import { appSubscriptions } from "./appSubscriptions.ts"
import { decideDialog, openDialog } from "../consent/dialog.ts"
import { exchangeCode } from "../oauth/exchangeCode.ts"
import { exchangeToken, refreshToken } from "./graphTokens.ts"
import {
  accountNode,
  answersOf,
  appScopedId,
  isSelf,
  commentNode,
  commentsOf,
  mediaNode,
  mediaOf,
  personNode
} from "./instagramNodes.ts"
import type { AccountScene, Ask, Operation, Scene, SandboxAnswer, SimulatedNetwork } from "../Operation.ts"
import { sending } from "./sendMessage.ts"
import { characterLength } from "../textLimits.ts"
import { isVisible } from "../World.ts"
import type { Writing } from "../Writing.ts"

const network = "instagram"
const basic = "instagram_business_basic"
const comments = "instagram_business_manage_comments"
const messages = "instagram_business_manage_messages"

const mostComment_chars = 2_200

/** Something of the account's that is there now. */
const knownWriting = (scene: AccountScene, id: string, kind: Writing["kind"]): Result.Result<Writing, SandboxAnswer> =>
  Result.fromOption(
    Option.filter(
      scene.world.findWriting(network, id),
      (one) => one.kind === kind && one.account.accountId === scene.account.accountId && isVisible(one, scene.at)
    ),
    () => missing(scene, id)
  )

/** The same, of what may be read. */
const ownWriting = (scene: AccountScene, id: string, kind: Writing["kind"]): Result.Result<Writing, SandboxAnswer> =>
  Result.filterOrFail(knownWriting(scene, id, kind), isReadable(scene), () => missing(scene, id))

const me = reading("me", basic, ({ account }, ask) => Result.succeed(accountNode(account, ask)))

const media = listing("media", basic, (scene, ask) =>
  isSelf(scene, ask.param("id")) ? Result.succeed(mediaOf(scene, ask)) : Result.fail(missing(scene, ask.param("id")))
)

const commentList = listing("comments", comments, (scene, ask) =>
  Result.map(ownWriting(scene, ask.param("id"), "post"), ({ id }) => commentsOf(scene, ask, id))
)

const replies = listing("replies", comments, (scene, ask) =>
  Result.map(ownWriting(scene, ask.param("id"), "comment"), ({ id }) => answersOf(scene, ask, id))
)

const reply: Operation = {
  name: "reply",
  scope: comments,
  answer: (scene, ask) => {
    const target = knownWriting(scene, ask.param("id"), "comment")
    if (Result.isFailure(target)) return target.failure
    if (target.success.isHidden) return invalid("A hidden comment can't be answered")
    return answerComment(scene, ask, target.success, { length: characterLength, limit: mostComment_chars })
  }
}

/** A comment of the account's own on one of its posts. */
const commentMedia: Operation = {
  name: "comment_media",
  scope: comments,
  answer: (scene, ask) => {
    const target = knownWriting(scene, ask.param("id"), "post")
    if (Result.isFailure(target)) return target.failure
    return answerComment(scene, ask, target.success, { length: characterLength, limit: mostComment_chars })
  }
}

const conversations = listing("conversations", messages, (scene, ask) =>
  ask.text("platform") === "instagram"
    ? Result.succeed(conversationsEdge(scene, ask))
    : Result.fail(invalid("Param platform must be instagram"))
)

const messageList = listing("messages", messages, messagesEdge)

const mediaObject = reading("media_object", basic, (scene, ask) =>
  Result.map(ownWriting(scene, ask.param("id"), "post"), (one) => mediaNode(scene, ask, one))
)

const comment = reading("comment", comments, (scene, ask) =>
  Result.map(ownWriting(scene, ask.param("id"), "comment"), (one) => commentNode(scene, ask, one))
)

const conversation = reading("conversation", messages, (scene, ask) =>
  Result.map(
    Result.fromOption(findTalk(scene, scene.account, ask.param("id")), () => missing(scene, ask.param("id"))),
    (talk) => talkNode(scene, ask, talk)
  )
)

const message = reading("message", messages, (scene, ask) =>
  Result.flatMap(ownWriting(scene, ask.param("id"), "message"), (one) => {
    const node = singleMessage(scene, one)
    // It says "deleted" of what is only old; the subcode of what is gone would be a proof.
    return node === undefined ? Result.fail(invalid("This message has been deleted.")) : Result.succeed(node)
  })
)

const person = reading("person", messages, (scene, ask) => {
  const id = ask.param("id")
  return Result.flatMap(
    Result.fromOption(scene.world.findPerson(network, id), () => missing(scene, id)),
    (one) =>
      // Writing to the account is the consent.
      scene.world.ofTalk(scene.account, id).some(({ isOwn }) => !isOwn)
        ? Result.succeed(personNode(one))
        : Result.fail(graphError(400, 230, undefined, "(#230) User consent is required to access user profile"))
  )
})

const objectOf = ({ containers, world }: Scene, ask: Ask): Operation => {
  const id = ask.param("id")
  if (id.startsWith("aWdfZ")) return conversation
  if (Option.exists(containers.find(id), (one) => one.account.network === network)) return instagramPublishing.container
  if (Option.isSome(world.findPerson(network, id))) return person
  return Option.match(world.findWriting(network, id), {
    onNone: () =>
      world.findAccounts(network).some((one) => id === one.accountId || id === appScopedId(one)) ? me : nothing,
    onSome: ({ kind }) => ({ post: mediaObject, comment, message })[kind]
  })
}

const send = sending(network, messages)
const hide = hidingComment(network, comments)
const remove = deletingComment(network, comments)

const subscriptions = appSubscriptions(network, () => basic)
const { list: subscribed, subscribe, unsubscribe } = subscriptions
const [authorize, decide, code] = [openDialog(network), decideDialog(network), exchangeCode(network)]

const exchange = exchangeToken(network, "ig_exchange_token")
const refresh = refreshToken(network, "ig_refresh_token")

/** What Facebook's host does, too, for accounts that are linked to a Page. */
export const instagramOperations = {
  media,
  comments: commentList,
  replies,
  reply,
  commentMedia,
  conversations,
  messages: messageList,
  send,
  ...instagramPublishing,
  hide,
  remove,
  // Of accounts that Facebook's login connected only.
  like: likingComment(network, "instagram_manage_engagement", true),
  unlike: likingComment(network, "instagram_manage_engagement", false),
  objects: {
    pick: objectOf,
    all: [me, mediaObject, comment, conversation, message, person, instagramPublishing.container, nothing]
  }
}

/** Instagram with its own login: graph.instagram.com. */
export const instagram: SimulatedNetwork = {
  network,
  routes: [
    route("GET", "/instagram/oauth/authorize", authorize),
    route("POST", "/instagram/oauth/authorize", decide),
    route("POST", "/instagram/oauth/access_token", code),
    route("GET", "/instagram/access_token", exchange),
    route("GET", "/instagram/refresh_access_token", refresh),
    route("GET", "/instagram/:version/access_token", exchange),
    route("GET", "/instagram/:version/refresh_access_token", refresh),
    route("GET", "/instagram/:version/me", me),
    route("GET", "/instagram/:version/me/conversations", conversations),
    route("POST", "/instagram/:version/me/messages", send, sentAddress),
    ...["me", ":id"].flatMap((id) => [
      route("GET", `/instagram/:version/${id}/subscribed_apps`, subscribed),
      route("POST", `/instagram/:version/${id}/subscribed_apps`, subscribe),
      route("DELETE", `/instagram/:version/${id}/subscribed_apps`, unsubscribe)
    ]),
    route("GET", "/instagram/:version/:id/media", media),
    route("POST", "/instagram/:version/:id/media", instagramPublishing.create, fileInputs),
    route("POST", "/instagram/:version/:id/media_publish", instagramPublishing.publish),
    route("GET", "/instagram/:version/:id/content_publishing_limit", instagramPublishing.limit),
    route("GET", "/instagram/:version/:id/stories", instagramPublishing.stories),
    route("GET", "/instagram/:version/:id/comments", commentList),
    route("POST", "/instagram/:version/:id/comments", commentMedia),
    route("GET", "/instagram/:version/:id/replies", replies),
    route("POST", "/instagram/:version/:id/replies", reply),
    route("GET", "/instagram/:version/:id/conversations", conversations),
    route("GET", "/instagram/:version/:id/messages", messageList),
    route("POST", "/instagram/:version/:id/messages", send, sentAddress),
    route("POST", "/instagram/:version/:id", hide),
    {
      method: "DELETE",
      path: "/instagram/:version/:id",
      pick: ({ world }, ask) =>
        Option.exists(world.findWriting(network, ask.param("id")), ({ kind }) => kind === "comment")
          ? remove
          : instagramPublishing.removeMedia
    },
    { method: "GET", path: "/instagram/:version/:id", pick: objectOf }
  ],
  operations: [
    ...[me, media, commentList, replies, reply, hide, remove, conversations, messageList, send, exchange, refresh],
    ...[authorize, decide, code, subscribe, subscribed, unsubscribe],
    ...[mediaObject, comment, conversation, message, person, nothing, ...Object.values(instagramPublishing)]
  ].map(({ name }) => name)
}
