import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Issue } from "../../api/ErrorBody.ts"
import { InvalidRequest, invalid, tellAnswerMembers, toIssues } from "./issues.ts"
import { refuse, setAnswerHeaders, unavailableSeconds } from "./refuse.ts"
import { CurrentRequestBodies } from "./RequestBodies.ts"

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

/** The memory of a slow body was given to other requests. The client may try again. */
const givenUp = HttpServerResponse.empty({
  status: 503,
  headers: { "retry-after": String(unavailableSeconds), connection: "close" }
})

/** Bodies up to here are mostly in memory as a whole by the time that it is known who calls. */
const smallBytes = 64 * 1024

/** Whether Node has received all of a small body: there is nothing to wait for, and nothing to watch. */
const isHere = (request: HttpServerRequest.HttpServerRequest) =>
  Predicate.hasProperty(request.source, "complete") &&
  request.source.complete === true &&
  (contentLengthOf(request) ?? Infinity) <= smallBytes

const brokenOff = () => invalid("body", "broke off")

/**
 * The stream and not `request.arrayBuffer`, whose interruption tears the connection down before the refusal is sent, unless
 * all of the body is there: a stream and the fiber that watches it take as long as two statements.
 */
const collect = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, maxBytes: number) {
  const { hold, idle, within } = yield* CurrentRequestBodies
  // A request of Node, whose chunks nobody else has.
  const body = yield* hold(Predicate.hasProperty(request.source, "complete"))
  if (isHere(request)) {
    const bytes = yield* Effect.mapError(request.arrayBuffer, brokenOff)
    body.keep(new Uint8Array(bytes))
    return body.whole() ?? (yield* Effect.die(givenUp))
  }
  const idle_ms = Duration.toMillis(idle)
  let total = 0
  let isMoving = true
  /** Ends a body that stops arriving, or arrives too slowly: it would hold its memory for ever. */
  const watch = Effect.gen(function* () {
    for (let left_ms = Duration.toMillis(within); isMoving && left_ms > 0; left_ms -= idle_ms) {
      isMoving = false
      yield* Effect.sleep(Math.min(idle_ms, left_ms))
    }
    return yield* new BodyTimeout()
  })
  yield* request.stream.pipe(
    Stream.mapError(brokenOff),
    Stream.runForEach((chunk) => {
      isMoving = true
      total += chunk.length
      if (total > maxBytes) return Effect.fail(new BodyTooLarge())
      return body.keep(chunk) ? Effect.void : Effect.die(givenUp)
    }),
    Effect.raceFirst(watch)
  )
  // Another body may have taken its place since its last chunk.
  return body.whole() ?? (yield* Effect.die(givenUp))
})

/** Reads the whole body, within bounds of size and time. */
export const readBytes = Effect.fnUntraced(function* (maxBytes: number) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if ((contentLengthOf(request) ?? 0) > maxBytes) return yield* new BodyTooLarge()
  return yield* collect(request, maxBytes)
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

/** The members of a body as they came, and the faults that are known already: of its structure, or beside it. */
export interface GivenBody {
  readonly given: Readonly<Record<string, unknown>>
  readonly faults: ReadonlyArray<Issue>
}

/** What is judged together with the structure of a body, so that all faults are told at once (api.md §1). */
export interface Judged {
  /** Faults of the same request that are not in its body: of a header, of the path. */
  readonly beside?: ReadonlyArray<Issue> | undefined
  /** Rules that the schema can't say. They hear of a body that is an object, whatever its members are. */
  readonly rules?: ((body: GivenBody) => Effect.Effect<ReadonlyArray<Issue>>) | undefined
  /** Places of what answers about the same thing tell, by `placesOf`. */
  readonly answers?: ReadonlyArray<string> | undefined
}

/** What makes a body of ours out of one that another product's client sent; changes nothing unless it is provided. */
export const CurrentBodyTranslation = Context.Reference<(given: unknown) => Effect.Effect<unknown>>(
  "@loopbox/adapters-http/server/CurrentBodyTranslation",
  { defaultValue: () => Effect.succeed }
)

const decodeJson = <A, I>(schema: Schema.Codec<A, I>, { answers = [], beside = [], rules }: Judged = {}) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return Effect.fnUntraced(function* (bytes: Uint8Array) {
    const parsed = yield* parse(bytes).pipe(
      Effect.mapError(({ issues }) => new InvalidRequest({ issues: [...issues, ...beside] }))
    )
    const given = yield* (yield* CurrentBodyTranslation)(parsed)
    const decoded = yield* Effect.result(decode(given))
    const structural = Result.isFailure(decoded)
      ? toIssues(decoded.failure.issue, "body").map(tellAnswerMembers(answers))
      : []
    const faults = [...structural, ...beside]
    const ruled = rules !== undefined && Predicate.isObject(given) ? yield* rules({ given, faults }) : []
    // What the structure says of a place stands; a rule about it would only repeat it.
    const added = ruled.filter(({ path }) => !structural.some((issue) => issue.path === path))
    if (Result.isFailure(decoded) || faults.length + added.length > 0)
      return yield* new InvalidRequest({ issues: [...structural, ...added, ...beside] })
    return decoded.success
  })
}

/** Reads the request's JSON and decodes it, refusing members that are not known; all faults are named at once. */
export const readJson = <A, I>(schema: Schema.Codec<A, I>, judged?: Judged) =>
  Effect.flatMap(Effect.andThen(judgeType, readBytes(maxJson)), decodeJson(schema, judged))

/** Likewise, where a request may do without a body; the type of none says nothing. */
export const readOptionalJson = <A, I>(schema: Schema.Codec<A, I>, judged?: Judged) => {
  const decode = decodeJson(schema, judged)
  return Effect.flatMap(readBytes(maxJson), (bytes) =>
    bytes.length === 0 ? Effect.succeedNone : Effect.andThen(judgeType, Effect.asSome(decode(bytes)))
  )
}

/** Answers that every group gives alike to a body that it cannot read. */
export const jsonRefusals = {
  WrongContentType: () => refuse("UNSUPPORTED_MEDIA_TYPE"),
  BodyTooLarge: () => refuse("PAYLOAD_TOO_LARGE"),
  // The rest may still come some day: this connection must not wait for it.
  BodyTimeout: () => Effect.andThen(setAnswerHeaders({ connection: "close" }), refuse("REQUEST_TIMEOUT"))
}
