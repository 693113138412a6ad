import { AuthExpired } from "@loopbox/core/networks/ConnectorErrors"
import type { NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { repeatable } from "../calls/repeatable.ts"
import { baseUrl, rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { appOf, missingOf } from "../connect/appOf.ts"
import { readGivenToken, withoutFragment } from "../connect/codeAnswer.ts"
import { dialogAddress } from "../connect/dialogs.ts"
import { makeExchangeCalls } from "../connect/exchangeCalls.ts"
import { requested } from "../connect/requested.ts"
import type { Scopes } from "../connect/requested.ts"
import { shownPicture } from "../connect/shownPicture.ts"
import type { GraphApi } from "../meta/graphApi.ts"
import { Id, OptionalLink, OptionalName, reader } from "../payloads/payload.ts"
import { makeThreadsInspection } from "./threadsInspection.ts"
import type { ThreadsInspection } from "./threadsInspection.ts"

const scopes: Scopes = {
  always: ["threads_basic"],
  // An answer is a post.
  inbox: ["threads_read_replies", "threads_manage_replies", "threads_content_publish"],
  publish: ["threads_content_publish"],
  moderate: ["threads_manage_replies", "threads_delete"]
}

const readMe = reader(
  Schema.Struct({ id: Id, username: OptionalName, name: OptionalName, threads_profile_picture_url: OptionalLink })
)
const profileFields = "id,username,name,threads_profile_picture_url"

const makeExchange = (
  { unmetered }: NetworkCalls,
  settings: SocialSettings,
  inspection: ThreadsInspection
): NetworkConnect["exchange"] => {
  const app = appOf(settings.threadsAppId, settings.threadsAppSecrets)
  const host = baseUrl("threads", settings)
  const root = rootUrl("threads", settings)
  return Effect.fn("ThreadsConnect.exchange")(function* ({ code, redirectUri }) {
    const calls = makeExchangeCalls("threads", unmetered, [code, app.secret])
    const form = {
      client_id: app.id,
      client_secret: Redacted.value(app.secret),
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      code: withoutFragment(code)
    }
    const short = yield* calls.postForm(`${host}/oauth/access_token`, form, readGivenToken)
    calls.keepSecret(short.token)
    const query = { grant_type: "th_exchange_token", client_secret: app.secret, access_token: short.token }
    const long = yield* calls.get({ url: `${host}/access_token`, query, accessToken: short.token }, readGivenToken)
    calls.keepSecret(long.token)
    const accessToken = long.token
    const me = yield* calls.get({ url: `${root}/me`, query: { fields: profileFields }, accessToken }, readMe)
    const debugged = yield* inspection.atSignIn(calls, accessToken)
    const permissions = Option.match(debugged, { onNone: () => [], onSome: (one) => one.permissions })
    const now = yield* DateTime.now
    return [
      {
        networkAccountId: me.id,
        otherAccountId: Option.none(),
        throughAccountId: Option.none(),
        name: Option.getOrElse(
          Option.orElse(me.name, () => me.username),
          () => me.id
        ),
        username: me.username,
        avatarUrl: shownPicture(me.threads_profile_picture_url, "threads", settings),
        personIds: [me.id],
        permissions,
        token: Option.some({
          accessToken,
          refreshToken: Option.none(),
          expiresAt: Option.map(long.expiresIn_s, (seconds) => DateTime.add(now, { seconds }))
        }),
        hindrance: Option.none()
      }
    ]
  })
}

const ofProfile = { endpoint: "content", scopes: ["threads_basic"] } as const

/** Threads. Its webhooks are subscribed for the whole app, in its dashboard. */
export const threadsConnect = (graph: GraphApi, calls: NetworkCalls, settings: SocialSettings): NetworkConnect => {
  const permissionsFor: NetworkConnect["permissionsFor"] = (features) =>
    requested(scopes, settings.connectScopes?.threads, features)
  const inspection = makeThreadsInspection(calls, settings)

  return {
    login: "threads",
    missingSettings: missingOf([
      ["LOOPBOX_THREADS_APP_ID", settings.threadsAppId !== undefined],
      ["LOOPBOX_THREADS_APP_SECRETS", (settings.threadsAppSecrets ?? []).length > 0]
    ]),
    alwaysChooses: false,
    permissionsFor,
    authorizeUrl: ({ features, redirectUri, state }) =>
      Effect.sync(() =>
        dialogAddress("threads", settings, {
          client_id: settings.threadsAppId ?? "",
          redirect_uri: redirectUri,
          response_type: "code",
          scope: permissionsFor(features).join(","),
          state: Redacted.value(state)
        })
      ),
    exchange: makeExchange(calls, settings, inspection),
    inspect: Effect.fn("ThreadsConnect.inspect")(function* (access) {
      const me = yield* graph.readObject({ access, ...ofProfile, id: "me", fields: profileFields }, readMe)
      const debugged = yield* inspection.of(access)
      if (Option.exists(debugged, ({ isValid }) => !isValid)) {
        return yield* new AuthExpired({
          network: "threads",
          reason: "token",
          networkCode: Option.flatMap(debugged, ({ networkCode }) => networkCode),
          detail: "the network says that the token is not valid",
          missingScopes: []
        })
      }
      return {
        ids: [me.id],
        name: me.name,
        username: me.username,
        avatarUrl: shownPicture(me.threads_profile_picture_url, "threads", settings),
        permissions: Option.map(debugged, ({ permissions }) => permissions)
      }
    }),
    subscription: Option.none(),
    // By the subscription of the app, which is made in its dashboard.
    hearsByApp: settings.threadsAppSecrets !== undefined,
    revoke: Effect.fn("ThreadsConnect.revoke")((access) => {
      const call = { access, ...ofProfile, path: [access.networkAccountId, "permissions"] }
      return repeatable(graph.delete(call, () => Result.succeed(undefined))).pipe(
        // There is nothing to take back from a token that is no longer valid.
        Effect.catchIf(
          (error) => error._tag === "AuthExpired" && error.reason === "token",
          () => Effect.void
        )
      )
    }),
    revokesPerson: false
  }
}
