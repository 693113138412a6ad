import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { answerComment } from "./answerComment.ts"
import {
  answersOf,
  commentNode,
  commentsOf,
  pageNode,
  personNode,
  postNode,
  postsOf,
  summaryOf
} from "./facebookNodes.ts"
import { deletingComment, hidingComment, likingComment } from "./moderateComment.ts"
import { appSubscriptions } from "./appSubscriptions.ts"
import { invalid } from "./graphAnswers.ts"
import { facebookPublishing } from "./facebookPublishing.ts"
import { conversationsEdge, findTalk, messagesEdge, singleMessage, talkNode } from "./graphMessages.ts"
import { pageOfAsk, readPage, timeInput } from "./graphPages.ts"
import { isReadable, listing, missing, nothing, reading } from "./graphRoutes.ts"
import { toAnswer } from "../control/routes.ts"
import type { AccountScene, Ask, Operation, SandboxAnswer, Scene } from "../Operation.ts"
import { commentPicture } from "./sentFile.ts"
import { sending } from "./sendMessage.ts"
import { characterLength } from "../textLimits.ts"
import { isVisible } from "../World.ts"
import type { Writing } from "../Writing.ts"

const network = "facebook"
const read = "pages_read_user_content"
const engage = "pages_manage_engagement"
const pages = "pages_read_engagement"
const messaging = "pages_messaging"

const mostComment_chars = 8_000

const known = (scene: AccountScene, id: string): Result.Result<Writing, SandboxAnswer> =>
  Result.fromOption(
    Option.filter(
      scene.world.findWriting(network, id),
      (one) => one.account.accountId === scene.account.accountId && isVisible(one, scene.at)
    ),
    () => missing(scene, id)
  )

/** The same, of what may be read. */
const found = (scene: AccountScene, id: string): Result.Result<Writing, SandboxAnswer> =>
  Result.filterOrFail(known(scene, id), isReadable(scene), () => missing(scene, id))

const isSelf = ({ account }: AccountScene, id: string): boolean => id === "me" || id === account.accountId

const me = reading("me", pages, (scene, ask) => Result.succeed(pageNode(scene, ask)))

const accounts: Operation = {
  name: "accounts",
  scope: "pages_show_list",
  answer: ({ account }, ask) => ({
    status: 200,
    body: {
      data: [
        {
          id: account.accountId,
          name: account.name,
          access_token: /^Bearer (.+)$/i.exec(ask.authorization ?? "")?.[1] ?? ask.text("access_token"),
          tasks: ["MODERATE", "MESSAGING", "ANALYZE", "CREATE_CONTENT", "MANAGE"]
        }
      ]
    }
  })
}

const posts = listing("posts", pages, (scene, ask) =>
  Result.gen(function* () {
    if (!isSelf(scene, ask.param("id"))) return yield* Result.fail(missing(scene, ask.param("id")))
    return postsOf(scene, ask, yield* timeInput(ask, "since"), yield* timeInput(ask, "until"))
  })
)

/** Of a post its comments, of a comment its answers. */
const comments: Operation = {
  name: "comments",
  scope: read,
  answer: (scene, ask) =>
    toAnswer(
      Result.gen(function* () {
        const of = yield* found(scene, ask.param("id"))
        const [filter, order] = [ask.text("filter"), ask.text("order")]
        const list =
          of.kind === "post" ? commentsOf(scene, ask, of.id, { filter, order }) : answersOf(scene, ask, of.id, order)
        const page = yield* readPage(list, yield* pageOfAsk(ask))
        return { ...page, ...summaryOf(scene, list, ask.text("summary") === "true") }
      })
    )
}

const reply: Operation = {
  name: "reply",
  scope: engage,
  answer: (scene, ask) => {
    const target = known(scene, ask.param("id"))
    if (Result.isFailure(target)) return target.failure
    if (target.success.kind === "message") return missing(scene, ask.param("id"))
    const picture = commentPicture(ask, ask.loaded)
    if (Result.isFailure(picture)) return picture.failure
    const limit = { length: characterLength, limit: mostComment_chars }
    return answerComment(scene, ask, target.success, limit, picture.success)
  }
}

const conversations = listing("conversations", messaging, (scene, ask) =>
  isSelf(scene, ask.param("id")) && (ask.text("platform") ?? "messenger") === "messenger"
    ? Result.succeed(conversationsEdge(scene, ask))
    : Result.fail(invalid("Param platform must be messenger, of the page itself"))
)

const messageList = listing("messages", messaging, messagesEdge)

const post = reading("post", pages, (scene, ask) =>
  Result.map(found(scene, ask.param("id")), (one) => postNode(scene, ask, one))
)

const comment = reading("comment", read, (scene, ask) =>
  Result.map(found(scene, ask.param("id")), (one) => commentNode(scene, ask, one))
)

const conversation = reading("conversation", messaging, (scene, ask) =>
  Result.map(
    Result.fromOption(findTalk(scene, scene.account, ask.param("id")), () => missing(scene, ask.param("id"))),
    (talk) => talkNode(scene, ask, talk)
  )
)

const message = reading("message", messaging, (scene, ask) =>
  Result.flatMap(found(scene, ask.param("id")), (one) => {
    const node = singleMessage(scene, one)
    return node === undefined ? Result.fail(invalid("This message has been deleted.")) : Result.succeed(node)
  })
)

const person = reading("person", messaging, (scene, ask) =>
  Result.map(
    Result.fromOption(scene.world.findPerson(network, ask.param("id")), () => missing(scene, ask.param("id"))),
    personNode
  )
)

const objectOf = ({ pageMedia, world }: Scene, ask: Ask): Operation => {
  const id = ask.param("id")
  if (id.startsWith("t_")) return conversation
  if (pageMedia.isVideo(id)) return facebookPublishing.video
  if (Option.isSome(world.findPerson(network, id))) return person
  if (Option.isSome(world.findAccount(network, id))) return me
  return Option.match(world.findWriting(network, id), {
    onNone: () => nothing,
    onSome: ({ kind }) => ({ post, comment, message })[kind]
  })
}

const send = sending(network, messaging)
const hide = hidingComment(network, engage)
const remove = deletingComment(network, engage)
const like = likingComment(network, engage, true)
const unlike = likingComment(network, engage, false)

const {
  list: subscribed,
  subscribe,
  unsubscribe
} = appSubscriptions(network, (fields) =>
  fields.some((field) => /^message|^messaging|^standby$/.test(field)) ? messaging : "pages_manage_metadata"
)

/** What is asked in the name of a Page. */
export const facebookOperations = {
  ...{
    me,
    accounts,
    posts,
    comments,
    reply,
    conversations,
    messageList,
    send,
    hide,
    remove,
    like,
    unlike,
    subscribe,
    subscribed,
    unsubscribe
  },
  objects: { pick: objectOf, all: [post, comment, conversation, message, person, nothing] }
}
