import { Unavailable } from "@loopbox/core/connectors/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/connectors/ConnectorErrors"
import type { Network } from "@loopbox/core/connectors/Source"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import { parseJson } from "./parseJson.ts"

/** An answer whose body is JSON, whatever its status. */
export interface JsonAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** One read of a network. */
export interface ReadCall {
  readonly url: string
  readonly query: Readonly<Record<string, string>>
  readonly accessToken: Redacted.Redacted<string>
}

/** Reads one network: a time limit, no redirects, bounded answers, the token in the header alone. */
export interface NetworkClient {
  /** Any answer with JSON in it; the network's own words about a failure are for the caller to read. */
  readonly get: (call: ReadCall) => Effect.Effect<JsonAnswer, Unavailable>
}

/** An answer is a person or a post; a page of comments is far below. */
const mostBytes = 4 * 1024 * 1024

const unavailable =
  (network: Network, reason: Unavailable["reason"]) =>
  (detail: string): Unavailable =>
    new Unavailable({ network, reason, networkCode: Option.none(), detail })

export const makeNetworkClient = (
  network: Network,
  client: HttpClient.HttpClient,
  timeLimit: Duration.Input
): NetworkClient => {
  const upstream = unavailable(network, "upstream")
  const unreadable = unavailable(network, "unreadable")

  const bytesOf = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
    const chunks: Array<Uint8Array> = []
    let size_bytes = 0
    yield* Stream.runForEach(response.stream, (chunk) => {
      size_bytes += chunk.length
      if (size_bytes > mostBytes) return Effect.fail(unreadable("the answer is too long"))
      chunks.push(chunk)
      return Effect.void
    }).pipe(
      Effect.catchTag("HttpClientError", (error) =>
        error.reason._tag === "EmptyBodyError" ? Effect.void : Effect.fail(error)
      )
    )
    return Buffer.concat(chunks)
  })

  const exchange = Effect.fnUntraced(function* ({ accessToken, query, url }: ReadCall) {
    const request = HttpClientRequest.get(url, { acceptJson: true, urlParams: query }).pipe(
      HttpClientRequest.bearerToken(accessToken)
    )
    const response = yield* client.execute(request)
    const { headers, status } = response
    // With the token in its header, a request must not be sent to wherever an answer says.
    if (status >= 300 && status < 400) return yield* unreadable(`it answered a redirect, status ${status}`)
    const parsed = parseJson(yield* bytesOf(response))
    if (Result.isSuccess(parsed)) return { status, headers, body: parsed.success }
    return yield* status >= 500 ? upstream(`status ${status}`) : unreadable(`status ${status}, body: ${parsed.failure}`)
  })

  return {
    get: (call) =>
      exchange(call).pipe(
        // What the cause says may hold the URL; its kind is all that is told.
        Effect.catchTag("HttpClientError", (error) => Effect.fail(upstream(`no answer: ${error.reason._tag}`))),
        Effect.timeoutOrElse({
          duration: timeLimit,
          orElse: () =>
            Effect.fail(upstream(`no answer within ${Duration.format(Duration.fromInputUnsafe(timeLimit))}`))
        }),
        // Only the fetch client reads it; the others follow no redirect by themselves.
        Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
        Effect.provideService(UrlParams.CurrentRedactedNames, ["appsecret_proof"]),
        // Our trace ids are nobody else's business.
        Effect.provideService(HttpClient.TracerPropagationEnabled, false)
      )
  }
}

/** A body that has to be of a shape; another one is the network's fault, and may pass. */
export const decodeAnswer =
  <A>(network: Network, read: (value: unknown) => Result.Result<A, string>) =>
  (body: unknown): Effect.Effect<A, ReadFailed> =>
    Effect.mapError(Effect.fromResult(read(body)), (detail) => unavailable(network, "unreadable")(detail))
