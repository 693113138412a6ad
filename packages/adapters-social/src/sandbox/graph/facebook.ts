import * as Option from "effect/Option"
import { decideDialog, openDialog } from "../consent/dialog.ts"
import { route } from "../control/routes.ts"
import { debugToken } from "../oauth/debugToken.ts"
import { facebookTokens, pickFacebookToken } from "../oauth/facebookTokens.ts"
import type { Operation, Route, Scene, SimulatedNetwork } from "../Operation.ts"
import { facebookOperations } from "./facebookOperations.ts"
import { facebookPublishing } from "./facebookPublishing.ts"
import { facebookPeople, isPersons } from "./facebookPeople.ts"
import { facebookPermissions } from "./facebookPermissions.ts"
import { nothing } from "./graphRoutes.ts"
import { sentAddress } from "./sentFile.ts"
import {
  goesToInstagram,
  instagramObject,
  instagramThroughPage,
  isOfInstagram,
  throughPageNames
} from "./throughPage.ts"

const network = "facebook"

const [authorize, decide, debug] = [openDialog(network), decideDialog(network), debugToken(network)]

const { accounts, comments, conversations, me, messageList, objects, posts, reply, send } = facebookOperations
const { hide, like, remove, subscribe, subscribed, unlike, unsubscribe } = facebookOperations
const { accounts: personAccounts, businesses, clientPages, me: personSelf, ownedPages, page } = facebookPeople

/** The operation for a Page's token, or the one for a person's. */
const byToken =
  (ofPage: Operation, ofPerson: Operation): Route["pick"] =>
  (_scene, _ask, grant) =>
    isPersons(grant) ? ofPerson : ofPage

/** The operation for something of the Page, or for the same of its Instagram account. */
const byObject =
  (ofPage: Operation, ofInstagram: Operation): Route["pick"] =>
  (scene, ask) =>
    isOfInstagram(scene, ask.param("id")) ? ofInstagram : ofPage

const isComment = ({ world }: Scene, id: string): boolean =>
  (["facebook", "instagram"] as const).some((one) =>
    Option.exists(world.findWriting(one, id), ({ kind }) => kind === "comment")
  )

const pickObject: Route["pick"] = (scene, ask, grant) => {
  const isSelf = Option.exists(grant, ({ accountId }) => accountId === ask.param("id"))
  if (isPersons(grant)) return isSelf ? personSelf : page
  const operation = objects.pick(scene, ask)
  return operation === nothing && isOfInstagram(scene, ask.param("id")) ? instagramObject(scene, ask) : operation
}

const { comments: igComments, conversations: igConversations, media, messages: igMessages } = instagramThroughPage
const { commentMedia, replies, reply: igReply, send: igSend } = instagramThroughPage
const { createPhoto, createPost, createReel, createVideo, receiveVideo, removePost } = facebookPublishing
const { hide: igHide, like: igLike, remove: igRemove, unlike: igUnlike } = instagramThroughPage

const version = "/facebook/:version"

const signIn: ReadonlyArray<Route> = [
  route("GET", `${version}/dialog/oauth`, authorize),
  route("POST", `${version}/dialog/oauth`, decide),
  route("GET", `${version}/debug_token`, debug),
  route("GET", "/facebook/debug_token", debug),
  ...(["GET", "POST"] as const).flatMap((method) => [
    { method, path: `${version}/oauth/access_token`, pick: pickFacebookToken } as const,
    { method, path: "/facebook/oauth/access_token", pick: pickFacebookToken } as const
  ])
]

/** Facebook Pages: graph.facebook.com. */
export const facebook: SimulatedNetwork = {
  network,
  routes: [
    ...signIn,
    { method: "GET", path: `${version}/me`, pick: byToken(me, personSelf) },
    { method: "GET", path: `${version}/me/accounts`, pick: byToken(accounts, personAccounts) },
    route("GET", `${version}/me/businesses`, businesses),
    route("GET", `${version}/:id/owned_pages`, ownedPages),
    route("GET", `${version}/:id/client_pages`, clientPages),
    route("GET", `${version}/me/permissions`, facebookPermissions.list),
    route("DELETE", `${version}/:id/permissions`, facebookPermissions.remove),
    route("DELETE", `${version}/:id/permissions/:permission`, facebookPermissions.remove),
    route("GET", `${version}/:id/published_posts`, posts),
    route("GET", `${version}/:id/media`, media),
    route("POST", `${version}/:id/media`, instagramThroughPage.create, ["image_url", "video_url"]),
    route("POST", `${version}/:id/media_publish`, instagramThroughPage.publish),
    route("GET", `${version}/:id/content_publishing_limit`, instagramThroughPage.limit),
    route("GET", `${version}/:id/stories`, instagramThroughPage.stories),
    route("POST", `${version}/:id/feed`, createPost),
    route("POST", `${version}/:id/photos`, createPhoto, ["url"]),
    route("POST", `${version}/:id/videos`, createVideo, ["file_url"]),
    route("POST", `${version}/:id/video_reels`, createReel),
    route("POST", "/facebook/video-upload/:version/:id", receiveVideo),
    { method: "GET", path: `${version}/:id/comments`, pick: byObject(comments, igComments) },
    { method: "POST", path: `${version}/:id/comments`, pick: byObject(reply, commentMedia), loads: ["attachment_url"] },
    { method: "POST", path: `${version}/:id/likes`, pick: byObject(like, igLike) },
    { method: "DELETE", path: `${version}/:id/likes`, pick: byObject(unlike, igUnlike) },
    { method: "POST", path: `${version}/:id`, pick: byObject(hide, igHide) },
    {
      method: "DELETE",
      path: `${version}/:id`,
      pick: (scene, ask, grant) => {
        const isOfComment = isComment(scene, ask.param("id"))
        const ofPage = isOfComment ? remove : removePost
        return byObject(ofPage, isOfComment ? igRemove : instagramThroughPage.removeMedia)(scene, ask, grant)
      }
    },
    route("GET", `${version}/:id/replies`, replies),
    route("POST", `${version}/:id/replies`, igReply),
    {
      method: "GET",
      path: `${version}/:id/conversations`,
      pick: (_scene, ask) => (ask.text("platform") === "instagram" ? igConversations : conversations)
    },
    { method: "GET", path: `${version}/:id/messages`, pick: byObject(messageList, igMessages) },
    {
      method: "POST",
      path: `${version}/:id/messages`,
      pick: (scene, ask) => (goesToInstagram(scene, ask) ? igSend : send),
      loads: sentAddress
    },
    route("GET", `${version}/:id/subscribed_apps`, subscribed),
    route("POST", `${version}/:id/subscribed_apps`, subscribe),
    route("DELETE", `${version}/:id/subscribed_apps`, unsubscribe),
    { method: "GET", path: `${version}/:id`, pick: pickObject }
  ],
  operations: [
    ...[me, accounts, posts, comments, reply, conversations, messageList, send, debug, authorize, decide],
    ...[subscribe, subscribed, unsubscribe, ...objects.all],
    ...[...facebookTokens, ...Object.values(facebookPeople), ...Object.values(facebookPermissions)],
    ...Object.values(facebookPublishing)
  ]
    .map(({ name }) => name)
    .concat(throughPageNames)
}
