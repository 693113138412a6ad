import { createHmac } from "node:crypto"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { parsedJson } from "../parsedJson.ts"

const answerWithin = "10 seconds"

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** What Meta signs: the second part as it is sent, not what it means. */
const signedRequest = (personId: string, secret: Redacted.Redacted<string>, at: DateTime.Utc): string => {
  const payload = encoded({
    user_id: personId,
    algorithm: "HMAC-SHA256",
    issued_at: Math.floor(DateTime.toEpochMillis(at) / 1000)
  })
  return `${createHmac("sha256", Redacted.value(secret)).update(payload).digest("base64url")}.${payload}`
}

/** What became of a callback. */
export interface CallbackOutcome {
  readonly person_id: string
  /** 0 where no answer came. */
  readonly status: number
  readonly confirmation_code: string | null
  /** What the address of the status answered; null where there is none to ask. */
  readonly status_page: number | null
  /** What Meta would complain of. */
  readonly problems: ReadonlyArray<string>
}

const ask = Effect.fnUntraced(function* (client: HttpClient.HttpClient, request: HttpClientRequest.HttpClientRequest) {
  const answer = yield* client.execute(request).pipe(
    Effect.flatMap(({ headers, status, text }) =>
      Effect.map(text, (body) => ({ status, body, type: headers["content-type"] ?? "" }))
    ),
    Effect.timeout(answerWithin),
    Effect.option
  )
  return Option.getOrElse(answer, () => ({ status: 0, body: "", type: "" }))
})

/** Tells the host that a person removed the app, or wants their data deleted, and judges the answer as Meta does. */
export const sendCallback = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  options: {
    readonly url: string
    readonly isDeletion: boolean
    readonly personId: string
    readonly secret: Redacted.Redacted<string>
    readonly at: DateTime.Utc
  }
): Effect.fn.Return<CallbackOutcome> {
  const { at, isDeletion, personId, secret, url } = options
  const form = HttpClientRequest.bodyUrlParams(HttpClientRequest.post(url), {
    signed_request: signedRequest(personId, secret, at)
  })
  const { body, status, type } = yield* ask(client, form)
  const outcome = { person_id: personId, status, confirmation_code: null, status_page: null }
  const refusal = status === 200 ? [] : [`The answer was ${status === 0 ? "none" : status}, and not 200.`]
  if (!isDeletion || status !== 200) return { ...outcome, problems: refusal }
  const read = parsedJson(body)
  const { confirmation_code, url: statusUrl } = Predicate.isObject(read) ? read : {}
  const isCode = typeof confirmation_code === "string" && /^[0-9A-Za-z]+$/.test(confirmation_code)
  const problems = [
    ...(type.startsWith("application/json") ? [] : ["The answer is not application/json."]),
    ...(isCode ? [] : ["confirmation_code is not letters and digits."]),
    ...(typeof statusUrl === "string" && URL.canParse(statusUrl) ? [] : ["url is no address."])
  ]
  const page =
    typeof statusUrl === "string" && URL.canParse(statusUrl)
      ? yield* ask(client, HttpClientRequest.get(statusUrl))
      : undefined
  return {
    ...outcome,
    confirmation_code: isCode ? confirmation_code : null,
    status_page: page?.status ?? null,
    problems: [
      ...problems,
      ...(page === undefined || page.status === 200 ? [] : [`The status page answered ${page.status}.`])
    ]
  }
})
