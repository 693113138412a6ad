import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ConnectCandidate, NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import type { Scopes } from "../connect/requested.ts"
import { shownPicture } from "../connect/shownPicture.ts"
import type { GraphApi } from "../meta/graphApi.ts"
import { Id, OptionalLink, OptionalName, optionalPart, reader } from "../payloads/payload.ts"
import { makeFacebookLogin } from "./facebookLogin.ts"
import type { SignedIn } from "./facebookLogin.ts"
import { tokenOf } from "./offerPages.ts"
import type { OfferedPage } from "./offerPages.ts"
import { makePageSubscription } from "./pageSubscription.ts"
import { makePageTokens } from "./pageToken.ts"

const scopes: Scopes = {
  always: ["pages_show_list", "pages_read_engagement", "business_management"],
  inbox: ["pages_manage_metadata", "pages_read_user_content", "pages_manage_engagement", "pages_messaging"],
  publish: ["pages_manage_posts"],
  moderate: ["pages_read_user_content", "pages_manage_engagement"]
}

const Picture = Schema.Struct({ data: Schema.Struct({ url: OptionalLink }) })
const readOwn = reader(
  Schema.Struct({ id: Id, name: OptionalName, username: OptionalName, picture: optionalPart(Picture) })
)

const candidateOf =
  (settings: SocialSettings, { permissionsOn, personId }: SignedIn) =>
  (page: OfferedPage): ConnectCandidate => ({
    networkAccountId: page.id,
    otherAccountId: Option.none(),
    throughAccountId: Option.none(),
    name: page.name,
    username: page.username,
    avatarUrl: shownPicture(page.avatarUrl, "facebook", settings),
    personIds: [personId],
    permissions: permissionsOn(page.id),
    token: tokenOf(page),
    hindrance: page.hindrance
  })

/** Facebook Pages, by Facebook's login. */
export const facebookConnect = (graph: GraphApi, calls: NetworkCalls, settings: SocialSettings): NetworkConnect => {
  const { signIn, ...login } = makeFacebookLogin("facebook", calls, settings, scopes, settings.connectScopes?.facebook)
  const tokens = makePageTokens("facebook", calls, settings)
  const subscription = makePageSubscription(graph, settings.metaAppId)
  const pageOf = ({ networkAccountId }: AccountAccess) => networkAccountId
  return {
    login: "facebook",
    ...login,
    exchange: Effect.fn("FacebookConnect.exchange")((exchange) =>
      Effect.map(signIn(exchange), (signedIn) => signedIn.pages.map(candidateOf(settings, signedIn)))
    ),
    inspect: Effect.fn("FacebookConnect.inspect")(function* (access) {
      const { id, name, picture, username } = yield* graph.readObject(
        {
          access,
          endpoint: "content",
          scopes: ["pages_read_engagement"],
          id: access.networkAccountId,
          fields: "id,name,username,picture{url}"
        },
        readOwn
      )
      return {
        ids: [id],
        name,
        username,
        avatarUrl: shownPicture(
          Option.flatMap(picture, ({ data }) => data.url),
          "facebook",
          settings
        ),
        permissions: yield* tokens.permissions(access)
      }
    }),
    subscription: Option.some({
      isSubscribed: Effect.fn("FacebookConnect.isSubscribed")((access) =>
        subscription.isComplete(access, pageOf(access))
      ),
      subscribe: Effect.fn("FacebookConnect.subscribe")((access) => subscription.begin(access, pageOf(access))),
      unsubscribe: Effect.fn("FacebookConnect.unsubscribe")((access) => subscription.end(access, pageOf(access)))
    }),
    revoke: Effect.fn("FacebookConnect.revoke")((access) => tokens.revoke(access))
  }
}
