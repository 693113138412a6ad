import { createHmac } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { parsedJson } from "../parsedJson.ts"

const answerWithin = "3 seconds"

/** X's challenge-response check: whether an address signs a token as only our app can. */
export const answersChallenge = Effect.fnUntraced(function* (
  client: HttpClient.HttpClient,
  secret: Redacted.Redacted<string>,
  { token, url }: { readonly url: string; readonly token: string }
) {
  const asked = client.execute(HttpClientRequest.get(url, { urlParams: { crc_token: token } })).pipe(
    Effect.flatMap(({ status, text }) => Effect.map(text, (body) => ({ status, body }))),
    Effect.timeout(answerWithin),
    Effect.option
  )
  const answer = yield* asked
  if (Option.isNone(answer) || answer.value.status !== 200) return false
  const body = parsedJson(answer.value.body)
  const expected = createHmac("sha256", Redacted.value(secret)).update(token).digest("base64")
  return Predicate.isObject(body) && body["response_token"] === `sha256=${expected}`
})
