import type { IncomingMessage } from "node:http"
import { isForPages } from "../server/edge/cors.ts"

/** The beginning of a request as it came. */
const requestLine = /^[A-Z]+ (\/[^ \r\n]*) HTTP\/1\.[01]\r\n/
const originLines = /\r\norigin:[ \t]*([^\r\n]*?)[ \t]*(?=\r\n)/gi

/** As bytes came together: one request, or what began with one. */
const fromPacket = (packet: Uint8Array): string | undefined => {
  const text = Buffer.from(packet).toString("latin1")
  const [, path = ""] = requestLine.exec(text) ?? []
  const [origin, ...more] = new Set(Array.from(text.matchAll(originLines), ([, given]) => given))
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
