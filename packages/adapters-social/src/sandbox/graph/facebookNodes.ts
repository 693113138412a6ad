import * as Option from "effect/Option"
import * as DateTime from "effect/DateTime"
import type { AccountScene, Ask } from "../Operation.ts"
import { offsetIso } from "../times.ts"
import { pictureOf } from "../pictures.ts"
import { asPerson, isVisible } from "../World.ts"
import type { AccountProfile, SandboxPerson, Writing } from "../Writing.ts"
import { shownOnComment } from "./enclosures.ts"
import { GraphEdge, GraphNode } from "./graphFields.ts"
import { pageOfField, readPage } from "./graphPages.ts"
import type { PagedList } from "./graphPages.ts"
import * as Result from "effect/Result"

const network = "facebook"

const picture = (avatarUrl: string) => ({ data: { url: avatarUrl, is_silhouette: false } })

const authorNode = ({ avatarUrl, id, name }: SandboxPerson): GraphNode =>
  new GraphNode("User", ["id", "name"], { id, name, picture: picture(avatarUrl) })

export const personNode = ({ avatarUrl, id, name }: SandboxPerson): GraphNode => {
  const [first_name = name, ...rest] = name.split(" ")
  return new GraphNode("User", ["id", "name"], {
    id,
    name,
    first_name,
    last_name: rest.join(" "),
    profile_pic: avatarUrl,
    picture: picture(avatarUrl)
  })
}

/** What everybody who sees a Page knows of it. */
export const pageMembers = (account: AccountProfile, ask: Ask) => ({
  id: account.accountId,
  name: account.name,
  username: account.username,
  category: "Local business",
  category_list: [{ id: "2500", name: "Local business" }],
  link: `https://www.facebook.com/${account.username}`,
  picture: picture(pictureOf(ask, account))
})

export const pageNode = ({ account, grant, logins, tokens }: AccountScene, ask: Ask): GraphNode => {
  const instagram = Option.filter(logins.owners.instagramOf(account.accountId), () =>
    tokens.permits(grant, "instagram_basic")
  )
  return new GraphNode("Page", ["id", "name"], {
    ...pageMembers(account, ask),
    access_token: grant.token,
    tasks: undefined,
    instagram_business_account: Option.getOrUndefined(
      Option.map(
        instagram,
        ({ accountId, name, username }) => new GraphNode("IGUser", ["id"], { id: accountId, name, username })
      )
    )
  })
}

/** Which comments, and in which order. */
interface CommentView {
  readonly filter: string | undefined
  readonly order: string | undefined
}

const topLevel = ({ parentId }: Writing): boolean => Option.isNone(parentId)

const inOrder = (writings: ReadonlyArray<Writing>, order: string | undefined): ReadonlyArray<Writing> =>
  order === "reverse_chronological" ? writings : writings.toReversed()

const commentList = (scene: AccountScene, ask: Ask, all: ReadonlyArray<Writing>): PagedList<Writing> => ({
  all,
  idOf: ({ id }) => id,
  isThere: (one) => !scene.settings.empty_lists && isVisible(one, scene.at),
  toNode: (one) => commentNode(scene, ask, one),
  standard: 25,
  most: 100
})

/** Comments of a post: the top ones, or with `filter=stream` all of them, flat. */
export const commentsOf = (scene: AccountScene, ask: Ask, postId: string, { filter, order }: CommentView) => {
  const all = scene.world.ofPost(network, postId)
  return commentList(scene, ask, inOrder(filter === "stream" ? all : all.filter(topLevel), order))
}

/** Answers to a comment. */
export const answersOf = (scene: AccountScene, ask: Ask, commentId: string, order: string | undefined) =>
  commentList(scene, ask, inOrder(scene.world.answersTo(network, commentId), order))

/** How many there are, where that is asked for. */
export const summaryOf = ({ at }: AccountScene, { all }: PagedList<Writing>, isAsked: boolean) => {
  const total_count = all.filter((one) => isVisible(one, at)).length
  return isAsked ? { summary: { order: "chronological", total_count, can_comment: true } } : {}
}

/** Comments as a field of a post or of a comment. */
const commentsEdge = (
  scene: AccountScene,
  ask: Ask,
  id: string,
  listOf: (view: CommentView) => PagedList<Writing>
): GraphEdge =>
  new GraphEdge((field) => {
    const list = listOf({ filter: field.args.get("filter"), order: field.args.get("order") })
    const page = readPage(list, pageOfField(field, ask, `/${network}/${ask.param("version")}/${id}/comments`))
    return Result.map(page, (page) => ({ ...page, ...summaryOf(scene, list, field.args.get("summary") === "true") }))
  })

