import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { Api } from "../api/Api.ts"
import { AdminAuthentication, Authentication, ContentAccess, ConversionsAuthentication } from "../api/Authentication.ts"
import { AccountsAuthorization } from "../api/accounts/AccountsAuthorization.ts"
import { AuditAuthorization } from "../api/audit/AuditAuthorization.ts"
import { EndpointsAuthorization } from "../api/endpoints/EndpointsAuthorization.ts"
import { InboxAuthorization } from "../api/inbox/InboxAuthorization.ts"
import { PostsAuthorization } from "../api/posts/PostsAuthorization.ts"
import { WorkspaceAuthorization } from "../api/usage/WorkspaceAuthorization.ts"

/** What is redacted stands in no log. */
type Secret = string | Redacted.Redacted<string>

export interface ClientOptions {
  /** For instance `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** A workspace's key: the inbox, accounts, media and conversions. */
  readonly apiKey?: Secret | undefined
  /** A dashboard user's token: the inbox and accounts, without a key. */
  readonly dashboardToken?: Secret | undefined
  /** The host's token: administration. */
  readonly adminToken?: Secret | undefined
  /** Tries after the first of what may be repeated: 2 unless said otherwise. */
  readonly retries?: number | undefined
}

/** Longest wait that a retry is worth; an answer that asks for more is handed to the caller. */
const maxWait = Duration.seconds(20)

/** A read, or a write that the server knows again by its key (design §10). */
const isRepeatable = ({ headers, method }: HttpClientRequest.HttpClientRequest) =>
  method === "GET" || method === "HEAD" || headers["idempotency-key"] !== undefined

/** INBOX_SCOPE_LOOKUP_FAILED is the one 500 that says when to come again: nothing has run, so any request may. */
const hasNotRun = ({ headers, status }: Pick<HttpClientResponse.HttpClientResponse, "headers" | "status">) =>
  status === 500 && headers["retry-after"] !== undefined

const waitOf = ({ headers, status }: HttpClientResponse.HttpClientResponse): Option.Option<Duration.Duration> => {
  if (status !== 429 && status !== 503 && !hasNotRun({ headers, status })) return Option.none()
  const seconds = Number(headers["retry-after"] ?? "1")
  const wait = Duration.seconds(Number.isFinite(seconds) ? seconds : 1)
  return Duration.isGreaterThan(wait, maxWait) ? Option.none() : Option.some(wait)
}

const retried = (retries: number) => (client: HttpClient.HttpClient) =>
  HttpClient.transform(client, (send, request) => {
    const attempt = (left: number): typeof send =>
      Effect.flatMap(send, (response) => {
        const wait = waitOf(response)
        return left > 0 && (isRepeatable(request) || hasNotRun(response)) && Option.isSome(wait)
          ? Effect.delay(attempt(left - 1), wait.value)
          : Effect.succeed(response)
      })
    return attempt(retries)
  })

/** No operation answers with a page: one that came is somebody else's, whatever status it has. */
const withoutPages = HttpClient.transformResponse(
  Effect.flatMap((response: HttpClientResponse.HttpClientResponse) =>
    /^text\/html\b/i.test(response.headers["content-type"] ?? "")
      ? Effect.fail(
          new HttpClientError.HttpClientError({
            reason: new HttpClientError.DecodeError({ request: response.request, response, description: "a page" })
          })
        )
      : Effect.succeed(response)
  )
)

const bearer = (token: Secret | undefined) => (request: HttpClientRequest.HttpClientRequest) =>
  token === undefined ? request : HttpClientRequest.bearerToken(request, token)

/**
 * A typed client, derived from the description of the API: `client.conversions.create({ … })`.
 *
 * It repeats reads, and writes under an Idempotency-Key, that were answered 429 or 503, and whatever was answered
 * INBOX_SCOPE_LOOKUP_FAILED, after the time that the answer says.
 */
export const make = (options: ClientOptions) => {
  const withKey = bearer(options.apiKey)
  const withEither = bearer(options.apiKey ?? options.dashboardToken)
  const withToken = bearer(options.adminToken)
  const credentials = Layer.mergeAll(
    HttpApiMiddleware.layerClient(Authentication, ({ next, request }) => next(withKey(request))),
    HttpApiMiddleware.layerClient(ConversionsAuthentication, ({ next, request }) => next(withKey(request))),
    HttpApiMiddleware.layerClient(ContentAccess, ({ next, request }) => next(withKey(request))),
    HttpApiMiddleware.layerClient(InboxAuthorization, ({ next, request }) => next(withEither(request))),
    HttpApiMiddleware.layerClient(EndpointsAuthorization, ({ next, request }) => next(withEither(request))),
    HttpApiMiddleware.layerClient(AccountsAuthorization, ({ next, request }) => next(withEither(request))),
    HttpApiMiddleware.layerClient(PostsAuthorization, ({ next, request }) => next(withEither(request))),
    HttpApiMiddleware.layerClient(WorkspaceAuthorization, ({ next, request }) => next(withEither(request))),
    HttpApiMiddleware.layerClient(AuditAuthorization, ({ next, request }) => next(withEither(request))),
    HttpApiMiddleware.layerClient(AdminAuthentication, ({ next, request }) => next(withToken(request)))
  )
  return HttpApiClient.make(Api, {
    transformClient: (client) =>
      client.pipe(
        HttpClient.mapRequest(HttpClientRequest.prependUrl(options.baseUrl)),
        retried(options.retries ?? 2),
        withoutPages
      )
  }).pipe(Effect.provide(credentials))
}

/** The same over `fetch`, as Node, Bun, Deno and browsers have it: nothing else has to be provided. */
export const makeClient = (options: ClientOptions) => Effect.provide(make(options), FetchHttpClient.layer)
