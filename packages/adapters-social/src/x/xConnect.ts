import type { NetworkConnect, WebhookSubscription } from "@loopbox/core/networks/NetworkConnect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as oauth from "oauth4webapi"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { missingOf } from "../connect/appOf.ts"
import { dialogAddress } from "../connect/dialogs.ts"
import { requested } from "../connect/requested.ts"
import type { Scopes } from "../connect/requested.ts"
import { shownPicture } from "../connect/shownPicture.ts"
import type { XApi } from "./XApi.ts"
import { makeXExchange, meFields, readMe } from "./xExchange.ts"
import { makeXOAuth } from "./xOAuth.ts"
import { makeXRevoke } from "./xRevoke.ts"

const scopes: Scopes = {
  // Without offline.access an account is lost after two hours.
  always: ["tweet.read", "users.read", "offline.access"],
  inbox: ["tweet.write"],
  publish: ["tweet.write", "media.write"],
  moderate: ["tweet.write", "tweet.moderate.write", "like.read", "like.write"]
}

/** X, by OAuth 2 with PKCE. A code lives for 30 seconds. */
export const xConnect = (
  api: XApi,
  calls: NetworkCalls,
  settings: SocialSettings,
  subscription: Option.Option<WebhookSubscription>
): NetworkConnect => {
  const root = rootUrl("x", settings)
  const client = settings.xClient
  const library = client === undefined ? undefined : makeXOAuth(root, client, calls.unmetered.post)
  const permissionsFor: NetworkConnect["permissionsFor"] = (features) =>
    requested(scopes, settings.connectScopes?.x, features)
  return {
    login: "x",
    missingSettings: missingOf([["LOOPBOX_X_CLIENT_ID", client !== undefined]]),
    alwaysChooses: false,
    permissionsFor,
    authorizeUrl: ({ features, redirectUri, state, verifier }) =>
      Effect.map(
        Effect.promise(() => oauth.calculatePKCECodeChallenge(Redacted.value(verifier))),
        (code_challenge) =>
          dialogAddress("x", settings, {
            response_type: "code",
            client_id: client?.id ?? "",
            redirect_uri: redirectUri,
            scope: permissionsFor(features).join(" "),
            state: Redacted.value(state),
            code_challenge,
            code_challenge_method: "S256"
          })
      ),
    exchange: makeXExchange(calls, settings, library, permissionsFor),
    // X does not tell which scopes a token has.
    inspect: Effect.fn("XConnect.inspect")(function* (access) {
      const call = { path: "/users/me", endpoint: "users/me", query: () => meFields }
      const { data } = yield* api.read(access, call, readMe)
      return {
        ids: [data.id],
        name: data.name,
        username: data.username,
        avatarUrl: shownPicture(data.profile_image_url, "x", settings),
        permissions: Option.none()
      }
    }),
    subscription,
    revoke: makeXRevoke(calls, library),
    revokesPerson: false
  }
}
