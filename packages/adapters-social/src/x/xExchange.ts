import type { ConnectFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { makeExchangeCalls } from "../connect/exchangeCalls.ts"
import type { ExchangeCalls } from "../connect/exchangeCalls.ts"
import { shownPicture } from "../connect/shownPicture.ts"
import { Id, OptionalLink, OptionalName, reader } from "../payloads/payload.ts"
import { xFailure } from "./xErrors.ts"
import type { OAuthRefusal, XOAuth } from "./xOAuth.ts"

/** `/users/me`. */
export const readMe = reader(
  Schema.Struct({
    data: Schema.Struct({ id: Id, username: OptionalName, name: OptionalName, profile_image_url: OptionalLink })
  })
)
export const meFields = { "user.fields": "id,name,username,profile_image_url" }

/** What X says of a code that it does not take: too old, used, or none. */
const isOfTheCode = ({ code, text }: OAuthRefusal): boolean =>
  code === "invalid_grant" || (code === "invalid_request" && /authorization code/i.test(text))

const notExchanged =
  (calls: ExchangeCalls) =>
  (failed: OAuthRefusal | { readonly _tag: "Unavailable" | "OutcomeUnknown"; readonly detail: string }) =>
    failed._tag === "OAuthRefusal"
      ? calls.failed(isOfTheCode(failed) ? "code_expired" : "provider_error", failed.text, failed.code)
      : calls.failed("provider_error", failed.detail)

/** Who signed in; X's own words where its plan does not let the app know (social-networks-write.md E18). */
const whoIs = Effect.fnUntraced(function* (
  calls: ExchangeCalls,
  { unmetered }: NetworkCalls,
  root: string,
  accessToken: Redacted.Redacted<string>
): Effect.fn.Return<ReturnType<typeof readMe>, ConnectFailed> {
  const request = { url: `${root}/users/me`, query: meFields, accessToken }
  const answer = yield* Effect.mapError(unmetered.get(request), ({ detail }) => calls.failed("provider_error", detail))
  const failure = xFailure(answer, accessToken, yield* DateTime.now)
  if (failure === undefined) return readMe(answer.body)
  return yield* calls.failed("provider_error", failure.detail, Option.getOrUndefined(failure.networkCode))
})

/** The exchange of a code for the tokens of whoever signed in. */
export const makeXExchange =
  (
    calls: NetworkCalls,
    settings: SocialSettings,
    library: XOAuth | undefined,
    permissionsFor: NetworkConnect["permissionsFor"]
  ): NetworkConnect["exchange"] =>
  ({ code, features, redirectUri, verifier }) =>
    Effect.gen(function* () {
      const asking = makeExchangeCalls("x", calls.unmetered, [
        code,
        verifier,
        ...(settings.xClient?.secret === undefined ? [] : [settings.xClient.secret])
      ])
      if (library === undefined) return yield* asking.failed("provider_error", "no client of X is configured")
      const given = yield* Effect.mapError(
        library.exchange(Redacted.value(code), redirectUri, Redacted.value(verifier)),
        notExchanged(asking)
      )
      const accessToken = Redacted.make(given.access_token)
      const refreshToken = Option.map(Option.fromUndefinedOr(given.refresh_token), (token) => Redacted.make(token))
      asking.keepSecret(accessToken)
      if (Option.isSome(refreshToken)) asking.keepSecret(refreshToken.value)
      const me = yield* whoIs(asking, calls, rootUrl("x", settings), accessToken)
      if (Result.isFailure(me)) return yield* asking.failed("provider_error", me.failure)
      const { id, name, profile_image_url, username } = me.success.data
      const now = yield* DateTime.now
      return [
        {
          networkAccountId: id,
          otherAccountId: Option.none(),
          throughAccountId: Option.none(),
          name: Option.getOrElse(
            Option.orElse(name, () => username),
            () => id
          ),
          username,
          avatarUrl: shownPicture(profile_image_url, "x", settings),
          personIds: [],
          // Who names no scopes gives what was asked for (RFC 6749 §5.1).
          permissions:
            given.scope === undefined ? permissionsFor(features) : given.scope.split(" ").filter((one) => one !== ""),
          token: Option.some({
            accessToken,
            refreshToken,
            expiresAt: Option.map(Option.fromUndefinedOr(given.expires_in), (seconds) => DateTime.add(now, { seconds }))
          }),
          hindrance: Option.none()
        }
      ]
    }).pipe(Effect.withSpan("XConnect.exchange"))
