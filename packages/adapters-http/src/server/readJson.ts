import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { InvalidRequest, invalid, toIssues } from "./issues.ts"
import { refuse, setAnswerHeaders } from "./refuse.ts"

/** The body says that it is something else than JSON. */
export class WrongContentType extends Schema.TaggedError<WrongContentType>()("WrongContentType", {}) {}

/** The body has more bytes than JSON may have. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {}) {}

/** The body did not come to its end in time. */
export class BodyTimeout extends Schema.TaggedError<BodyTimeout>()("BodyTimeout", {}) {}

/** Most bytes of a JSON body. */
const maxJson = 1024 * 1024

/** The media type alone, lower-case; empty when none is given. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  contentType?.split(";")[0]?.trim().toLowerCase() ?? ""

/** How many bytes the body will have, where the request says it. */
export const contentLengthOf = (request: HttpServerRequest.HttpServerRequest): number | undefined => {
  const given = request.headers["content-length"]
  return given !== undefined && /^\d+$/.test(given) ? Number(given) : undefined
}

/** The stream and not `request.arrayBuffer`, whose interruption tears the connection down before the refusal is sent. */
const collect = Effect.fnUntraced(function* ({ stream }: HttpServerRequest.HttpServerRequest, maxBytes: number) {
  const chunks: Array<Uint8Array> = []
  let total = 0
  yield* stream.pipe(
    Stream.mapError(() => invalid("body", "broke off")),
    Stream.runForEach((chunk) => {
      total += chunk.length
      chunks.push(chunk)
      return total > maxBytes ? Effect.fail(new BodyTooLarge()) : Effect.void
    })
  )
  const bytes = new Uint8Array(total)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
})

/** Reads the whole body, within bounds of size and time. */
export const readBytes = Effect.fnUntraced(function* (maxBytes: number) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if ((contentLengthOf(request) ?? 0) > maxBytes) return yield* new BodyTooLarge()
  return yield* collect(request, maxBytes).pipe(
    // A drop every minute would keep the connection alive for ever.
    Effect.timeoutOrElse({ duration: "30 seconds", orElse: () => Effect.fail(new BodyTimeout()) })
  )
})

const parse = (bytes: Uint8Array) =>
  Effect.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    catch: () => invalid("body", "must be JSON in UTF-8")
  })

const judgeType = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const type = mediaTypeOf(headers["content-type"])
  if (type !== "" && type !== "application/json") return yield* new WrongContentType()
})

const decodeJson = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return Effect.fnUntraced(function* (bytes: Uint8Array) {
    return yield* decode(yield* parse(bytes)).pipe(
      Effect.mapError(({ issue }) => new InvalidRequest({ issues: toIssues(issue, "body") }))
    )
  })
}

/** Reads the request's JSON and decodes it, refusing members that are not known; all faults are named at once. */
export const readJson = <A, I>(schema: Schema.Codec<A, I>) =>
  Effect.flatMap(Effect.andThen(judgeType, readBytes(maxJson)), decodeJson(schema))

/** Likewise, where a request may do without a body; the type of none says nothing. */
export const readOptionalJson = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = decodeJson(schema)
  return Effect.flatMap(readBytes(maxJson), (bytes) =>
    bytes.length === 0 ? Effect.succeedNone : Effect.andThen(judgeType, Effect.asSome(decode(bytes)))
  )
}

/** Answers that every group gives alike to a body that it cannot read. */
export const jsonRefusals = {
  WrongContentType: () => refuse("UNSUPPORTED_MEDIA_TYPE", "Send the body as application/json."),
  BodyTooLarge: () => refuse("PAYLOAD_TOO_LARGE", "A JSON body may have at most 1 MiB."),
  // The rest may still come some day: this connection must not wait for it.
  BodyTimeout: () =>
    Effect.andThen(
      setAnswerHeaders({ connection: "close" }),
      refuse("REQUEST_TIMEOUT", "The body did not come within 30 seconds.")
    )
}
