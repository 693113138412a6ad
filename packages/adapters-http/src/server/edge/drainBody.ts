import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { RequestBodies } from "./RequestBodies.ts"

/** Most of a refused body that is read and thrown away, so that its sender gets to read the refusal. */
const maxBytes = 64 * 1024 * 1024
const maxTime = "10 seconds"
/** A sender that sends nothing for so long has stopped. */
const maxSilence = "1 second"
/** Refused bodies that are read at once. Above that a connection is closed as it is: many strangers must not keep us busy. */
const maxAtOnce = 32
/** Smaller bodies are read to their end by effect's server, and the connection lives on. */
const smallBytes = 256 * 1024

/** A large body that Node has not received in whole, from a client that does not wait for our consent to send it. */
const isStillComing = ({ headers, source }: HttpServerRequest.HttpServerRequest) =>
  Predicate.hasProperty(source, "complete") &&
  source.complete === false &&
  headers["expect"] === undefined &&
  Number(headers["content-length"] ?? Infinity) > smallBytes

const drain = (request: HttpServerRequest.HttpServerRequest, drop: RequestBodies["drop"]) => {
  let left = maxBytes
  return request.stream.pipe(
    Stream.takeWhile((chunk) => {
      left -= chunk.length
      drop(chunk)
      return left > 0
    }),
    Stream.timeout(maxSilence),
    Stream.runDrain,
    Effect.timeoutOrElse({ duration: maxTime, orElse: () => Effect.void }),
    Effect.ignore
  )
}

/**
 * A refusal that is whole for its reader at once, and ends only when the refused body was read, within bounds.
 *
 * Many clients send everything before they read anything. If the server closed while they send, the reset would
 * reach them before the refusal.
 */
export const makeWithDrain = ({ drop }: Pick<RequestBodies, "drop">) => {
  let atOnce = 0
  const drainInTurn = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.suspend(() => {
      if (atOnce >= maxAtOnce) return Effect.void
      atOnce++
      return Effect.ensuring(
        drain(request, drop),
        Effect.sync(() => atOnce--)
      )
    })
  return (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ): HttpServerResponse.HttpServerResponse => {
    const { body, headers, status } = response
    if (status < 400 || body._tag !== "Uint8Array" || request.method === "HEAD" || !isStillComing(request))
      return response
    const text = Stream.succeed(body.body)
    return HttpServerResponse.stream(Stream.concat(text, Stream.fromEffectDrain(drainInTurn(request))), {
      status,
      headers: { ...headers, connection: "close" },
      contentType: body.contentType,
      contentLength: body.contentLength
    })
  }
}
