import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ConnectCandidate, Hindrance, NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import type { Scopes } from "../connect/requested.ts"
import { shownPicture } from "../connect/shownPicture.ts"
import { makeFacebookLogin } from "../facebook/facebookLogin.ts"
import type { SignedIn } from "../facebook/facebookLogin.ts"
import { tokenOf } from "../facebook/offerPages.ts"
import type { OfferedPage } from "../facebook/offerPages.ts"
import { makePageSubscription } from "../facebook/pageSubscription.ts"
import { makePageTokens } from "../facebook/pageToken.ts"
import type { GraphApi } from "../meta/graphApi.ts"
import { Id, OptionalLink, OptionalName, reader } from "../payloads/payload.ts"
import { instagramKinds, messenger } from "./instagramKinds.ts"

const scopes: Scopes = {
  always: ["instagram_basic", "pages_show_list", "pages_read_engagement", "business_management"],
  // Messages are told by the Page, which tells of any only to who may message in its name.
  inbox: ["instagram_manage_comments", "instagram_manage_messages", "pages_manage_metadata", "pages_messaging"],
  publish: ["instagram_content_publish"],
  // Likes, and posts that are deleted: only this login allows them.
  moderate: ["instagram_manage_comments", "instagram_manage_engagement", "instagram_manage_contents"]
}

const readOwn = reader(
  Schema.Struct({ id: Id, username: OptionalName, name: OptionalName, profile_picture_url: OptionalLink })
)

/** A Page without a professional Instagram account is listed, so that the person sees why it can't be chosen. */
const withoutInstagram = (
  page: OfferedPage,
  { permissionsOn, personId }: SignedIn,
  settings: SocialSettings
): ConnectCandidate => ({
  networkAccountId: page.id,
  otherAccountId: Option.none(),
  throughAccountId: Option.some(page.id),
  name: page.name,
  username: page.username,
  avatarUrl: shownPicture(page.avatarUrl, "facebook", settings),
  personIds: [personId],
  permissions: permissionsOn(page.id),
  token: Option.none(),
  hindrance: Option.some<Hindrance>("account_not_eligible")
})

const candidateOf =
  (settings: SocialSettings, signedIn: SignedIn) =>
  (page: OfferedPage): ConnectCandidate => {
    if (Option.isNone(page.instagram)) return withoutInstagram(page, signedIn, settings)
    const { id, name, profile_picture_url, username } = page.instagram.value
    return {
      networkAccountId: id,
      otherAccountId: Option.none(),
      throughAccountId: Option.some(page.id),
      name: Option.getOrElse(
        Option.orElse(name, () => username),
        () => page.name
      ),
      username,
      avatarUrl: shownPicture(profile_picture_url, "facebook", settings),
      personIds: [signedIn.personId],
      permissions: signedIn.permissionsOn(id, page.id),
      token: tokenOf(page),
      hindrance: page.hindrance
    }
  }

/** Instagram accounts by Facebook's login: reached through the Page that they are linked to, by its token. */
export const instagramPageConnect = (
  graph: GraphApi,
  ofPages: NetworkCalls,
  settings: SocialSettings
): NetworkConnect => {
  const override = settings.instagramLogin === "facebook" ? settings.connectScopes?.instagram : undefined
  const { signIn, ...login } = makeFacebookLogin("instagram", ofPages, settings, scopes, override)
  const tokens = makePageTokens("instagram", ofPages, settings)
  const subscription = makePageSubscription(graph, settings.metaAppId)
  const pageOf = (access: AccountAccess) => messenger(graph, access)
  return {
    login: "facebook",
    ...login,
    exchange: Effect.fn("InstagramPageConnect.exchange")((exchange) =>
      Effect.map(signIn(exchange), (signedIn) => signedIn.pages.map(candidateOf(settings, signedIn)))
    ),
    inspect: Effect.fn("InstagramPageConnect.inspect")(function* (access) {
      const asked = { id: access.networkAccountId, fields: "id,username,name,profile_picture_url" }
      const { id, name, profile_picture_url, username } = yield* graph.readObject(
        { access, ...instagramKinds(graph, access).media, ...asked },
        readOwn
      )
      return {
        ids: [id],
        name,
        username,
        avatarUrl: shownPicture(profile_picture_url, "facebook", settings),
        permissions: yield* tokens.permissions(access)
      }
    }),
    // The Page is subscribed, and tells of the Instagram account as well.
    subscription: Option.some({
      isSubscribed: Effect.fn("InstagramPageConnect.isSubscribed")((access) =>
        subscription.isComplete(access, pageOf(access))
      ),
      subscribe: Effect.fn("InstagramPageConnect.subscribe")((access) => subscription.begin(access, pageOf(access))),
      unsubscribe: Effect.fn("InstagramPageConnect.unsubscribe")((access) => subscription.end(access, pageOf(access)))
    }),
    revoke: Effect.fn("InstagramPageConnect.revoke")((access) => tokens.revoke(access))
  }
}
