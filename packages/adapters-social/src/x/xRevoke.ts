import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import { Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { NetworkConnect } from "@loopbox/core/networks/NetworkConnect"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { NetworkCalls } from "../calls/NetworkCalls.ts"
import type { XOAuth } from "./xOAuth.ts"

/** Takes both tokens back. One that X does not know is as good as one that was revoked. */
export const makeXRevoke =
  (calls: NetworkCalls, library: XOAuth | undefined): NetworkConnect["revoke"] =>
  (access, refreshToken) => {
    if (library === undefined) return Effect.void
    const send: Parameters<XOAuth["revoke"]>[0] = (request, body) =>
      calls
        .write({ ...request, accountId: access.networkAccountId, endpoint: "oauth2/revoke" }, body, Effect.succeed)
        .pipe(
          Effect.mapError((error) =>
            error._tag === "Unavailable" || error._tag === "OutcomeUnknown"
              ? error
              : new Unavailable({
                  network: "x",
                  networkCode: error.networkCode,
                  detail: error.detail,
                  reason: "upstream"
                })
          )
        )
    const revoked = (token: Redacted.Redacted<string>, kind: "access_token" | "refresh_token") =>
      library.revoke(send, token, kind).pipe(
        Effect.catch((failed): Effect.Effect<void, ReadFailed> => {
          if (failed._tag === "Unavailable") return Effect.fail(failed)
          if (failed._tag === "OAuthRefusal" && /^(invalid_request|invalid_grant|invalid_token)$/.test(failed.code)) {
            return Effect.void
          }
          const shared = { network: "x", networkCode: Option.none(), reason: "upstream" } as const
          return Effect.fail(
            failed._tag === "OutcomeUnknown"
              ? new Unavailable({ ...shared, detail: failed.detail })
              : new Unavailable({
                  ...shared,
                  networkCode: Option.some(failed.code),
                  reason: "source",
                  detail: "X did not revoke the token"
                })
          )
        })
      )
    // The refresh token first: while it lives, the account does.
    return Effect.gen(function* () {
      if (Option.isSome(refreshToken)) yield* revoked(refreshToken.value, "refresh_token")
      yield* revoked(access.accessToken, "access_token")
    }).pipe(Effect.withSpan("XConnect.revoke"))
  }
