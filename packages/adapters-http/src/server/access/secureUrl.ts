import * as Option from "effect/Option"
import * as Result from "effect/Result"

/** `localhost` and what is below it never leaves the machine (RFC 6761), nor does 127/8 or ::1. */
const isLoopback = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)

/** Whether nobody on the way can change what is read there: https, or http on the loopback. */
export const isSecureUrl = (text: string): boolean =>
  Result.try(() => new URL(text)).pipe(
    Result.getSuccess,
    Option.exists(({ hostname, protocol }) => protocol === "https:" || (protocol === "http:" && isLoopback(hostname)))
  )
