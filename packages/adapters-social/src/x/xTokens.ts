import { AuthExpired, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { RefreshedToken } from "@loopbox/core/networks/AccountAccess"
import type { NetworkWrites } from "@loopbox/core/networks/SocialConnector"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { JsonAnswer } from "../calls/NetworkClient.ts"
import { decodeAnswer } from "../calls/NetworkClient.ts"
import { repeatable } from "../calls/repeatable.ts"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import type { XClient } from "../calls/SocialSettings.ts"
import { OptionalCount, OptionalText, reader } from "../payloads/payload.ts"

const readToken = reader(
  Schema.Struct({ access_token: Schema.NonEmptyString, refresh_token: OptionalText, expires_in: OptionalCount })
)
const readProblem = reader(Schema.Struct({ error: OptionalText }))

/** OAuth's names for what is wrong with the app instead of the account. */
const ofTheApp = new Set(["invalid_client", "unauthorized_client"])

const failureOf = ({ body, status }: JsonAnswer): ReadFailed | undefined => {
  if (status >= 200 && status < 300) return undefined
  const name = Option.flatten(Option.map(Result.getSuccess(readProblem(body)), ({ error }) => error))
  const shared = {
    network: "x" as const,
    networkCode: Option.orElse(name, () => Option.some(String(status))),
    detail: `the token was not renewed: status ${status}`
  }
  if (Option.exists(name, (known) => ofTheApp.has(known))) return new Unavailable({ ...shared, reason: "source" })
  return status === 400 || status === 401 || status === 403
    ? new AuthExpired({ ...shared, reason: "token", missingScopes: [] })
    : new Unavailable({ ...shared, reason: "upstream" })
}

/**
 * Renews X's tokens, which live for two hours. The refresh token rotates: where an answer gets lost, the account has to
 * be connected again.
 */
export const makeRefreshToken =
  (calls: NetworkCalls, root: string, client: XClient | undefined): NetworkWrites["refreshToken"] =>
  (access, refreshToken) => {
    if (client === undefined || Option.isNone(refreshToken)) return Effect.succeedNone
    const form = {
      grant_type: "refresh_token",
      refresh_token: Redacted.value(refreshToken.value),
      client_id: client.id
    }
    const call = {
      url: `${root}/oauth2/token`,
      query: {},
      // A public client has no secret: X takes its id in the form.
      basic: client.secret === undefined ? undefined : { username: client.id, password: client.secret },
      accountId: access.networkAccountId,
      endpoint: "oauth2/token"
    }
    const renewed = calls.write(call, { form }, (answer, now) => {
      const failure = failureOf(answer)
      if (failure !== undefined) return Effect.fail(failure)
      return Effect.map(decodeAnswer("x", readToken)(answer.body), ({ access_token, expires_in, refresh_token }) =>
        Option.some<RefreshedToken>({
          accessToken: Redacted.make(access_token),
          refreshToken: Option.map(refresh_token, (text) => Redacted.make(text)),
          expiresAt: Option.map(expires_in, (seconds) => DateTime.add(now, { seconds }))
        })
      )
    })
    return Effect.withSpan(repeatable(renewed), "XConnector.refreshToken")
  }
