import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { decideDialog, openDialog } from "../consent/dialog.ts"
import { xTokens } from "../oauth/xTokens.ts"
import { route, toAnswer } from "../control/routes.ts"
import type { AccountScene, Ask, Operation, SandboxAnswer, SimulatedNetwork } from "../Operation.ts"
import { pictureOf } from "../pictures.ts"
import { asPerson } from "../World.ts"
import type { AccountProfile } from "../Writing.ts"
import { createPost, deletePost } from "./createPost.ts"
import { xModeration } from "./moderate.ts"
import { invalidRequest, notFound } from "./xAnswers.ts"
import { xUploadOperations } from "./uploads.ts"
import { searchRecent } from "./xSearch.ts"
import { findPost, findUser, showAround, shownOf, showPost, showUser } from "./xShow.ts"
import { readTimeline } from "./xTimeline.ts"
import { xSubscriptions } from "./xSubscriptions.ts"
import { xWebhooks } from "./xWebhooks.ts"

const readTweets = "tweet.read"
const writeTweets = "tweet.write"
const readUsers = "users.read"

/** X tells of what is not there with a 200. */
const nothing = (kind: "user" | "tweet", id: string): SandboxAnswer => ({
  status: 200,
  body: { errors: [notFound(kind, id)] }
})

const reading = (
  name: string,
  scope: string,
  read: (scene: AccountScene, ask: Ask) => Result.Result<unknown, SandboxAnswer>
): Operation => ({ name, scope, answer: (scene, ask) => toAnswer(read(scene, ask)) })

const me = reading("me", readUsers, (scene, ask) =>
  Result.map(shownOf(scene, ask), (shown) => ({
    data: showUser({ ...asPerson(scene.account), avatarUrl: pictureOf(ask, scene.account) }, shown)
  }))
)

const user = reading("user", readUsers, (scene, ask) =>
  Result.gen(function* () {
    const shown = yield* shownOf(scene, ask)
    const person = findUser(scene, ask.param("id"))
    return Option.isNone(person)
      ? yield* Result.fail(nothing("user", ask.param("id")))
      : { data: showUser(person.value, shown) }
  })
)

/** Newest 800, pages of 5 to 100. */
const timeline = { least: 5, most: 100, reach: 800, tokens: ["pagination_token"] }

const accountOf = (scene: AccountScene, ask: Ask): Result.Result<AccountProfile, SandboxAnswer> =>
  Result.fromOption(scene.world.findAccount("x", ask.param("id")), () => nothing("user", ask.param("id")))

const mentions = reading("mentions", readTweets, (scene, ask) =>
  Result.flatMap(accountOf(scene, ask), (account) =>
    readTimeline(
      scene,
      ask,
      scene.world.ofAccount(account).filter(
        ({ isOwn, quotedId, text }) =>
          // A quote without the handle mentions nobody.
          !isOwn && (Option.isNone(quotedId) || text.includes(`@${account.username}`))
      ),
      timeline
    )
  )
)

const userTweets = reading("user_tweets", readTweets, (scene, ask) =>
  Result.flatMap(accountOf(scene, ask), (account) => {
    const isWithoutReplies = (ask.text("exclude") ?? "").split(",").includes("replies")
    return readTimeline(
      scene,
      ask,
      scene.world.ofAccount(account).filter(({ isOwn, kind }) => isOwn && (kind === "post" || !isWithoutReplies)),
      timeline
    )
  })
)

const tweet = reading("tweet", readTweets, (scene, ask) =>
  Result.gen(function* () {
    const shown = yield* shownOf(scene, ask)
    const post = findPost(scene, ask.param("id"))
    if (Option.isNone(post)) return yield* Result.fail(nothing("tweet", ask.param("id")))
    return { data: showPost(post.value, shown), ...showAround(scene, [post.value], shown) }
  })
)

const mostIds = 100

const tweets = reading("tweets", readTweets, (scene, ask) =>
  Result.gen(function* () {
    const shown = yield* shownOf(scene, ask)
    const ids = (ask.text("ids") ?? "").split(",").filter((id) => id !== "")
    if (ids.length === 0 || ids.length > mostIds) {
      return yield* Result.fail(
        invalidRequest("ids", ids.join(","), `The \`ids\` query parameter takes 1 to ${mostIds}`)
      )
    }
    const posts = ids.flatMap((id) => Option.toArray(findPost(scene, id)))
    const missing = ids.filter((id) => Option.isNone(findPost(scene, id))).map((id) => notFound("tweet", id, "ids"))
    const { errors, ...around } = showAround(scene, posts, shown)
    const all = [...missing, ...(Array.isArray(errors) ? errors : [])]
    return {
      ...(posts.length > 0 ? { data: posts.map((post) => showPost(post, shown)) } : {}),
      ...around,
      ...(all.length > 0 ? { errors: all } : {})
    }
  })
)

const search = reading("search_recent", readTweets, searchRecent)
const create: Operation = { name: "create_tweet", scope: writeTweets, answer: createPost }
const remove: Operation = { name: "delete_tweet", scope: writeTweets, answer: deletePost }
const { append, describe, finalize, initialize, status, upload } = xUploadOperations
const [authorize, decide] = [openDialog("x"), decideDialog("x")]

/** X: api.x.com, version 2. */
export const x: SimulatedNetwork = {
  network: "x",
  routes: [
    route("GET", "/x/i/oauth2/authorize", authorize),
    route("POST", "/x/i/oauth2/authorize", decide),
    route("POST", "/x/2/oauth2/token", xTokens.token),
    route("POST", "/x/2/oauth2/revoke", xTokens.revoke),
    route("GET", "/x/2/webhooks", xWebhooks.list),
    route("POST", "/x/2/webhooks", xWebhooks.register),
    route("PUT", "/x/2/webhooks/:id", xWebhooks.validate),
    route("DELETE", "/x/2/webhooks/:id", xWebhooks.remove),
    route("GET", "/x/2/users/me", me),
    route("GET", "/x/2/users/:id", user),
    route("GET", "/x/2/users/:id/mentions", mentions),
    route("GET", "/x/2/users/:id/tweets", userTweets),
    route("GET", "/x/2/tweets", tweets),
    route("POST", "/x/2/tweets", create),
    route("GET", "/x/2/tweets/search/recent", search),
    route("DELETE", "/x/2/tweets/:id", remove),
    route("POST", "/x/2/media/upload", upload),
    route("GET", "/x/2/media/upload", status),
    route("POST", "/x/2/media/upload/initialize", initialize),
    route("POST", "/x/2/media/upload/:id/append", append),
    route("POST", "/x/2/media/upload/:id/finalize", finalize),
    route("POST", "/x/2/media/metadata", describe),
    route("GET", "/x/2/tweets/:id", tweet),
    route("PUT", "/x/2/tweets/:id/hidden", xModeration.hide),
    route("POST", "/x/2/users/:id/likes", xModeration.like),
    route("DELETE", "/x/2/users/:id/likes/:tweet", xModeration.unlike),
    route("GET", "/x/2/activity/subscriptions", xSubscriptions.list),
    route("POST", "/x/2/activity/subscriptions", xSubscriptions.subscribe),
    route("DELETE", "/x/2/activity/subscriptions/:id", xSubscriptions.unsubscribe)
  ],
  operations: [
    ...[authorize, decide, me, user, mentions, userTweets, tweets, create, remove, search, tweet],
    ...Object.values(xUploadOperations),
    ...Object.values(xTokens),
    ...Object.values(xModeration),
    ...Object.values(xWebhooks),
    ...Object.values(xSubscriptions)
  ].map(({ name }) => name)
}
