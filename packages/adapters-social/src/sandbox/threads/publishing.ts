import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { graphError, invalid } from "../graph/graphAnswers.ts"
import { missing } from "../graph/graphRoutes.ts"
import type { AccountScene, Ask, SandboxAnswer } from "../Operation.ts"
import { placeUnder } from "../control/placeUnder.ts"
import { statusOf } from "../publishing/Containers.ts"
import type { Container } from "../publishing/Containers.ts"
import { threadsLength } from "../textLimits.ts"
import { asPerson, isVisible } from "../World.ts"
import type { PostedMedia } from "../Writing.ts"
import { readMedia } from "./media.ts"
import { linkPattern } from "../x/postFields.ts"

const most_chars = 500
const mostLinks = 5
const mostPosts = 250

const audiences = new Set([
  "everyone",
  "accounts_you_follow",
  "mentioned_only",
  "parent_post_author_only",
  "followers_only"
])

/** What is wrong with the words of a container. */
const textRefusal = (ask: Ask, isNeeded: boolean): SandboxAnswer | undefined => {
  const text = ask.text("text") ?? ""
  if (isNeeded && text.trim() === "") return invalid("Param text is required")
  if (threadsLength(text) > most_chars) return invalid(`Param text must be at most ${most_chars} characters long.`)
  const links = new Set([...text.matchAll(linkPattern)].map(([link]) => link))
  if (links.size > mostLinks) return graphError(400, 100, undefined, "THREADS_API__LINK_LIMIT_EXCEEDED")
  const audience = ask.text("reply_control")
  if (audience !== undefined && !audiences.has(audience)) return invalid("Param reply_control is not one of its values")
  const isLinked = ask.text("link_attachment") !== undefined && ask.text("media_type") !== "TEXT"
  return isLinked ? invalid("Param link_attachment is only for media_type TEXT") : undefined
}

/** `POST /me/threads`: something to be published, as a post or as a reply. It shows nothing to anybody. */
export const createContainer = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const { account, at, containers, failsLater, settings, world } = scene
  const read = readMedia(scene, ask)
  if ("status" in read) return read
  const { children, failure, isPart, media, readyAt } = read
  const refusal = textRefusal(ask, Option.isNone(media) && !isPart)
  if (refusal !== undefined) return refusal
  const replyTo = ask.text("reply_to_id")
  const target = Option.flatMap(Option.fromUndefinedOr(replyTo), (id) => world.findWriting("threads", id))
  if (replyTo !== undefined && !Option.exists(target, (one) => isVisible(one, at))) return missing(scene, replyTo)
  const id = world.ids.next("threads", "container", account, Option.none())
  const sent = Option.some({ metadata: Option.none() })
  const own = { account, author: asPerson(account), text: ask.text("text") ?? "", isOwn: true, sent, posted: media }
  const draft =
    replyTo === undefined
      ? ({ ...own, kind: "post" } as const)
      : ({ ...own, kind: "comment", ...placeUnder(world, account, target, undefined, at) } as const)
  for (const child of children) containers.use(child)
  containers.add(
    {
      id,
      account,
      draft: isPart ? Option.none() : Option.some(draft),
      media,
      failure: Option.orElse(failsLater, () => failure),
      readyAt
    },
    settings.container_delay_ms,
    at
  )
  return { status: 200, body: { id } }
}

/** How many posts over the API, and how many replies, count for the quotas now. */
export const sentOfDay = ({ account, at, world }: AccountScene) => {
  const start = DateTime.subtract(at, { hours: 24 })
  const recent = world
    .ofAccount(account)
    .filter(({ sent, writtenAt }) => Option.isSome(sent) && DateTime.isGreaterThan(writtenAt, start))
  const replies = recent.filter(({ kind }) => kind === "comment").length
  return { posts: recent.length - replies, replies }
}

export const limits = { posts: mostPosts, replies: 1_000, deletes: 100 }

const publishNow = (scene: AccountScene, container: Container): SandboxAnswer => {
  const { at, containers, world } = scene
  const draft = Option.getOrUndefined(container.draft)
  if (draft === undefined) return invalid("A part of a carousel can't be published")
  const answered = Option.orElse(draft.parentId ?? Option.none(), () => draft.postId ?? Option.none())
  const target = Option.flatMap(answered, (id) => world.findWriting("threads", id))
  if (Option.exists(target, ({ isDeleted }) => isDeleted)) return invalid("The post to answer is not available")
  if (draft.kind === "post" && sentOfDay(scene).posts >= mostPosts) {
    return graphError(400, 9, 2_207_042, "The limit of posts in 24 hours is reached.")
  }
  containers.use(container)
  const happened = world.write(draft, at)
  return { status: 200, body: { id: happened.writing.id }, happened }
}

/** `POST /me/threads_publish`: once, and not before the container is ready. */
export const publish = (scene: AccountScene, ask: Ask): SandboxAnswer => {
  const id = ask.text("creation_id")
  if (id === undefined) return invalid("Param creation_id is required")
  const container = scene.containers.ofAccount(scene.account, id)
  if (Option.isNone(container)) return missing(scene, id)
  switch (statusOf(container.value, scene.at)) {
    case "IN_PROGRESS":
      return graphError(400, 24, 4_279_009, "The requested resource does not exist")
    case "PUBLISHED":
      return invalid("The media container was published before")
    case "EXPIRED":
      return invalid("The media container has expired")
    case "ERROR":
      return invalid("The media container is in an error state")
    case "FINISHED":
      return publishNow(scene, container.value)
  }
}

/** What a thread shows, in Threads' words. */
export const mediaType = (media: Option.Option<PostedMedia>): string =>
  Option.match(media, {
    onNone: () => "TEXT_POST",
    onSome: ({ kind }) => ({ image: "IMAGE", gif: "IMAGE", video: "VIDEO", carousel: "CAROUSEL_ALBUM" })[kind]
  })
