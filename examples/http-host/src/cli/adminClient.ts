import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpMethod } from "effect/http/HttpMethod"
import { CommandFailed } from "../CommandFailed.ts"
import { type HostConfig, loadHostConfig } from "../hostConfig.ts"
import { findAdminToken } from "../hostSecrets.ts"
import { readServing } from "../serving.ts"
import { isSilent, isSomebodyElse, isUnreachable, Refusal, sentenceOf } from "./answers.ts"

/** A call of the admin API. */
export interface AdminCall {
  readonly method: HttpMethod
  /** Under `/v1/admin`, begins with a slash. */
  readonly path: string
  readonly body?: Schema.Json
}

const Answer = Schema.Struct({
  data: Schema.optionalKey(Schema.Unknown),
  next_cursor: Schema.optionalKey(Schema.NullOr(Schema.String)),
  error: Schema.optionalKey(Refusal)
})
type Answer = typeof Answer.Type

const isAnswer = Schema.decodeUnknownOption(Schema.fromJsonString(Answer))

/** Whom to ask, and with which token: what is configured, else what the data folder says. */
const findHost = Effect.fnUntraced(function* (config: HostConfig) {
  const token = yield* findAdminToken(config)
  const url = Option.isSome(config.url) ? config.url : yield* readServing(config.dataFolder)
  if (Option.isNone(url)) {
    return yield* new CommandFailed({
      message: `No host serves ${config.dataFolder}. Start one with \`loopbox serve\`, or set LOOPBOX_URL.`
    })
  }
  if (Option.isNone(token)) {
    return yield* new CommandFailed({
      message: `There is no admin token in ${config.dataFolder}. Set LOOPBOX_ADMIN_TOKEN.`
    })
  }
  return { url: url.value, token: token.value }
})

const send = Effect.fnUntraced(
  function* (host: Effect.Success<ReturnType<typeof findHost>>, { body, method, path }: AdminCall) {
    const client = yield* HttpClient.HttpClient
    const request = HttpClientRequest.make(method)(`${host.url}/v1/admin${path}`).pipe(
      HttpClientRequest.bearerToken(host.token),
      body === undefined ? (same) => same : HttpClientRequest.bodyJsonUnsafe(body)
    )
    const response = yield* client.execute(request)
    const text = yield* response.text
    if (response.status === 204) return {}
    const answer = isAnswer(text)
    if (Option.isSome(answer) && response.status < 400) return answer.value
    const error = Option.flatMapNullishOr(answer, (known) => known.error)
    return yield* new CommandFailed({
      message: Option.match(error, {
        onNone: () => isSomebodyElse(host.url, response.status),
        onSome: sentenceOf
      })
    })
  },
  (effect, host) =>
    effect.pipe(
      Effect.timeout("30 seconds"),
      Effect.catchTags({
        HttpClientError: () => new CommandFailed({ message: isUnreachable(host.url) }),
        TimeoutError: () => new CommandFailed({ message: isSilent(host.url, "30 seconds") })
      }),
      Effect.provide(FetchHttpClient.layer)
    )
)

/** Calls the admin API and gives what stands under `data`. */
export const callAdmin = Effect.fnUntraced(function* (call: AdminCall) {
  const host = yield* findHost(yield* loadHostConfig())
  const answer: Answer = yield* send(host, call)
  return answer.data
})

/** All pages of a list. */
export const listAdmin = Effect.fnUntraced(function* (path: string) {
  const host = yield* findHost(yield* loadHostConfig())
  const all: Array<unknown> = []
  let next = "?limit=100"
  while (next !== "") {
    const answer: Answer = yield* send(host, { method: "GET", path: `${path}${next}` })
    all.push(...(Array.isArray(answer.data) ? answer.data : []))
    const cursor = answer.next_cursor ?? undefined
    next = cursor === undefined ? "" : `?limit=100&cursor=${encodeURIComponent(cursor)}`
  }
  return all
})

/** A part of a path. */
export const segment = (text: string): string => encodeURIComponent(text)
