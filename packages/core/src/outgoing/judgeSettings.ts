import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type AuthorityFault, authorityFault } from "../kernel/authorityFault.ts"
import { isEventPattern } from "./eventPatterns.ts"
import type { OutgoingEndpoint } from "./OutgoingEndpoint.ts"
import { EndpointInvalid } from "./OutgoingErrors.ts"
import type { WebhookSender } from "./WebhookSender.ts"

/** What of an endpoint is given, and may be changed. */
export type EndpointSettings = Pick<OutgoingEndpoint, "url" | "events" | "externalUserId" | "description" | "isOrdered">

/** Longest URL, in characters. */
const maxUrl = 2_048

/** Longest description, in characters (code points). */
export const maxEndpointDescription = 500

const authorityFaults: Record<AuthorityFault, string> = {
  user_info: "must not name a user or a password",
  host: "must name a host that there can be",
  port: "must name a port from 1 to 65535, or none"
}

const issue = (path: string, message: string) => ({ path, message })

/** What `URL` would drop or turn without a word: control characters, blanks, and backslashes, which it reads as `/`. */
const isRewritten = (given: string): boolean =>
  Array.from(given).some((character) => character === "\\" || character <= " " || character === "\u007f")

/** What is wrong with a URL's form (api-2-decided B25); who may be reached is the sender's to say. */
const formOfUrl = (given: string): Option.Option<string> => {
  if (given.length > maxUrl) return Option.some(`must have at most ${maxUrl} characters`)
  if (isRewritten(given)) return Option.some("must have no blanks, control characters or backslashes")
  const fault = authorityFault(given)
  if (Option.isSome(fault)) return Option.some(authorityFaults[fault.value])
  if (!given.isWellFormed() || !URL.canParse(given) || !/^https?:\/\//i.test(given)) {
    return Option.some("must be a URL that begins with https:// or http://")
  }
  return given.includes("#") ? Option.some("must not have a fragment") : Option.none()
}

const issuesOfEvents = (events: ReadonlyArray<string>) => {
  if (events.length === 0) return [issue("events", "must name at least one type; leave it out for all")]
  return events.flatMap((pattern, n) => (isEventPattern(pattern) ? [] : [issue(`events[${n}]`, "is no type of event")]))
}

const isDescription = (text: string): boolean =>
  Array.from(text).length <= maxEndpointDescription && !text.includes("\0") && text.isWellFormed()

/** What is wrong with what is given of an endpoint. */
export const faultsOfSettings = Effect.fnUntraced(function* (
  { description, events, url }: Partial<EndpointSettings>,
  sender: typeof WebhookSender.Service
) {
  const form = Option.flatMap(Option.fromUndefinedOr(url), formOfUrl)
  const refused = url === undefined || Option.isSome(form) ? form : yield* sender.judgeUrl(new URL(url))
  return [
    ...Option.toArray(refused).map((message) => issue("url", message)),
    ...issuesOfEvents(Option.getOrElse(events ?? Option.none(), () => ["inbox.*"])),
    ...(Option.exists(description ?? Option.none(), (text) => !isDescription(text))
      ? [issue("description", `must have at most ${maxEndpointDescription} characters`)]
      : [])
  ]
})

/** Judges what is given of an endpoint, all at once. */
export const judgeSettings = Effect.fnUntraced(function* (
  settings: Partial<EndpointSettings>,
  sender: typeof WebhookSender.Service
) {
  const issues = yield* faultsOfSettings(settings, sender)
  if (issues.length > 0) return yield* new EndpointInvalid({ issues })
})
