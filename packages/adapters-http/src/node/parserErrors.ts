import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { corsHeaders } from "../server/edge/cors.ts"
import { makeRequestIds } from "../server/edge/edge.ts"
import { apiHeaders, envelopeOf, securityHeaders } from "../server/edge/envelope.ts"
import { refusedPage } from "./refusedPage.ts"

interface ParserError extends Error {
  readonly code?: string
  /** The bytes that came last. */
  readonly rawPacket?: Uint8Array
}

/** What Node's parser says, as a status. */
const statusOf = (code: string | undefined): number => {
  if (code === "HPE_HEADER_OVERFLOW") return 431
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return 408
  return code === "HPE_CHUNK_EXTENSIONS_OVERFLOW" ? 413 : 400
}

const toText = (status: number, requestId: string, forPage: Readonly<Record<string, string>>): string => {
  const body = JSON.stringify(envelopeOf(status, requestId))
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...apiHeaders,
    ...securityHeaders,
    ...forPage,
    "x-request-id": requestId,
    connection: "close"
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("\r\n")}\r\n\r\n${body}`
}

/** Time that a client gets to read the refusal before its connection is torn down. */
const grace = "500 millis"

/** Requests that Node refuses before any route sees them get the error envelope too, where a client still reads. */
export const answerParserErrors = Effect.fnUntraced(function* (
  server: Server,
  corsOrigins: ReadonlySet<string> = new Set()
) {
  const nextRequestId = makeRequestIds(yield* SecureRandom)
  const run = yield* FiberSet.makeRuntime<never>()
  const current = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()

  const refuse = Effect.fnUntraced(function* (socket: Duplex, status: number, origin?: string) {
    const text = toText(status, yield* nextRequestId, corsHeaders(corsOrigins, origin))
    socket.end(text)
    yield* Effect.sleep(grace)
    socket.destroy()
  })
  const isAnswering = (socket: Duplex) => {
    const response = current.get(socket)
    return response !== undefined && response.headersSent && !response.writableFinished
  }
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    current.set(request.socket, response)
  }
  const onClientError = (error: ParserError, socket: Duplex) => {
    if (refused.has(socket)) return
    if (error.code === "ECONNRESET" || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    refused.add(socket)
    run(refuse(socket, statusOf(error.code), refusedPage(current.get(socket)?.req, error.rawPacket)))
  }
  const onConnect = (_request: IncomingMessage, socket: Duplex) => {
    // Left to itself, a reset of the client would be thrown.
    socket.on("error", () => socket.destroy())
    run(refuse(socket, 400))
  }
  const onExpectation = (request: IncomingMessage, response: ServerResponse) => {
    // An expectation that we do not know may be ignored (RFC 9110 §10.1.1); Node's own answer has no envelope.
    server.emit("request", request, response)
  }
  server.on("request", onRequest)
  server.on("clientError", onClientError)
  server.on("connect", onConnect)
  server.on("checkExpectation", onExpectation)
})
