import { OutcomeUnknown, Unavailable } from "@loopbox/core/networks/ConnectorErrors"
import type { ReadFailed } from "@loopbox/core/networks/ConnectorErrors"
import type { Network } from "../names.ts"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as UrlParams from "effect/http/UrlParams"
import type { NetworkRequest, WriteBody } from "./NetworkRequest.ts"
import { neverSent } from "./neverSent.ts"
import { sendFile } from "./sendFile.ts"
import type { FileBody } from "./sendFile.ts"
import { parseJson } from "../payloads/parseJson.ts"
import { withoutSecrets } from "./withoutSecrets.ts"

/** An answer whose body is JSON, whatever its status. */
export interface JsonAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** Talks to one network: a time limit, no redirects, bounded answers, the token in the header alone. */
export interface NetworkClient {
  /** Any answer with JSON in it; the network's own words about a failure are for the caller to read. */
  readonly get: (request: NetworkRequest) => Effect.Effect<JsonAnswer, Unavailable>
  /**
   * The same for a write. `Unavailable` proves that nothing was done: no byte was sent, or the network refused with a
   * 4xx. Whatever else ends without an answer is `OutcomeUnknown` (social-networks.md §3.2, §8).
   */
  readonly post: (request: NetworkRequest, body: WriteBody) => Effect.Effect<JsonAnswer, Unavailable | OutcomeUnknown>
  readonly put: (request: NetworkRequest, body: WriteBody) => Effect.Effect<JsonAnswer, Unavailable | OutcomeUnknown>
  /** The same, without a body. */
  readonly delete: (request: NetworkRequest) => Effect.Effect<JsonAnswer, Unavailable | OutcomeUnknown>
}

/** An answer is a person, a post, or a page of a hundred comments. */
const mostBytes = 4 * 1024 * 1024

/** Values of these never stand in a span: secrets, and what people write. */
const secretParameters = [
  "access_token",
  "appsecret_proof",
  "client_secret",
  "code",
  "code_verifier",
  "fb_exchange_token",
  "input_token",
  "refresh_token",
  "state",
  "text",
  "token"
]

const unavailable =
  (network: Network, reason: Unavailable["reason"]) =>
  (detail: string): Unavailable =>
    new Unavailable({ network, reason, networkCode: Option.none(), detail })

/** Statuses that leave open what became of a write: the network's trouble, and what is asked to be tried again. */
export const isUndecided = (status: number): boolean =>
  status >= 500 || status === 408 || status === 409 || status === 425

/** How an exchange ended without JSON. */
interface NoAnswer {
  readonly _tag: "NoAnswer"
  readonly reason: "upstream" | "unreadable"
  readonly detail: string
  /** Whether the network surely did nothing. */
  readonly isHarmless: boolean
}

const noAnswer = (reason: NoAnswer["reason"], detail: string, isHarmless = false): NoAnswer => ({
  _tag: "NoAnswer",
  reason,
  detail,
  isHarmless
})

const bytesOf = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  const chunks: Array<Uint8Array> = []
  let size_bytes = 0
  yield* Stream.runForEach(response.stream, (chunk) => {
    size_bytes += chunk.length
    if (size_bytes > mostBytes) return Effect.fail(noAnswer("unreadable", "the answer is too long"))
    chunks.push(chunk)
    return Effect.void
  }).pipe(
    Effect.catchTag("HttpClientError", (error) =>
      error.reason._tag === "EmptyBodyError" ? Effect.void : Effect.fail(error)
    )
  )
  return Buffer.concat(chunks)
})

/** What the cause says may hold the URL; its kind is all that is told. */
const asNoAnswer = ({ reason }: HttpClientError.HttpClientError): NoAnswer =>
  noAnswer(
    "upstream",
    `no answer: ${reason._tag}`,
    reason._tag === "InvalidUrlError" || reason._tag === "EncodeError" || neverSent(reason.cause)
  )

const withBody = (request: HttpClientRequest.HttpClientRequest, body: Exclude<WriteBody, FileBody>) => {
  if ("form" in body) return HttpClientRequest.bodyUrlParams(request, body.form)
  if ("json" in body) return HttpClientRequest.bodyJsonUnsafe(request, body.json)
  return HttpClientRequest.bodyFormData(request, body.parts)
}

