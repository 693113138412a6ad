import { AuthExpired } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { Network } from "../names.ts"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { decodeAnswer } from "../calls/NetworkClient.ts"
import { repeatable } from "../calls/repeatable.ts"
import { rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { appOf, appToken, isConfigured } from "../connect/appOf.ts"
import { graphFailure, graphWriteFailure } from "../meta/graphErrors.ts"
import { type DebuggedToken, permissionsOn, readDebuggedToken } from "../meta/debuggedToken.ts"

/** What our app may learn of a Page's token, and take back: a Page's own token can't revoke a person's permission. */
export interface PageTokens {
  /** The permissions of a token for its account; none where the app is not known here. `AuthExpired` for a token that is invalid. */
  readonly permissions: (access: AccountAccess) => Effect.Effect<Option.Option<ReadonlyArray<string>>, ReadFailed>
  /** Takes back what the person allowed who connected the account, and so ends all Pages of that person. */
  readonly revoke: (access: AccountAccess) => Effect.Effect<void, ReadFailed>
}

export const makePageTokens = (network: Network, calls: NetworkCalls, settings: SocialSettings): PageTokens => {
  const app = appOf(settings.metaAppId, settings.metaAppSecrets)
  const token = appToken(app)
  const root = rootUrl("facebook", settings)
  const ofApp = ({ networkAccountId }: AccountAccess) =>
    ({ accessToken: token, accountId: networkAccountId, endpoint: "content", network }) as const

  /** None where the app itself is refused, which says nothing of the account. */
  const debug = (access: AccountAccess): Effect.Effect<Option.Option<DebuggedToken>, ReadFailed> =>
    calls.read(
      {
        ...ofApp(access),
        url: `${root}/debug_token`,
        query: { input_token: access.accessToken, access_token: token }
      },
      (answer, now) => {
        const failure = graphFailure(network, answer, token, now)
        if (failure === undefined) return Effect.asSome(decodeAnswer(network, readDebuggedToken)(answer.body))
        return failure._tag === "AuthExpired" || failure._tag === "Rejected"
          ? Effect.as(
              Effect.logWarning("our app may not inspect tokens", {
                network,
                networkCode: Option.getOrNull(failure.networkCode)
              }),
              Option.none()
            )
          : Effect.fail(failure)
      }
    )

  return {
    permissions: Effect.fnUntraced(function* (access) {
      if (!isConfigured(app)) return Option.none()
      const debugged = yield* debug(access)
      if (Option.exists(debugged, ({ isValid }) => !isValid)) {
        return yield* new AuthExpired({
          network,
          reason: "token",
          networkCode: Option.flatMap(debugged, ({ networkCode }) => networkCode),
          detail: "the network says that the token is not valid",
          missingScopes: []
        })
      }
      const ids = [access.networkAccountId, ...Option.toArray(access.throughAccountId)]
      return Option.map(debugged, ({ grantedFor, permissions }) => permissionsOn(permissions, grantedFor, ids))
    }),
    revoke: Effect.fnUntraced(function* (access) {
      if (!isConfigured(app)) return
      const debugged = yield* debug(access)
      const person = Option.flatMap(debugged, ({ isValid, userId }) => (isValid ? userId : Option.none()))
      // Whose token is invalid already has nothing left to take back.
      if (Option.isNone(person) || !/^\d+$/.test(person.value)) return
      const url = `${root}/${person.value}/permissions`
      yield* repeatable(
        calls.delete({ ...ofApp(access), url, query: { access_token: token } }, (answer, now) => {
          const failure = graphWriteFailure(network, answer, token, now)
          return failure === undefined ? Effect.void : Effect.fail(failure)
        })
      )
    })
  }
}
