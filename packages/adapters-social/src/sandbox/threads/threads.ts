import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { graphError, invalid } from "../graph/graphAnswers.ts"
import { GraphNode } from "../graph/graphFields.ts"
import type { PagedList } from "../graph/graphPages.ts"
import { listing, missing, nothing, reading } from "../graph/graphRoutes.ts"
import { decideDialog, openDialog } from "../consent/dialog.ts"
import { route } from "../control/routes.ts"
import { threadsAppToken } from "../oauth/appTokens.ts"
import { debugToken } from "../oauth/debugToken.ts"
import { exchangeCode } from "../oauth/exchangeCode.ts"
import { exchangeToken, refreshToken } from "../graph/graphTokens.ts"
import type { AccountScene, Ask, Operation, SandboxAnswer, Scene, SimulatedNetwork } from "../Operation.ts"
import { pictureOf } from "../pictures.ts"
import { asPerson, isVisible } from "../World.ts"
import type { Writing } from "../Writing.ts"
import { statusOf } from "../publishing/Containers.ts"
import { createContainer, limits, publish, sentOfDay } from "./publishing.ts"
import { threadNode } from "./threadNode.ts"

const network = "threads"
const basic = "threads_basic"
const readReplies = "threads_read_replies"
const manage = "threads_manage_replies"
const publishing = "threads_content_publish"

const found = (scene: AccountScene, id: string): Result.Result<Writing, SandboxAnswer> =>
  Result.fromOption(
    Option.filter(scene.world.findWriting(network, id), (one) => isVisible(one, scene.at)),
    () => missing(scene, id)
  )

const listOf = (scene: AccountScene, all: ReadonlyArray<Writing>): PagedList<Writing> => ({
  all,
  idOf: ({ id }) => id,
  isThere: (one) => isVisible(one, scene.at),
  toNode: (one) => threadNode(scene, one),
  standard: 25,
  most: 100,
  endsWithoutCursor: true
})

const me = reading("me", basic, ({ account }, ask) => {
  const { id, name, username } = asPerson(account)
  return Result.succeed(
    new GraphNode("User", ["id"], {
      id,
      username,
      name,
      threads_profile_picture_url: pictureOf(ask, account),
      threads_biography: undefined,
      is_verified: false
    })
  )
})

const own = (scene: AccountScene) => scene.world.ofAccount(scene.account).filter(({ isOwn }) => isOwn)

const since = (ask: Ask) => {
  const seconds = ask.text("since")
  return (one: Writing) => seconds === undefined || DateTime.toEpochMillis(one.writtenAt) >= Number(seconds) * 1000
}

const threadList = listing("threads", basic, (scene, ask) =>
  Result.succeed(
    listOf(
      scene,
      own(scene)
        .filter(({ kind }) => kind === "post")
        .filter(since(ask))
    )
  )
)

const ownReplies = listing("own_replies", readReplies, (scene, ask) =>
  Result.succeed(
    listOf(
      scene,
      own(scene)
        .filter(({ kind }) => kind === "comment")
        .filter(since(ask))
    )
  )
)

/** Newest first, unless `reverse` is `false`. */
const inOrder = (ask: Ask, writings: ReadonlyArray<Writing>): ReadonlyArray<Writing> =>
  ask.text("reverse") === "false" ? writings.toReversed() : writings

const rootOf = ({ id, postId }: Writing): string => Option.getOrElse(postId, () => id)

const conversation = listing("conversation", readReplies, (scene, ask) =>
  Result.map(found(scene, ask.param("id")), (one) =>
    listOf(scene, inOrder(ask, scene.world.ofPost(network, rootOf(one))))
  )
)

const replies = listing("replies", readReplies, (scene, ask) =>
  Result.map(found(scene, ask.param("id")), ({ id, kind }) => {
    const direct =
      kind === "post"
        ? scene.world.ofPost(network, id).filter(({ parentId }) => Option.isNone(parentId))
        : scene.world.answersTo(network, id)
    return listOf(scene, inOrder(ask, direct))
  })
)

const thread = reading("thread", basic, (scene, ask) =>
  Result.map(found(scene, ask.param("id")), (one) => threadNode(scene, one))
)

const container = reading("container", basic, (scene, ask) =>
  Result.map(
    Result.fromOption(scene.containers.ofAccount(scene.account, ask.param("id")), () =>
      missing(scene, ask.param("id"))
    ),
    (one) => {
      const status = statusOf(one, scene.at)
      const error_message = status === "ERROR" ? Option.getOrUndefined(one.failure) : undefined
      return new GraphNode("MediaContainer", ["id", "status"], { id: one.id, status, error_message })
    }
  )
)

const objectOf = (scene: Scene, ask: Ask): Operation => {
  const id = ask.param("id")
  if (Option.exists(scene.containers.find(id), ({ account }) => account.network === network)) return container
  if (Option.isSome(scene.world.findAccount(network, id))) return me
  return Option.isSome(scene.world.findWriting(network, id)) ? thread : nothing
}

