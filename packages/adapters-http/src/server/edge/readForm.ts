import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { mediaTypeOf, readBytes } from "./readJson.ts"

/** The body is no form: of another type, or not UTF-8. */
export class FormInvalid extends Schema.TaggedError<FormInvalid>()("FormInvalid", {}) {}

/** Reads the members of a form (`application/x-www-form-urlencoded`) of at most so many bytes. */
export const readForm = Effect.fnUntraced(function* (maxBytes: number) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  if (mediaTypeOf(headers["content-type"]) !== "application/x-www-form-urlencoded") return yield* new FormInvalid()
  const bytes = yield* readBytes(maxBytes)
  const text = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => new FormInvalid()
  })
  return new URLSearchParams(text)
})
