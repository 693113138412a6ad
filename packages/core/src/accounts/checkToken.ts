import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { AccountAccess } from "../networks/AccountAccess.ts"
import type { SocialConnector } from "../networks/SocialConnector.ts"
import { AccountCheckFailed } from "./AccountErrors.ts"

/**
 * Asks the network whose token it is. Does nothing for a network that has no such call.
 *
 * `network_unavailable` if it could not be asked now, so that nothing is known of the token.
 */
export const checkToken = ({ connect = [], network }: SocialConnector, access: AccountAccess) => {
  const failed = (reason: AccountCheckFailed["reason"]) => Effect.fail(new AccountCheckFailed({ network, reason }))
  const login = connect.find((one) => Option.contains(access.login, one.login)) ?? connect[0]
  if (login === undefined) return Effect.void
  return login.inspect(access).pipe(
    Effect.catchTags({
      AuthExpired: () => failed("token_invalid"),
      // The network refuses the token as it is, or shows it no account.
      Rejected: () => failed("token_invalid"),
      RateLimited: () => failed("network_unavailable"),
      Unavailable: () => failed("network_unavailable")
    }),
    Effect.flatMap(({ ids }) => (ids.includes(access.networkAccountId) ? Effect.void : failed("other_account")))
  )
}
