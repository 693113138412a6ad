import type { ConnectFailed } from "@loopbox/core/networks/ConnectorErrors"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { OptionalCount, OptionalText, reader } from "../payloads/payload.ts"

/** What Meta's networks said no to, as an exchange understands it. */
interface Refusal {
  readonly reason: ConnectFailed["reason"]
  readonly code: string
  readonly text: string
}

/** The envelope of the Graph API. */
const readGraph = reader(
  Schema.Struct({ code: OptionalCount, error_subcode: OptionalCount, message: OptionalText, type: OptionalText })
)
/** How Instagram and Threads refuse a code. */
const readFlat = reader(Schema.Struct({ error_type: OptionalText, code: OptionalCount, error_message: OptionalText }))

/** A code that is too old, or used (social-networks-write.md A3, A7). */
const codesOfCodes = new Set(["100/36007", "100/36009"])
/** It came of a dialog with another redirect address, whose words name the code, too. */
const ofTheAddress = /redirect.?uri/i
const ofTheCode = /matching code was not found|authorization code|verification code/i

/** What is said of an account that no role lets into an app that is not live, and of a wrong secret as well. */
const ofTheAccount = /unsupported request - method type|insufficient developer role|accepted the invite|not a tester/i

const hint = "The app's secret is wrong, or the app is not live and the account is none of its testers."

const refused = (code: string, message: string): Refusal => {
  if (codesOfCodes.has(code) || (ofTheCode.test(message) && !ofTheAddress.test(message)))
    return { reason: "code_expired", code, text: message }
  return ofTheAccount.test(message)
    ? { reason: "account_not_eligible", code, text: `${message.slice(0, 300)}: ${hint}` }
    : { reason: "provider_error", code, text: message }
}

const textOf = (text: Option.Option<string>): string => Option.getOrElse(text, () => "")

/** What an answer refuses; undefined if it is none of a refusal. */
export const refusalOf = (status: number, body: unknown): Refusal | undefined => {
  const error = Predicate.isObject(body) ? body["error"] : undefined
  const graph = Predicate.isObject(error) ? Result.getSuccess(readGraph(error)) : Option.none()
  if (Option.isSome(graph)) {
    const { code, error_subcode, message, type } = graph.value
    const main = Option.match(code, { onNone: () => textOf(type), onSome: String })
    return refused(
      Option.match(error_subcode, { onNone: () => main, onSome: (sub) => `${main}/${sub}` }),
      textOf(message)
    )
  }
  const isFlat = Predicate.isObject(body) && (body["error_type"] !== undefined || body["error_message"] !== undefined)
  const flat = isFlat ? Result.getSuccess(readFlat(body)) : Option.none()
  if (Option.isSome(flat)) {
    const { code, error_message, error_type } = flat.value
    const name = Option.match(code, { onNone: () => textOf(error_type), onSome: String })
    return refused(name === "" ? String(status) : name, textOf(error_message))
  }
  if (status >= 200 && status < 300) return undefined
  return { reason: "provider_error", code: String(status), text: `status ${status}` }
}