export const makeNetworkClient = (
  network: Network,
  client: HttpClient.HttpClient,
  timeLimit: Duration.Input
): NetworkClient => {
  const answerTo = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
    const response = yield* client.execute(request)
    const { headers, status } = response
    // With the token in its header, a request must not be sent to wherever an answer says.
    if (status >= 300 && status < 400) {
      return yield* Effect.fail(noAnswer("unreadable", `it answered a redirect, status ${status}`))
    }
    return yield* asJson(status, headers, yield* bytesOf(response))
  })

  const asJson = Effect.fnUntraced(function* (status: number, headers: JsonAnswer["headers"], bytes: Uint8Array) {
    const parsed = parseJson(bytes)
    if (Result.isSuccess(parsed)) return { status, headers, body: parsed.success } satisfies JsonAnswer
    // Whoever says it, in whatever words: too many requests.
    if (status === 429) return { status, headers, body: null } satisfies JsonAnswer
    return yield* Effect.fail(
      status >= 500
        ? noAnswer("upstream", `status ${status}`)
        : noAnswer("unreadable", `status ${status}, body: ${parsed.failure}`, status >= 400 && !isUndecided(status))
    )
  })

  const within = <A>(answer: Effect.Effect<A, NoAnswer>, limit: Duration.Input = timeLimit) =>
    Effect.timeoutOrElse(answer, {
      duration: limit,
      orElse: () =>
        Effect.fail(noAnswer("upstream", `no answer within ${Duration.format(Duration.fromInputUnsafe(limit))}`))
    })

  const exchange = (request: HttpClientRequest.HttpClientRequest): Effect.Effect<JsonAnswer, NoAnswer> =>
    answerTo(request).pipe(
      Effect.catchTag("HttpClientError", (error) => Effect.fail(asNoAnswer(error))),
      // Only the fetch client reads it; the others follow no redirect by themselves.
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.provideService(UrlParams.CurrentRedactedNames, secretParameters),
      // Our trace ids are nobody else's business.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false)
    )

  const to = (method: "GET" | "POST" | "PUT" | "DELETE", { accessToken, basic, query, url }: NetworkRequest) => {
    const request = HttpClientRequest.make(method)(url, { acceptJson: true, urlParams: query })
    if (basic !== undefined) return HttpClientRequest.basicAuth(request, basic.username, basic.password)
    return accessToken === undefined ? request : HttpClientRequest.bearerToken(request, accessToken)
  }

  /** A file goes by itself, for its length has to be told. No redirect is followed there, either. */
  const sentFile = ({ accessToken, fileHeaders = {}, url }: NetworkRequest, file: FileBody) => {
    const authorization: Readonly<Record<string, string>> =
      accessToken === undefined ? {} : { authorization: `OAuth ${Redacted.value(accessToken)}` }
    return sendFile(url, { ...fileHeaders, ...authorization }, file).pipe(
      Effect.mapError(({ cause }) => noAnswer("upstream", "the file was not taken", neverSent(cause))),
      Effect.flatMap(({ body, headers, status }) => asJson(status, headers, body))
    )
  }

  const written = (
    answer: Effect.Effect<JsonAnswer, NoAnswer>,
    { network: failing = network, timeLimit }: NetworkRequest
  ) =>
    Effect.mapError(within(answer, timeLimit), ({ detail, isHarmless, reason }) =>
      isHarmless
        ? unavailable(failing, reason)(detail)
        : new OutcomeUnknown({ network: failing, networkCode: Option.none(), detail })
    )

  const clean =
    (request: NetworkRequest, sent?: WriteBody) =>
    ({ body, headers, status }: JsonAnswer): JsonAnswer => ({
      status,
      headers,
      body: withoutSecrets(request, sent, status, body)
    })

  const sending =
    (method: "POST" | "PUT") =>
    (request: NetworkRequest, body: WriteBody): Effect.Effect<JsonAnswer, Unavailable | OutcomeUnknown> =>
      written("bytes" in body ? sentFile(request, body) : exchange(withBody(to(method, request), body)), request).pipe(
        Effect.map(clean(request, body))
      )

  return {
    get: (request) =>
      Effect.mapBoth(within(exchange(to("GET", request)), request.timeLimit), {
        onFailure: ({ detail, reason }) => unavailable(request.network ?? network, reason)(detail),
        onSuccess: clean(request)
      }),
    post: sending("POST"),
    put: sending("PUT"),
    delete: (request) => Effect.map(written(exchange(to("DELETE", request)), request), clean(request))
  }
}

/** A body that has to be of a shape; another one is the network's fault, and may pass. */
export const decodeAnswer =
  <A>(network: Network, read: (value: unknown) => Result.Result<A, string>) =>
  (body: unknown): Effect.Effect<A, ReadFailed> =>
    Effect.mapError(Effect.fromResult(read(body)), (detail) => unavailable(network, "unreadable")(detail))

/** The same for the answer to a write, which has happened: what can't be read leaves open what it made. */
export const decodeReceipt =
  <A>(network: Network, read: (value: unknown) => Result.Result<A, string>) =>
  (body: unknown): Effect.Effect<A, OutcomeUnknown> =>
    Effect.mapError(
      Effect.fromResult(read(body)),
      (detail) => new OutcomeUnknown({ network, networkCode: Option.none(), detail })
    )
