import * as Option from "effect/Option"

/** What is wrong with the part of an address that says whom to ask. */
export type AuthorityFault = "user_info" | "host" | "port"

/** RFC 1035 §2.3.4. */
const longestName = 253
const longestLabel = 63

/** A name's parts are never empty; one dot at its end only says that it is whole. */
const isName = (hostname: string): boolean => {
  const name = hostname.replace(/\.$/, "")
  return name.length <= longestName && name.split(".").every(({ length }) => length >= 1 && length <= longestLabel)
}

/** Port 0 means "any that is free" to whoever listens; there is nobody at it. */
const isPort = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535

/**
 * What is wrong with whom an http or https address names: what parsers of URLs take, and nobody can be reached at. None
 * also where the text is no such address at all. Pure.
 */
export const authorityFault = (given: string): Option.Option<AuthorityFault> => {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(given)?.[1]
  if (authority === undefined) return Option.none()
  if (authority.includes("@")) return Option.some("user_info")
  const [, host = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(authority) ?? []
  if (host === "") return Option.some("host")
  if (port !== "" && !isPort(port)) return Option.some("port")
  const hostname = URL.parse(given)?.hostname ?? host
  return hostname.startsWith("[") || isName(hostname) ? Option.none() : Option.some("host")
}
