import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Details } from "../../api/ErrorBody.ts"
import { type ErrorCode, errorCodes } from "../../api/errorCodes.ts"
import { RequestId } from "../../api/RequestId.ts"

/**
 * The error envelope as a value; the endpoint's error schema decides which codes it may carry. Without a sentence of its
 * own it has that of its code.
 */
export const refusal = <const C extends ErrorCode>(
  code: C,
  message: string = errorCodes[code].sentence,
  details?: Details
) =>
  Effect.map(Effect.service(RequestId), (request_id) => ({
    error: { code, message, ...(details === undefined ? {} : { details }) },
    request_id
  }))

export const refuse = <const C extends ErrorCode>(code: C, message?: string, details?: Details) =>
  Effect.flatMap(refusal(code, message, details), Effect.fail)

/** Sets headers of the answer to the request in hand, whatever it will be. */
export const setAnswerHeaders = (headers: Readonly<Record<string, string>>) =>
  HttpEffect.appendPreResponseHandler((_request, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, headers))
  )

/** A refusal with `Retry-After`, in whole seconds and at least one. */
export const refuseFor = <const C extends ErrorCode>(seconds: number, code: C, message?: string, details?: Details) =>
  Effect.andThen(
    setAnswerHeaders({ "retry-after": String(Math.max(1, Math.ceil(seconds))) }),
    refuse(code, message, details)
  )

/** A network that limits the rate and names no time. */
const limitedSeconds = 60

/** A network limits the rate; `Retry-After` is its time. */
export const refuseLimited = Effect.fnUntraced(function* (
  retryAt: Option.Option<DateTime.Utc>,
  message: string,
  details?: Details
) {
  const now = yield* DateTime.now
  const seconds = Option.match(retryAt, {
    onNone: () => limitedSeconds,
    onSome: (at) => Duration.toSeconds(DateTime.distance(now, at))
  })
  return yield* refuseFor(seconds, "PLATFORM_RATE_LIMITED", message, details)
})

/** Seconds after which a client may try again when a dependency was down. */
export const unavailableSeconds = 5

/** No credential, or one that does not count. */
export const refuseUnauthorized = (message: string) =>
  Effect.andThen(setAnswerHeaders({ "www-authenticate": "Bearer" }), refuse("UNAUTHORIZED", message))

/** The success envelope as a value. */
export const answer = <A>(data: A) => Effect.map(Effect.service(RequestId), (request_id) => ({ data, request_id }))
