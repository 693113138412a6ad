import { IdempotencyKey } from "@loopbox/core/kernel/IdempotencyKey"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Issue } from "../../api/ErrorBody.ts"
import { type GivenBody, type Judged, readJson } from "./readJson.ts"

const isIdempotencyKey = Schema.is(IdempotencyKey)
const badKey = { path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }

/** A body, and whether a key came with it, well-formed or not. */
export interface GivenKeyed extends GivenBody {
  readonly hasKey: boolean
}

/** Body and key of a request; what is wrong with either is said at once. */
export const readKeyed = Effect.fnUntraced(function* <A, I>(
  schema: Schema.Codec<A, I>,
  rules: (body: GivenKeyed) => Effect.Effect<ReadonlyArray<Issue>> = () => Effect.succeed([]),
  answers?: Judged["answers"]
) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const given = headers["idempotency-key"]
  const key = given === undefined || isIdempotencyKey(given) ? given : undefined
  const body = yield* readJson(schema, {
    beside: key === given ? [] : [badKey],
    rules: (one) => rules({ ...one, hasKey: given !== undefined }),
    answers
  })
  return { body, idempotencyKey: Option.fromUndefinedOr(key) }
})
