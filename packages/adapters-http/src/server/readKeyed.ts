import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { InvalidRequest } from "./issues.ts"
import { readJson } from "./readJson.ts"

const isIdempotencyKey = Schema.is(IdempotencyKey)
const badKey = { path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }

/** Body and key of a request; what is wrong with either is said at once. */
export const readKeyed = <A, I>(schema: Schema.Codec<A, I>) => {
  const read = readJson(schema)
  return Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const given = headers["idempotency-key"]
    const key = given === undefined || isIdempotencyKey(given) ? given : undefined
    const isBadKey = given !== undefined && key === undefined
    const body = yield* read.pipe(
      Effect.catchTag("InvalidRequest", ({ issues }) =>
        Effect.fail(new InvalidRequest({ issues: isBadKey ? [...issues, badKey] : issues }))
      )
    )
    if (isBadKey) return yield* new InvalidRequest({ issues: [badKey] })
    return { body, idempotencyKey: Option.fromUndefinedOr(key) }
  })
}
