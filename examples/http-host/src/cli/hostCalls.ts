import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpMethod } from "effect/http/HttpMethod"
import { CommandFailed } from "../CommandFailed.ts"
import { isSilent, isSomebodyElse, isUnreachable, Refusal, sentenceOf } from "./answers.ts"

/** Whom to ask, and as whom. */
export interface HostAccess {
  readonly url: string
  /** A key or the admin token. */
  readonly token: Redacted.Redacted<string>
}

export interface HostCall {
  readonly method: HttpMethod
  /** Begins with a slash. */
  readonly path: string
  readonly body?: Schema.Json | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

const Answer = Schema.Struct({
  data: Schema.optionalKey(Schema.Unknown),
  next_cursor: Schema.optionalKey(Schema.NullOr(Schema.String)),
  error: Schema.optionalKey(Refusal)
})
type Answer = typeof Answer.Type

const isAnswer = Schema.decodeUnknownOption(Schema.fromJsonString(Answer))

/** Asks a host; whatever keeps it from answering, and every refusal, becomes a sentence. */
export const callHost = Effect.fnUntraced(
  function* ({ token, url }: HostAccess, { body, headers = {}, method, path }: HostCall) {
    const client = yield* HttpClient.HttpClient
    const request = HttpClientRequest.make(method)(`${url}${path}`).pipe(
      HttpClientRequest.bearerToken(token),
      HttpClientRequest.setHeaders(headers),
      body === undefined ? (same) => same : HttpClientRequest.bodyJsonUnsafe(body)
    )
    const response = yield* client.execute(request)
    const text = yield* response.text
    const empty: Answer = {}
    if (response.status === 204) return empty
    const answer = isAnswer(text)
    if (Option.isSome(answer) && response.status < 400) return answer.value
    const error = Option.flatMapNullishOr(answer, (known) => known.error)
    return yield* Option.match(error, {
      onNone: () => new CommandFailed({ message: isSomebodyElse(url, response.status) }),
      onSome: (refusal) => new CommandFailed({ message: sentenceOf(refusal), code: refusal.code })
    })
  },
  (effect, { url }) =>
    effect.pipe(
      Effect.timeout("30 seconds"),
      Effect.catchTags({
        HttpClientError: () => new CommandFailed({ message: isUnreachable(url) }),
        TimeoutError: () => new CommandFailed({ message: isSilent(url, "30 seconds") })
      }),
      Effect.provide(FetchHttpClient.layer)
    )
)

/** All pages of a list; `path` may have a query. */
export const listAll = Effect.fnUntraced(function* (host: HostAccess, path: string) {
  const all: Array<unknown> = []
  const first = `${path}${path.includes("?") ? "&" : "?"}limit=100`
  let next: string | undefined = first
  while (next !== undefined) {
    const answer: Answer = yield* callHost(host, { method: "GET", path: next })
    all.push(...(Array.isArray(answer.data) ? answer.data : []))
    const cursor: string | undefined = answer.next_cursor ?? undefined
    next = cursor === undefined ? undefined : `${first}&cursor=${encodeURIComponent(cursor)}`
  }
  return all
})

/** A part of a path. */
export const segment = (text: string): string => encodeURIComponent(text)
