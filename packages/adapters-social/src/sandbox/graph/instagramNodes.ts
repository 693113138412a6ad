import * as Option from "effect/Option"
import type { AccountScene, Ask } from "../Operation.ts"
import { offsetIso } from "../times.ts"
import { digitsOf } from "../worldIds.ts"
import { pictureOf } from "../pictures.ts"
import { isVisible } from "../World.ts"
import type { AccountProfile, SandboxPerson, Writing } from "../Writing.ts"
import { GraphEdge, GraphNode } from "./graphFields.ts"
import { hostOf, pageOfField, readPage } from "./graphPages.ts"
import type { PagedList } from "./graphPages.ts"

const network = "instagram"

/** The id by which only this app knows the account; webhooks use the other one. */
export const appScopedId = ({ accountId }: Pick<AccountProfile, "accountId">): string =>
  `25${digitsOf(`app ${accountId}`, 15)}`

/** Whether an id is the account's own. */
export const isSelf = ({ account }: AccountScene, id: string): boolean =>
  id === "me" || id === account.accountId || id === appScopedId(account)

/** The account itself. Facebook's host knows it by the id of webhooks alone. */
export const accountNode = (account: AccountProfile, ask: Ask): GraphNode => {
  const own = hostOf(ask) === network ? { user_id: account.accountId, account_type: "BUSINESS" } : {}
  return new GraphNode("IGUser", ["id"], {
    id: hostOf(ask) === network ? appScopedId(account) : account.accountId,
    ...own,
    username: account.username,
    name: account.name,
    profile_picture_url: pictureOf(ask, account),
    media_count: undefined,
    followers_count: undefined,
    follows_count: undefined,
    biography: undefined,
    website: undefined
  })
}

export const personNode = ({ avatarUrl, id, name, username }: SandboxPerson): GraphNode =>
  new GraphNode("IGUser", ["id", "name", "username"], {
    id,
    name,
    username,
    profile_pic: avatarUrl,
    follower_count: undefined,
    is_user_follow_business: undefined,
    is_business_follow_user: undefined,
    is_verified_user: undefined
  })

const photoOf = (id: string): string => `https://media.example/instagram/${id}.jpg`

/** The top comments of a media. */
export const commentsOf = (scene: AccountScene, ask: Ask, mediaId: string): PagedList<Writing> =>
  commentList(
    scene,
    ask,
    scene.world.ofPost(network, mediaId).filter(({ parentId }) => Option.isNone(parentId))
  )

/** The answers to a comment. */
export const answersOf = (scene: AccountScene, ask: Ask, commentId: string): PagedList<Writing> =>
  commentList(scene, ask, scene.world.answersTo(network, commentId))

const commentList = (scene: AccountScene, ask: Ask, all: ReadonlyArray<Writing>): PagedList<Writing> => ({
  all,
  idOf: ({ id }) => id,
  isThere: (one) => !scene.settings.empty_lists && isVisible(one, scene.at),
  toNode: (one) => commentNode(scene, ask, one),
  standard: 25,
  most: 50
})

export const commentNode = (scene: AccountScene, ask: Ask, writing: Writing): GraphNode => {
  const { author, id, isHidden, parentId, postId, text, writtenAt } = writing
  const mediaId = Option.getOrElse(postId, () => "")
  const replies = new GraphEdge((field) =>
    readPage(
      answersOf(scene, ask, id),
      pageOfField(field, ask, `/${hostOf(ask)}/${ask.param("version")}/${id}/replies`)
    )
  )
  return new GraphNode("IGComment", ["id", "text", "timestamp"], {
    id,
    // A picture that moves is told in no way but by this.
    text: text === "" ? undefined : text,
    timestamp: offsetIso(writtenAt),
    username: author.username,
    from: new GraphNode("IGUser", ["id", "username"], { id: author.id, username: author.username }),
    parent_id: Option.getOrUndefined(parentId),
    hidden: isHidden,
    like_count: 0,
    media: new GraphNode("IGMedia", ["id"], { id: mediaId, media_product_type: "FEED" }),
    // Absent where nobody answered.
    replies: Option.isNone(parentId) && hasAnswers(scene, id) ? replies : undefined,
    user: undefined,
    legacy_instagram_comment_id: undefined
  })
}

const hasAnswers = ({ at, world }: AccountScene, id: string): boolean =>
  world.answersTo(network, id).some((one) => isVisible(one, at))

const mediaTypes = { image: "IMAGE", gif: "IMAGE", video: "VIDEO", carousel: "CAROUSEL_ALBUM" }
const productTypes = { feed: "FEED", reel: "REELS", story: "STORY" }

export const mediaNode = (
  scene: AccountScene,
  ask: Ask,
  { account, id, posted, text, writtenAt }: Writing
): GraphNode =>
  new GraphNode("IGMedia", ["id"], {
    id,
    caption: text === "" ? undefined : text,
    media_type: Option.match(posted, { onNone: () => "IMAGE", onSome: ({ kind }) => mediaTypes[kind] }),
    media_product_type: productTypes[surfaceOf({ posted })],
    media_url: photoOf(id),
    thumbnail_url: undefined,
    permalink: `https://www.instagram.com/p/${id}/`,
    shortcode: id,
    timestamp: offsetIso(writtenAt),
    username: account.username,
    owner: new GraphNode("IGUser", ["id"], { id: account.accountId, username: account.username }),
    comments_count: scene.world.ofPost(network, id).filter((one) => isVisible(one, scene.at)).length,
    like_count: 0,
    is_comment_enabled: true,
    comments: new GraphEdge((field) =>
      readPage(
        commentsOf(scene, ask, id),
        pageOfField(field, ask, `/${hostOf(ask)}/${ask.param("version")}/${id}/comments`)
      )
    ),
    children: undefined,
    alt_text: Option.getOrUndefined(Option.flatMap(posted, ({ altTexts }) => Option.fromUndefinedOr(altTexts[0])))
  })

const surfaceOf = ({ posted }: Pick<Writing, "posted">) =>
  Option.match(posted, { onNone: () => "feed" as const, onSome: ({ surface }) => surface })

/** The account's posts, newest first; without its stories, or these alone. */
export const mediaOf = (scene: AccountScene, ask: Ask, areStories = false): PagedList<Writing> => ({
  all: scene.world
    .ofAccount(scene.account)
    .filter((one) => one.kind === "post" && (surfaceOf(one) === "story") === areStories),
  idOf: ({ id }) => id,
  isThere: (one) => isVisible(one, scene.at),
  toNode: (one) => mediaNode(scene, ask, one),
  standard: 25,
  most: 100
})