const day_s = 86_400
const quota = (quota_total: number) => ({ quota_total, quota_duration: day_s })

/** Deletions count by when their posts were written, which is all that the world keeps of them. */
const deletesOfDay = (scene: AccountScene): number =>
  own(scene).filter(
    ({ isDeleted, writtenAt }) =>
      isDeleted && DateTime.isGreaterThan(writtenAt, DateTime.subtract(scene.at, { seconds: day_s }))
  ).length

const remove: Operation = {
  name: "delete",
  scope: "threads_delete",
  answer: (scene, ask) => {
    const id = ask.param("id")
    const one = Result.filterOrFail(
      found(scene, id),
      ({ isOwn }) => isOwn,
      () => missing(scene, id)
    )
    if (Result.isFailure(one)) return one.failure
    if (deletesOfDay(scene) >= limits.deletes) return graphError(400, 4, undefined, "(#4) Too many deletions")
    const happened = scene.world.change("deleted", { ...one.success, isDeleted: true }, scene.at)
    return { status: 200, body: { success: true, deleted_id: id }, happened }
  }
}

const limit: Operation = {
  name: "publishing_limit",
  scope: publishing,
  answer: (scene) => {
    const { posts, replies } = sentOfDay(scene)
    return {
      status: 200,
      body: {
        data: [
          {
            quota_usage: posts,
            config: quota(limits.posts),
            reply_quota_usage: replies,
            reply_config: quota(limits.replies),
            delete_quota_usage: deletesOfDay(scene),
            delete_config: quota(limits.deletes)
          }
        ]
      }
    }
  }
}

const hide: Operation = {
  name: "manage_reply",
  scope: manage,
  answer: (scene, ask) => {
    const reply = found(scene, ask.param("id"))
    if (Result.isFailure(reply)) return reply.failure
    const isHidden = ask.text("hide")
    if (isHidden !== "true" && isHidden !== "false") return invalid("Param hide must be true or false")
    if (reply.success.kind !== "comment") return graphError(400, 10, undefined, "(#10) Only a reply can be hidden")
    if (Option.isSome(reply.success.parentId)) return invalid("Only a top-level reply can be hidden")
    const happened = scene.world.change(
      isHidden === "true" ? "hidden" : "shown",
      { ...reply.success, isHidden: isHidden === "true", wasHidden: true },
      scene.at
    )
    return { status: 200, body: { success: true }, happened }
  }
}

const create: Operation = { name: "create_container", scope: publishing, answer: createContainer }
const publishOne: Operation = { name: "publish", scope: publishing, answer: publish }
const exchange = exchangeToken(network, "th_exchange_token")
const refresh = refreshToken(network, "th_refresh_token")

const [authorize, decide, code] = [openDialog(network), decideDialog(network), exchangeCode(network)]
const debug = debugToken(network)

/** The account's people take the permission back. */
const removeApp: Operation = {
  name: "remove_app",
  answer: ({ account: { accountId }, logins, tokens }, ask) => {
    if (ask.param("id") !== "me" && ask.param("id") !== accountId)
      return graphError(400, 100, 33, "Unsupported request")
    tokens.endAll(network, [accountId])
    logins.consents.remove(network, accountId)
    return { status: 200, body: { success: true } }
  }
}

/** Threads: graph.threads.net. */
export const threads: SimulatedNetwork = {
  network,
  routes: [
    route("GET", "/threads/oauth/authorize", authorize),
    route("POST", "/threads/oauth/authorize", decide),
    route("POST", "/threads/oauth/access_token", code),
    route("GET", "/threads/oauth/access_token", threadsAppToken),
    route("GET", "/threads/:version/debug_token", debug),
    route("GET", "/threads/debug_token", debug),
    route("DELETE", "/threads/:version/:id/permissions", removeApp),
    route("GET", "/threads/access_token", exchange),
    route("GET", "/threads/refresh_access_token", refresh),
    route("GET", "/threads/:version/access_token", exchange),
    route("GET", "/threads/:version/refresh_access_token", refresh),
    route("GET", "/threads/:version/me", me),
    route("GET", "/threads/:version/me/threads", threadList),
    route("POST", "/threads/:version/me/threads", create, ["image_url", "video_url"]),
    route("POST", "/threads/:version/me/threads_publish", publishOne),
    route("GET", "/threads/:version/me/replies", ownReplies),
    route("GET", "/threads/:version/me/threads_publishing_limit", limit),
    route("GET", "/threads/:version/:id/conversation", conversation),
    route("GET", "/threads/:version/:id/replies", replies),
    route("POST", "/threads/:version/:id/manage_reply", hide),
    route("DELETE", "/threads/:version/:id", remove),
    { method: "GET", path: "/threads/:version/:id", pick: objectOf }
  ],
  operations: [
    ...[me, threadList, create, publishOne, ownReplies, limit, conversation, replies, hide, exchange, refresh],
    ...[authorize, decide, code, threadsAppToken, debug, removeApp, remove, thread, container, nothing]
  ].map(({ name }) => name)
}
