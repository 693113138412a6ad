import * as Effect from "effect/Effect"
import * as Clock from "effect/Clock"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import { SecureRandom } from "effect/crypto/SecureRandom"
import { type IncomingMessage, METHODS, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { corsHeaders } from "../server/edge/cors.ts"
import { makeRequestIds } from "../server/edge/edge.ts"
import { apiHeaders, envelopeOf, securityHeaders } from "../server/edge/envelope.ts"
import { countAnswer } from "../server/system/httpMetrics.ts"
import { HttpSettings } from "../server/system/HttpSettings.ts"
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
  const body = JSON.stringify(envelopeOf(status, requestId, "none"))
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

/** The method, where the bytes that came last begin with one. */
const methodOf = (packet: Uint8Array | undefined): string => {
  const beginning = Buffer.from(packet?.subarray(0, 32) ?? []).toString("latin1")
  const [word = ""] = beginning.split(" ", 1)
  return METHODS.includes(word) ? word : "other"
}

/** Tells the access log and the metrics of a refusal. When its request began is not known, so it took no time. */
const makeTell = Effect.map(HttpSettings, ({ accessLog }) =>
  Effect.fnUntraced(function* (refused: {
    readonly requestId: string
    readonly method: string
    readonly status: number
    readonly isLogged: boolean
  }) {
    const { isLogged, method, requestId, status } = refused
    yield* countAnswer({ route: "none", method, status, seconds: 0 })
    if (!isLogged || Option.isNone(accessLog)) return
    const endedAt_ms = yield* Clock.currentTimeMillis
    const nobody = { workspaceId: undefined, keyId: undefined }
    accessLog.value({ endedAt_ms, requestId, route: "none", method, status, milliseconds: 0, ...nobody })
  })
)

/** Time that a client gets to read the refusal before its connection is torn down. */
const grace = "500 millis"

/** Requests that Node refuses before any route sees them get the error envelope too, where a client still reads. */
export const answerParserErrors = Effect.fnUntraced(function* (
  server: Server,
  corsOrigins: ReadonlySet<string> = new Set()
) {
  const tell = yield* makeTell
  const nextRequestId = makeRequestIds(yield* SecureRandom)
  const run = yield* FiberSet.makeRuntime<never>()
  const current = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()

  const refuse = Effect.fnUntraced(function* (
    socket: Duplex,
    how: {
      readonly status: number
      readonly method: string
      readonly isLogged: boolean
      readonly origin?: string | undefined
    }
  ) {
    const requestId = yield* nextRequestId
    socket.end(toText(how.status, requestId, corsHeaders(corsOrigins, how.origin)))
    yield* tell({ ...how, requestId })
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
    const request = current.get(socket)?.req
    // A request whose body is wrong or late has a line already: its client left, for us.
    const isInHand = request !== undefined && !request.complete
    run(
      refuse(socket, {
        status: statusOf(error.code),
        method: isInHand ? (request.method ?? "other") : methodOf(error.rawPacket),
        isLogged: !isInHand,
        origin: refusedPage(request, error.rawPacket)
      })
    )
  }
  const onConnect = (_request: IncomingMessage, socket: Duplex) => {
    // Left to itself, a reset of the client would be thrown.
    socket.on("error", () => socket.destroy())
    run(refuse(socket, { status: 400, method: "CONNECT", isLogged: true }))
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
