import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { authorityFault } from "../kernel/authorityFault.ts"
import { ReturnUrlInvalid, type ReturnUrlReason } from "./ConnectErrors.ts"
import type { ConnectSession } from "./ConnectSession.ts"

/** Longest return address, in characters (api-2.md §11). */
const maxLength = 2_048

/** Hosts that only this machine reaches; a browser needs no https for them. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname)

const refuse = (reason: ReturnUrlReason) => Result.fail(new ReturnUrlInvalid({ reason }))

/** What `URL` would drop or turn without a word: control characters, blanks, and backslashes, which it reads as `/`. */
const isRewritten = (given: string): boolean =>
  Array.from(given).some((character) => character === "\\" || character <= " " || character === "\u007f")

/**
 * Whether a browser may be sent to an address: https, or http on a loopback host, without user info and fragment. There
 * is no list of allowed hosts: whoever has an API key may name any.
 */
export const judgeReturnUrl = (given: string): Result.Result<string, ReturnUrlInvalid> => {
  if (given.length > maxLength) return refuse("too_long")
  if (isRewritten(given)) return refuse("malformed")
  const fault = authorityFault(given)
  if (Option.isSome(fault)) return refuse(fault.value)
  if (!URL.canParse(given)) return refuse("malformed")
  const url = new URL(given)
  if (!/^https?:\/\//i.test(given)) return refuse(url.protocol === "https:" ? "malformed" : "scheme")
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return refuse("scheme")
  return given.includes("#") ? refuse("fragment") : Result.succeed(given)
}

/** What a return address is told of a session. A person who took too long is told of a failure. */
const told = ({ failure, id, status }: ConnectSession): Readonly<Record<string, string>> => {
  const isLate = status === "expired"
  const reason = isLate ? Option.some("code_expired") : Option.map(failure, ({ code }) => code)
  return {
    connect_session: id,
    connect_status: isLate ? "failed" : status,
    ...Option.match(reason, { onNone: () => ({}), onSome: (code) => ({ reason: code }) })
  }
}

const ours: ReadonlySet<string> = new Set(["connect_session", "connect_status", "reason"])

/** The name of a member of a query as a browser reads it. */
const nameOf = (member: string): string => Array.from(new URLSearchParams(member).keys())[0] ?? ""

/**
 * Where the browser goes at the end of a session: its return address with `connect_session`, `connect_status` and, if
 * there is a failure, `reason`. The rest of its query is kept letter by letter, members of these names are replaced.
 * Pure.
 */
export const returnAddress = (session: ConnectSession): Option.Option<string> =>
  Option.map(session.returnUrl, (given) => {
    const [before = given, query = ""] = given.split(/\?(.*)/s)
    const kept = query.split("&").filter((member) => member !== "" && !ours.has(nameOf(member)))
    const added = Object.entries(told(session)).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return `${before}?${[...kept, ...added].join("&")}`
  })
