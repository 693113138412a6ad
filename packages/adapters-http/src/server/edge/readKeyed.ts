import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { type Judged, readJson } from "./readJson.ts"

const isIdempotencyKey = Schema.is(IdempotencyKey)
const badKey = { path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }

/** Body and key of a request; what is wrong with either is said at once. */
export const readKeyed = Effect.fnUntraced(function* <A, I>(schema: Schema.Codec<A, I>, rules?: Judged["rules"]) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const given = headers["idempotency-key"]
  const key = given === undefined || isIdempotencyKey(given) ? given : undefined
  const body = yield* readJson(schema, { beside: key === given ? [] : [badKey], rules })
  return { body, idempotencyKey: Option.fromUndefinedOr(key) }
})
