import type { ConnectCandidate, NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { baseUrl, rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { appOf, missingOf } from "../connect/appOf.ts"
import { listedOrBare, readGivenToken, withoutFragment } from "../connect/codeAnswer.ts"
import type { GivenToken } from "../connect/codeAnswer.ts"
import { dialogAddress, instagramCodeHost } from "../connect/dialogs.ts"
import { makeExchangeCalls } from "../connect/exchangeCalls.ts"
import { askedInDialog, requested, withThoseOfTheApp } from "../connect/requested.ts"
import type { Scopes } from "../connect/requested.ts"
import { shownPicture } from "../connect/shownPicture.ts"
import { makeAppSubscription, subscriptionCall } from "../meta/appSubscription.ts"
import type { GraphApi } from "../meta/graphApi.ts"
import { Id, OptionalId, OptionalLink, OptionalName, OptionalText, reader } from "../payloads/payload.ts"
import { instagramKinds } from "./instagramKinds.ts"

const scopes: Scopes = {
  always: ["instagram_business_basic"],
  inbox: ["instagram_business_manage_comments", "instagram_business_manage_messages"],
  publish: ["instagram_business_content_publish"],
  moderate: ["instagram_business_manage_comments"]
}

/** What an inbox is made of; Instagram sends all fields of the app where an account is subscribed to any. */
const neededFields = ["comments", "messages"]
const fields = [...neededFields, "live_comments", "message_edit", "messaging_postbacks"]

const profile = {
  username: OptionalName,
  name: OptionalName,
  profile_picture_url: OptionalLink
}
/** Whoever connects has to be named by the id that webhooks use. */
const readBareMe = reader(Schema.Struct({ ...profile, id: Id, user_id: Id, account_type: OptionalText }))
const readBareOwn = reader(Schema.Struct({ ...profile, id: Id, user_id: OptionalId }))
const readMe = (value: unknown) => readBareMe(listedOrBare(value))
const readOwn = (value: unknown) => readBareOwn(listedOrBare(value))

const overrideOf = ({ connectScopes, instagramLogin }: SocialSettings) =>
  instagramLogin === "facebook" ? undefined : connectScopes?.instagram

/** A personal account can't be reached by an app. */
const professional = new Set(["business", "media_creator", "creator"])

const candidateOf = (
  me: Extract<ReturnType<typeof readMe>, { readonly _tag: "Success" }>["success"],
  short: GivenToken,
  long: GivenToken,
  settings: SocialSettings,
  now: DateTime.Utc
): ConnectCandidate => ({
  networkAccountId: me.user_id,
  otherAccountId: Option.some(me.id),
  throughAccountId: Option.none(),
  name: Option.getOrElse(
    Option.orElse(me.name, () => me.username),
    () => me.user_id
  ),
  username: me.username,
  avatarUrl: shownPicture(me.profile_picture_url, "instagram", settings),
  // Meta's callbacks have either (social-networks-write.md A6).
  personIds: [...new Set([me.id, me.user_id])],
  permissions: withThoseOfTheApp(
    Option.getOrElse(short.permissions, () => []),
    overrideOf(settings)
  ),
  token: Option.some({
    accessToken: long.token,
    refreshToken: Option.none(),
    expiresAt: Option.map(long.expiresIn_s, (seconds) => DateTime.add(now, { seconds }))
  }),
  hindrance: Option.none()
})

const makeExchange = ({ unmetered }: NetworkCalls, settings: SocialSettings): NetworkConnect["exchange"] => {
  const app = appOf(settings.instagramAppId, settings.instagramAppSecrets)
  return Effect.fn("InstagramConnect.exchange")(function* ({ code, redirectUri }) {
    const calls = makeExchangeCalls("instagram", unmetered, [code, app.secret])
    const form = {
      client_id: app.id,
      client_secret: Redacted.value(app.secret),
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      code: withoutFragment(code)
    }
    const short = yield* calls.postForm(`${instagramCodeHost(settings)}/oauth/access_token`, form, readGivenToken)
    calls.keepSecret(short.token)
    const query = { grant_type: "ig_exchange_token", client_secret: app.secret, access_token: short.token }
    const long = yield* calls.get(
      { url: `${baseUrl("instagram", settings)}/access_token`, query, accessToken: short.token },
      readGivenToken
    )
    calls.keepSecret(long.token)
    const asked = { fields: "id,user_id,username,name,account_type,profile_picture_url" }
    const me = yield* calls.get(
      { url: `${rootUrl("instagram", settings)}/me`, query: asked, accessToken: long.token },
      readMe
    )
    if (Option.exists(me.account_type, (type) => !professional.has(type.toLowerCase()))) {
      return yield* calls.failed("account_not_eligible", "it is neither a business nor a creator account")
    }
    return [candidateOf(me, short, long, settings, yield* DateTime.now)]
  })
}

/** Instagram's own login. Nothing is known of taking its permission back: subscriptions end, and the token is forgotten. */
export const instagramConnect = (graph: GraphApi, calls: NetworkCalls, settings: SocialSettings): NetworkConnect => {
  const override = overrideOf(settings)
  const permissionsFor: NetworkConnect["permissionsFor"] = (features) => requested(scopes, override, features)
  const subscription = makeAppSubscription(graph, undefined)
  const own = (access: Parameters<typeof subscriptionCall>[0]) =>
    subscriptionCall(access, "me", instagramKinds(graph, access).media.scopes ?? [])
  return {
    login: "instagram",
    missingSettings: missingOf([
      ["LOOPBOX_INSTAGRAM_APP_ID", settings.instagramAppId !== undefined],
      ["LOOPBOX_INSTAGRAM_APP_SECRETS", (settings.instagramAppSecrets ?? []).length > 0]
    ]),
    alwaysChooses: false,
    permissionsFor,
    authorizeUrl: ({ features, isReconnect, redirectUri, state }) =>
      Effect.sync(() =>
        dialogAddress("instagram", settings, {
          client_id: settings.instagramAppId ?? "",
          redirect_uri: redirectUri,
          response_type: "code",
          scope: askedInDialog(permissionsFor(features)),
          state: Redacted.value(state),
          // Whoever is signed in as somebody else may change that, and is asked for what was declined.
          ...(isReconnect ? { force_reauth: "true" } : {})
        })
      ),
    exchange: makeExchange(calls, settings),
    inspect: Effect.fn("InstagramConnect.inspect")(function* (access) {
      const { id, name, profile_picture_url, user_id, username } = yield* graph.readObject(
        {
          access,
          ...instagramKinds(graph, access).media,
          id: "me",
          fields: "id,user_id,username,name,profile_picture_url"
        },
        readOwn
      )
      return {
        ids: [...new Set([Option.getOrElse(user_id, () => id), id])],
        name,
        username,
        avatarUrl: shownPicture(profile_picture_url, "instagram", settings),
        permissions: Option.none()
      }
    }),
    subscription: Option.some({
      isSubscribed: Effect.fn("InstagramConnect.isSubscribed")((access) =>
        Effect.map(subscription.fields(own(access)), (told) => neededFields.every((field) => told.includes(field)))
      ),
      subscribe: Effect.fn("InstagramConnect.subscribe")((access) =>
        subscription.set(own(access), fields).pipe(
          // An app of another kind may not know all of them.
          Effect.catchIf(
            (error) => error._tag === "Rejected" && error.reason === "invalid",
            () => subscription.set(own(access), neededFields)
          ),
          // Without messages, comments are told at least.
          Effect.catchIf(
            (error) => error._tag === "AuthExpired" && error.reason === "permission",
            (error) => Effect.andThen(subscription.set(own(access), ["comments"]), Effect.fail(error))
          )
        )
      ),
      unsubscribe: Effect.fn("InstagramConnect.unsubscribe")((access) => subscription.end(own(access)))
    }),
    revoke: () => Effect.void,
    revokesPerson: false
  }
}
