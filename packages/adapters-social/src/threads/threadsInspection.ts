import type { AccountAccess } from "@loopbox/core/networks/AccountAccess"
import type { ConnectFailed, ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { decodeAnswer } from "../calls/NetworkClient.ts"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { baseUrl, rootUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"
import { appOf, isConfigured } from "../connect/appOf.ts"
import { readGivenToken } from "../connect/codeAnswer.ts"
import type { ExchangeCalls } from "../connect/exchangeCalls.ts"
import { readDebuggedToken } from "../meta/debuggedToken.ts"
import type { DebuggedToken } from "../meta/debuggedToken.ts"
import { graphFailure } from "../meta/graphErrors.ts"

type Secret = Redacted.Redacted<string>

/** What Threads says of a token. None where it is refused, which says nothing of the account: it was read by the token. */
export interface ThreadsInspection {
  readonly atSignIn: (calls: ExchangeCalls, token: Secret) => Effect.Effect<Option.Option<DebuggedToken>, ConnectFailed>
  readonly of: (access: AccountAccess) => Effect.Effect<Option.Option<DebuggedToken>, ReadFailed>
}

/** A token is asked about in its own name, and where that is refused in the app's (social-networks-write.md A4). */
export const makeThreadsInspection = (calls: NetworkCalls, settings: SocialSettings): ThreadsInspection => {
  const app = appOf(settings.threadsAppId, settings.threadsAppSecrets)
  const debugging = (token: Secret, by: Secret) => ({
    url: `${rootUrl("threads", settings)}/debug_token`,
    query: { input_token: token, access_token: by },
    accessToken: by
  })
  const appTokens = {
    url: `${baseUrl("threads", settings)}/oauth/access_token`,
    query: { grant_type: "client_credentials", client_id: app.id, client_secret: app.secret }
  }

  const isRefusal = ({ networkCode }: ConnectFailed): boolean => Option.isSome(networkCode)

  const atSignIn: ThreadsInspection["atSignIn"] = (asking, token) => {
    const debug = (by: Secret) => asking.get(debugging(token, by), readDebuggedToken)
    const byApp = Effect.gen(function* () {
      const given = yield* asking.get(appTokens, readGivenToken)
      asking.keepSecret(given.token)
      return yield* debug(given.token)
    })
    return debug(token).pipe(
      Effect.catchIf(isRefusal, () => byApp),
      Effect.asSome,
      Effect.catchIf(isRefusal, () => Effect.succeedNone)
    )
  }

  const of: ThreadsInspection["of"] = ({ accessToken, networkAccountId }) => {
    const shared = { accountId: networkAccountId, endpoint: "content" }
    const debug = (by: Secret) =>
      calls.read({ ...debugging(accessToken, by), ...shared }, (answer, now) => {
        const failure = graphFailure("threads", answer, by, now)
        return failure === undefined ? decodeAnswer("threads", readDebuggedToken)(answer.body) : Effect.fail(failure)
      })
    const byApp = calls
      .read({ ...appTokens, ...shared }, (answer, now) => {
        const failure = graphFailure("threads", answer, app.secret, now)
        return failure === undefined ? decodeAnswer("threads", readGivenToken)(answer.body) : Effect.fail(failure)
      })
      .pipe(Effect.flatMap(({ token }) => debug(token)))
    const again = isConfigured(app) ? Effect.asSome(byApp) : Effect.succeedNone
    return debug(accessToken).pipe(
      Effect.asSome,
      Effect.catchTags({ AuthExpired: () => again, Rejected: () => again }),
      Effect.catchTags({ AuthExpired: () => Effect.succeedNone, Rejected: () => Effect.succeedNone })
    )
  }

  return { atSignIn, of }
}
