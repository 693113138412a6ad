import * as Predicate from "effect/Predicate"
import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http"

type Given = OutgoingHttpHeaders | Array<OutgoingHttpHeader> | undefined

/**
 * Middleware that has to know when an answer begins (compression, morgan, express-session: all by the package on-headers) puts a
 * `writeHead` of its own before Node's. It looks for headers behind the status, or behind a text there: where the text is
 * left open it takes none, and the answer goes out without its headers. So such a one is never given an open text.
 */
export const givenHeaders = (response: ServerResponse): ServerResponse => {
  if (!Object.hasOwn(response, "writeHead")) return response
  const writeHead: unknown = Reflect.get(response, "writeHead")
  if (!Predicate.isFunction(writeHead)) return response
  const given = (status: number, text?: string | Given, headers?: Given): ServerResponse => {
    Reflect.apply(writeHead, response, typeof text === "string" ? [status, text, headers] : [status, text ?? headers])
    return response
  }
  return Object.assign(response, { writeHead: given })
}
