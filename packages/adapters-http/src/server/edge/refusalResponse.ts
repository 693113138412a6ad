import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type ErrorCode, type StatusOf, statusOf } from "../../api/errorCodes.ts"

interface Refusal<C extends ErrorCode = ErrorCode> {
  readonly error: { readonly code: C; readonly message: string }
  readonly request_id: string
}

/** A refusal as an answer; its status is given where it is not the first of its code. */
export const refusalResponse = <C extends ErrorCode>(
  refusal: Refusal<C>,
  status: StatusOf<C> = statusOf(refusal.error.code)
): HttpServerResponse.HttpServerResponse => HttpServerResponse.jsonUnsafe(refusal, { status })

/** Answers refusals of routes outside of the described groups as those do: with the status of their code. */
export const toResponse = <R>(
  effect: Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catch(effect, (refusal) => Effect.succeed(refusalResponse(refusal)))
