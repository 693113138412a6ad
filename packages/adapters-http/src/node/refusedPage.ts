import type { IncomingMessage } from "node:http"
import { isForPages } from "../server/edge/cors.ts"

/** The beginning of a request as it came. */
const requestLine = /^[A-Z]+ (\/[^ \r\n]*) HTTP\/1\.[01]\r\n/
const originName = "origin:"

/**
 * The values of the origins of a head; of its last line, which may not have come whole, nothing is known. By lines: an
 * expression that trims them takes minutes for a line of spaces, which anybody may send.
 */
const originsOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\r\n")
  const end = lines.indexOf("")
  return lines
    .slice(1, end < 0 ? -1 : end)
    .filter((line) => line.slice(0, originName.length).toLowerCase() === originName)
    .map((line) => line.slice(originName.length).trim())
}

/** As bytes came together: one request, or what began with one. */
const fromPacket = (packet: Uint8Array): string | undefined => {
  const text = Buffer.from(packet).toString("latin1")
  const [, path = ""] = requestLine.exec(text) ?? []
  const [origin, ...more] = new Set(originsOf(text))
  return isForPages(path) && more.length === 0 ? origin : undefined
}

/**
 * Whose page asked for what Node's parser refuses, so that the page may read why: of the request whose body is wrong or late,
 * else of a head that came together with what is wrong in it. Absent where that is not known.
 */
export const refusedPage = (
  current: IncomingMessage | undefined,
  packet: Uint8Array | undefined
): string | undefined => {
  if (current !== undefined && !current.complete) {
    return isForPages(current.url ?? "") ? current.headers.origin : undefined
  }
  return packet === undefined ? undefined : fromPacket(packet)
}
