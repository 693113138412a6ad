import * as Redacted from "effect/Redacted"
import { nameText } from "@loopbox/core/networks/networkText"
import * as Option from "effect/Option"

const longest_chars = 500

const parameters = "access_token|appsecret_proof|client_secret|code|code_verifier|fb_exchange_token|input_token|token"
const assignments = new RegExp(`\\b(${parameters})=[^&\\s"']+`, "gi")

const without = (message: string, secret: Redacted.Redacted<string>): string => {
  const value = Redacted.value(secret)
  return value.length < 4
    ? message
    : message.replaceAll(value, "<token>").replaceAll(encodeURIComponent(value), "<token>")
}

/** What a network said of a failure, fit for a log: without tokens and codes, which some messages quote. */
export const failureText = (message: string, ...secrets: ReadonlyArray<Redacted.Redacted<string>>): string => {
  const safe = secrets.reduce(without, message).replace(assignments, "$1=<redacted>")
  return Option.getOrElse(nameText(safe.slice(0, longest_chars)), () => "")
}
