import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"

/** Statuses of refusals by routes that stand outside of the described groups. */
const statuses = {
  VALIDATION_ERROR: 400,
  INBOX_SCOPE_REQUIRED: 400,
  INBOX_SCOPE_INVALID: 400,
  UNAUTHORIZED: 401,
  PLAN_FEATURE_NOT_AVAILABLE: 402,
  INSUFFICIENT_ROLE: 403,
  API_KEY_CREATOR_REQUIRED: 403,
  FORBIDDEN: 403,
  MANAGED_USER_NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  UPGRADE_REQUIRED: 426,
  RATE_LIMITED: 429,
  INBOX_SCOPE_LOOKUP_FAILED: 500,
  TEMPORARILY_UNAVAILABLE: 503
} as const

interface Refusal {
  readonly error: { readonly code: keyof typeof statuses; readonly message: string }
  readonly request_id: string
}

/** Answers refusals as the described groups do: with the status of their code. */
export const toResponse = <R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catch(effect, (refusal) =>
    Effect.succeed(HttpServerResponse.jsonUnsafe(refusal, { status: statuses[refusal.error.code] }))
  )
