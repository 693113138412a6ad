import * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { consoleSessionHours } from "@loopbox/core/access/ConsoleSessions"

/** Of a console whose host does not say which installation it is of. */
const plainName = "loopbox_console"

/**
 * A cookie's name for an installation. Browsers send a cookie to all ports of a machine, so that hosts of two installations
 * on one machine would take each other's away; hosts of one installation share its sessions.
 */
export const cookieNameOf = (installation: string | undefined): string =>
  installation === undefined ? plainName : `${plainName}_${installation.replaceAll(/[^a-z0-9]/gi, "")}`

const valuesOf = (name: string, header: string | undefined): ReadonlyArray<string> =>
  (header ?? "").split(";").flatMap((part) => {
    const at = part.indexOf("=")
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : []
  })

/** Whether a request has a cookie of the name, also one that can't be a session's. */
export const hasCookie = (name: string, header: string | undefined): boolean => valuesOf(name, header).length > 0

/** A request's session; absent without one. Of two cookies of the name none counts: one may be planted. */
export const readCookie = (name: string, header: string | undefined): Redacted.Redacted<string> | undefined => {
  const found = valuesOf(name, header)
  const [value = ""] = found
  return found.length === 1 && /^[\w-]{20,100}$/.test(value) ? Redacted.make(value) : undefined
}

const line = (name: string, value: string, seconds: number, isSecure: boolean) =>
  `${name}=${value}; Path=/console; HttpOnly; SameSite=Strict; Max-Age=${seconds}${isSecure ? "; Secure" : ""}`

/** The header that gives a browser its session. */
export const setCookie = (name: string, token: Redacted.Redacted<string>, isSecure: boolean): string =>
  line(name, Redacted.value(token), Duration.toSeconds(Duration.hours(consoleSessionHours)), isSecure)

/** The header that takes it away. */
export const clearCookie = (name: string, isSecure: boolean): string => line(name, "", 0, isSecure)
