import * as Redacted from "effect/Redacted"
import { nameText } from "@loopbox/core/networks/networkText"
import * as Option from "effect/Option"

const longest_chars = 500

/** What a network said of a failure, fit for a log: without the token, which some messages quote. */
export const failureText = (message: string, accessToken: Redacted.Redacted<string>): string => {
  const token = Redacted.value(accessToken)
  const safe = (token.length < 4 ? message : message.replaceAll(token, "<token>")).replace(
    /(access_token|appsecret_proof|client_secret)=[^&\s"']+/gi,
    "$1=<redacted>"
  )
  return Option.getOrElse(nameText(safe.slice(0, longest_chars)), () => "")
}
