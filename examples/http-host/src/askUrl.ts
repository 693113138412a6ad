import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** Nobody answered; in words. */
export class NotReached extends Schema.TaggedError<NotReached>()("NotReached", { message: Schema.String }) {}

export interface UrlAnswer {
  readonly status: number
  readonly header: (name: string) => string | undefined
  /** The beginning of the body. */
  readonly text: string
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name is not known (DNS)",
  EAI_AGAIN: "its name could not be looked up now (DNS)",
  ECONNREFUSED: "nobody listens there",
  ECONNRESET: "the connection was broken",
  EHOSTUNREACH: "there is no way to it",
  ENETUNREACH: "there is no way to it",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by an authority that nobody knows",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate comes without the intermediate one",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate comes without the intermediate one",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  EPROTO: "it does not speak TLS there",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS there"
}

/** The innermost code of a failed request. */
const codeOf = (error: unknown): string | undefined => {
  const inner = Predicate.hasProperty(error, "cause") ? codeOf(error.cause) : undefined
  if (inner !== undefined) return inner
  return Predicate.hasProperty(error, "code") && typeof error.code === "string" ? error.code : undefined
}

const inWords = (error: HttpClientError): NotReached => {
  const code = codeOf(error.reason) ?? codeOf(error)
  return new NotReached({ message: code === undefined ? "it could not be asked" : (reasons[code] ?? code) })
}

const mostText = 2_000

/** One request that follows no redirect, with a limit of time; the body is read where there may be one. */
export const askUrl = Effect.fnUntraced(
  function* (method: "GET" | "HEAD", url: string, headers: Readonly<Record<string, string>> = {}) {
    const client = yield* HttpClient.HttpClient
    const request = HttpClientRequest.make(method)(url).pipe(HttpClientRequest.setHeaders(headers))
    const response = yield* client.execute(request)
    const text = method === "HEAD" ? "" : (yield* response.text).slice(0, mostText)
    const answer: UrlAnswer = { status: response.status, header: (name) => response.headers[name], text }
    return answer
  },
  (effect) =>
    effect.pipe(
      Effect.mapError(inWords),
      Effect.timeoutOrElse({
        duration: "10 seconds",
        orElse: () => Effect.fail(new NotReached({ message: "it did not answer within 10 seconds" }))
      }),
      Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
      Effect.provide(FetchHttpClient.layer)
    )
)
