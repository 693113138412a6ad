import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { AccountAccess, RefreshedToken } from "@loopbox/core/networks/AccountAccess"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { graphFailure } from "./graphErrors.ts"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import { decodeAnswer } from "../calls/NetworkClient.ts"
import { OptionalCount, reader, Token } from "../payloads/payload.ts"
import { baseUrl } from "../calls/SocialSettings.ts"
import type { SocialSettings } from "../calls/SocialSettings.ts"

const readToken = reader(Schema.Struct({ access_token: Token, expires_in: OptionalCount }))

/** The word by which each network renews a token that lives 60 days. */
const grantTypes = { instagram: "ig_refresh_token", threads: "th_refresh_token" } as const

/**
 * Renews a long-lived token of Instagram or Threads (social-networks.md §6). The networks' documents ask for it in the
 * query, without a version before the path; it never stands in a span.
 */
export const refreshGraphToken = (
  network: "instagram" | "threads",
  calls: NetworkCalls,
  settings: SocialSettings,
  { accessToken, networkAccountId }: AccountAccess
): Effect.Effect<RefreshedToken, ReadFailed> =>
  calls.read(
    {
      url: `${baseUrl(network, settings)}/refresh_access_token`,
      query: { grant_type: grantTypes[network], access_token: accessToken },
      accessToken,
      accountId: networkAccountId,
      endpoint: "content"
    },
    (answer, now) => {
      const failure = graphFailure(network, answer, accessToken, now)
      if (failure !== undefined) return Effect.fail(failure)
      return Effect.map(decodeAnswer(network, readToken)(answer.body), ({ access_token, expires_in }) => ({
        accessToken: Redacted.make(access_token),
        refreshToken: Option.none(),
        expiresAt: Option.map(expires_in, (seconds) => DateTime.add(now, { seconds }))
      }))
    }
  )
