import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { consoleSessionHours } from "@loopbox/core/access/ConsoleSessions"

const name = "loopbox_console"

/** A request's session; absent without one. Of two cookies of the name none counts: one may be planted. */
export const readCookie = (header: string | undefined): Redacted.Redacted<string> | undefined => {
  const found = (header ?? "").split(";").flatMap((part) => {
    const at = part.indexOf("=")
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : []
  })
  const [value = ""] = found
  return found.length === 1 && /^[\w-]{20,100}$/.test(value) ? Redacted.make(value) : undefined
}

const line = (value: string, seconds: number, isSecure: boolean) =>
  `${name}=${value}; Path=/console; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`

/** The header that gives a browser its session. */
export const setCookie = (token: Redacted.Redacted<string>, isSecure: boolean): string =>
  line(Redacted.value(token), Duration.toSeconds(Duration.hours(consoleSessionHours)), isSecure)

/** The header that takes it away. */
export const clearCookie = (isSecure: boolean): string => line("", 0, isSecure)