export const commentNode = (scene: AccountScene, ask: Ask, writing: Writing): GraphNode => {
  const { author, id, isHidden, parentId, postId, text, writtenAt } = writing
  const answers = answersOf(scene, ask, id, undefined)
  const parent = Option.flatMap(parentId, (id) => scene.world.findWriting(network, id))
  return new GraphNode("Comment", ["id", "created_time", "from", "message"], {
    id,
    message: text,
    from: authorNode(author),
    created_time: offsetIso(writtenAt),
    parent: Option.getOrUndefined(Option.map(parent, (parent) => parentNode(scene, parent))),
    is_hidden: isHidden,
    comment_count: answers.all.filter(answers.isThere).length,
    like_count: 0,
    permalink_url: `https://www.facebook.com/${Option.getOrElse(postId, () => "")}?comment_id=${id}`,
    object: new GraphNode("Post", ["id"], { id: Option.getOrElse(postId, () => "") }),
    comments: commentsEdge(scene, ask, id, ({ order }) => answersOf(scene, ask, id, order)),
    can_reply_privately: undefined,
    can_comment: undefined,
    can_hide: undefined,
    attachment: shownOnComment(writing),
    message_tags: undefined
  })
}

/** A comment as the parent of another one. */
const parentNode = (scene: AccountScene, { author, id, parentId, text, writtenAt }: Writing): GraphNode => {
  const parent = Option.flatMap(parentId, (id) => scene.world.findWriting(network, id))
  return new GraphNode("Comment", ["id", "created_time", "from", "message"], {
    id,
    message: text,
    from: authorNode(author),
    created_time: offsetIso(writtenAt),
    parent: Option.getOrUndefined(Option.map(parent, (parent) => parentNode(scene, parent)))
  })
}

/** What a post shows; one that was written by hand, or stood there from the start, has a photo. */
const attachmentsOf = ({ posted, sent }: Writing, src: string, url: string) => {
  const photo = { media_type: "photo", media: { image: { src } }, title: "Photo", url }
  if (Option.isNone(sent)) return { data: [photo] }
  if (Option.isNone(posted)) return undefined
  const { keys, kind } = posted.value
  const shown = keys.map((id) => ({ ...photo, media_type: kind === "video" ? "video" : "photo", target: { id } }))
  const album = { media_type: "album", url, subattachments: { data: shown } }
  return { data: kind === "carousel" ? [album] : shown }
}

export const postNode = (scene: AccountScene, ask: Ask, writing: Writing): GraphNode => {
  const { account, id, sent, text, writtenAt } = writing
  const src = `https://media.example/facebook/${id}.jpg`
  const permalink_url = `https://www.facebook.com/${id}`
  return new GraphNode("Post", ["id", "created_time", "message"], {
    id,
    message: text === "" ? undefined : text,
    created_time: offsetIso(writtenAt),
    updated_time: offsetIso(writtenAt),
    permalink_url,
    full_picture: src,
    status_type: "added_photos",
    is_published: true,
    from: authorNode(asPerson(account)),
    attachments: attachmentsOf(writing, src, permalink_url),
    application: Option.isSome(sent) ? { id: scene.logins.apps.of("facebook").id } : undefined,
    comments: commentsEdge(scene, ask, id, (view) => commentsOf(scene, ask, id, view)),
    story: undefined,
    shares: undefined,
    picture: src
  })
}

/** The page's posts, newest first, within `since` and `until`. */
export const postsOf = (
  scene: AccountScene,
  ask: Ask,
  since: Option.Option<DateTime.Utc>,
  until: Option.Option<DateTime.Utc>
): PagedList<Writing> => ({
  all: scene.world.ofAccount(scene.account).filter(({ kind }) => kind === "post"),
  idOf: ({ id }) => id,
  isThere: (one) =>
    isVisible(one, scene.at) &&
    !Option.exists(since, (time) => DateTime.isLessThan(one.writtenAt, time)) &&
    !Option.exists(until, (time) => DateTime.isGreaterThan(one.writtenAt, time)),
  toNode: (one) => postNode(scene, ask, one),
  standard: 25,
  most: 100
})
