import type { ConnectFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AuthorizationRequest, CodeExchange, NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import type { Network } from "../names.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { appOf, appToken, missingOf } from "../connect/appOf.ts"
import { readGivenToken } from "../connect/codeAnswer.ts"
import { dialogAddress } from "../connect/dialogs.ts"
import { makeExchangeCalls } from "../connect/exchangeCalls.ts"
import type { ExchangeCalls } from "../connect/exchangeCalls.ts"
import { askedInDialog, requested, withThoseOfTheApp } from "../connect/requested.ts"
import type { Scopes } from "../connect/requested.ts"
import { permissionsOn, readDebuggedToken } from "../meta/debuggedToken.ts"
import type { GrantedFor } from "../meta/debuggedToken.ts"
import { Id, optionalParts, OptionalText, reader } from "../payloads/payload.ts"
import { appsecretProof } from "../payloads/signature.ts"
import { listPages } from "./listPages.ts"
import { offerPages } from "./offerPages.ts"
import type { OfferedPage } from "./offerPages.ts"

const readMe = reader(Schema.Struct({ id: Id }))

const Permission = Schema.Struct({ permission: Id, status: OptionalText })
const readPermissions = reader(Schema.Struct({ data: optionalParts(Permission) }))

const readGranted = (value: unknown): Result.Result<ReadonlyArray<string>, string> =>
  Result.map(readPermissions(value), ({ data }) =>
    data.filter(({ status }) => Option.contains(status, "granted")).map(({ permission }) => permission)
  )

/** More than an app can ask for; a page of the Graph API has fewer if nothing is said. */
const mostPermissions = "200"

/** What a person brings who signed in at Facebook. */
export interface SignedIn {
  /** The person's id for our app. */
  readonly personId: string
  /** What the person granted for an account, by its ids: a Page's, and that of the Instagram account behind it. */
  readonly permissionsOn: (...ids: ReadonlyArray<string>) => ReadonlyArray<string>
  /** At least one. */
  readonly pages: ReadonlyArray<OfferedPage>
}

/** Facebook's login, by which Pages are connected, and Instagram accounts through theirs. */
export interface FacebookLogin extends Pick<
  NetworkConnect,
  "missingSettings" | "permissionsFor" | "authorizeUrl" | "alwaysChooses" | "revokesPerson"
> {
  readonly signIn: (exchange: CodeExchange) => Effect.Effect<SignedIn, ConnectFailed>
}

/** `network` is whose accounts are connected; the calls are Facebook's. */
export const makeFacebookLogin = (
  network: Network,
  { unmetered }: NetworkCalls,
  settings: SocialSettings,
  scopes: Scopes,
  override: ReadonlyArray<string> | undefined
): FacebookLogin => {
  const app = appOf(settings.metaAppId, settings.metaAppSecrets)
  const root = rootUrl("facebook", settings)
  const permissionsFor: NetworkConnect["permissionsFor"] = (features) => requested(scopes, override, features)

  /** For which Pages permissions were granted: who can't be asked tells of none apart. */
  const askGrantedFor = (calls: ExchangeCalls, token: Redacted.Redacted<string>) => {
    const accessToken = appToken(app)
    calls.keepSecret(accessToken)
    const query = { input_token: token, access_token: accessToken }
    return calls.get({ url: `${root}/debug_token`, query, accessToken }, readDebuggedToken).pipe(
      Effect.map(({ grantedFor }) => grantedFor),
      Effect.catchTag("ConnectFailed", ({ networkCode }) =>
        Effect.as(
          Effect.logDebug("permissions are not told apart by Page", {
            network,
            networkCode: Option.getOrNull(networkCode)
          }),
          new Map() satisfies GrantedFor
        )
      )
    )
  }

  const signIn = Effect.fnUntraced(function* ({ code, features, redirectUri }: CodeExchange) {
    const calls = makeExchangeCalls(network, unmetered, [code, app.secret])
    const ofApp = { client_id: app.id, client_secret: app.secret }
    const giving = `${root}/oauth/access_token`
    const short = yield* calls.get(
      { url: giving, query: { ...ofApp, redirect_uri: redirectUri, code } },
      readGivenToken
    )
    calls.keepSecret(short.token)
    // Before Pages are read: tokens of Pages that come by a short token end with it (social-networks-write.md A3).
    const query = { grant_type: "fb_exchange_token", ...ofApp, fb_exchange_token: short.token }
    const { token } = yield* calls.get({ url: giving, query }, readGivenToken)
    calls.keepSecret(token)
    const proof = { appsecret_proof: Redacted.make(appsecretProof(app.secret, token)) }
    const asked = { accessToken: token }
    const permissions = yield* calls.get(
      { ...asked, url: `${root}/me/permissions`, query: { limit: mostPermissions, ...proof } },
      readGranted
    )
    const { id } = yield* calls.get({ ...asked, url: `${root}/me`, query: { fields: "id", ...proof } }, readMe)
    const grantedFor = yield* askGrantedFor(calls, token)
    const withInstagram = network === "instagram"
    const pages = yield* listPages(calls, { root, token, proof }, { permissions, withInstagram })
    if (pages.length === 0) return yield* calls.failed("no_pages", "the person has no Page, or allowed none")
    return {
      personId: id,
      permissionsOn: (...ids: ReadonlyArray<string>) =>
        withThoseOfTheApp(permissionsOn(permissions, grantedFor, ids), override),
      pages: yield* offerPages(calls, { app, root }, pages, { features, withInstagram })
    }
  })

  return {
    missingSettings: missingOf([
      ["LOOPBOX_META_APP_ID", settings.metaAppId !== undefined],
      ["LOOPBOX_META_APP_SECRETS", (settings.metaAppSecrets ?? []).length > 0]
    ]),
    // One Page among several may be meant, and a person sees which one is.
    alwaysChooses: true,
    permissionsFor,
    authorizeUrl: ({ features, redirectUri, state }: AuthorizationRequest) =>
      Effect.sync(() =>
        dialogAddress("facebook", settings, {
          client_id: app.id,
          redirect_uri: redirectUri,
          response_type: "code",
          scope: askedInDialog(permissionsFor(features)),
          state: Redacted.value(state),
          // What a person declined once is not asked again without it, in whichever session it was.
          auth_type: "rerequest"
        })
      ),
    signIn,
    revokesPerson: true
  }
}
