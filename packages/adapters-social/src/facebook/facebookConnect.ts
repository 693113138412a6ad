import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { Feature } from "@loopbox/core/networks/Feature"
import type { ConnectCandidate, Hindrance, NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import type { Scopes } from "../connect/requested.ts"
import { secureLink } from "../connect/secureLink.ts"
import type { GraphApi } from "../meta/graphApi.ts"
import { Id, OptionalLink, OptionalName, optionalPart, reader } from "../payloads/payload.ts"
import { makeFacebookLogin } from "./facebookLogin.ts"
import type { SignedIn } from "./facebookLogin.ts"
import { allows } from "./pages.ts"
import type { Page } from "./pages.ts"
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

/** Why a Page can't be chosen, whatever is to be done with it. */
export const hindranceOf = (page: Page, features: ReadonlyArray<Feature>): Option.Option<Hindrance> => {
  if (Option.isNone(page.token)) return Option.some("page_token_missing")
  return allows(page, features) ? Option.none() : Option.some("page_permission_required")
}

/** A Page's token has no end of its own. It is left out where the Page can't be chosen. */
export const tokenOf = ({ token }: Page, hindrance: Option.Option<Hindrance>): ConnectCandidate["token"] =>
  Option.isSome(hindrance)
    ? Option.none()
    : Option.map(token, (accessToken) => ({ accessToken, refreshToken: Option.none(), expiresAt: Option.none() }))

const candidateOf =
  ({ permissions, personId }: SignedIn, features: ReadonlyArray<Feature>) =>
  (page: Page): ConnectCandidate => {
    const hindrance = hindranceOf(page, features)
    return {
      networkAccountId: page.id,
      otherAccountId: Option.none(),
      throughAccountId: Option.none(),
      name: page.name,
      username: page.username,
      avatarUrl: secureLink(page.avatarUrl),
      personIds: [personId],
      permissions,
      token: tokenOf(page, hindrance),
      hindrance
    }
  }

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
      Effect.map(signIn(exchange), (signedIn) => signedIn.pages.map(candidateOf(signedIn, exchange.features)))
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
        avatarUrl: secureLink(Option.flatMap(picture, ({ data }) => data.url)),
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
