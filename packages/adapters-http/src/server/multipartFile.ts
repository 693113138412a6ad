import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Multipart from "effect/http/Multipart"
import { InvalidRequest, invalid } from "./issues.ts"

/** The one file of a form, still on the wire. */
export interface FormFile {
  readonly name: string
  readonly contentType: string
  /** The file's bytes; fails at its end if the form has anything else. */
  readonly bytes: Stream.Stream<Uint8Array, InvalidRequest>
}

const limits = Multipart.limitsServices({
  maxParts: 10,
  maxFieldSize: ByteSize.kibibytes(64),
  // The library counts the file itself.
  maxTotalSize: ByteSize.gibibytes(5)
})

const toInvalid = (error: Multipart.MultipartError | InvalidRequest) =>
  error._tag === "InvalidRequest" ? error : invalid("body", "must be a form of multipart/form-data")

const judgeOther = (part: Multipart.Part) => {
  if (part.key !== "file") return invalid(part.key, "is not known here")
  return invalid("file", part._tag === "File" ? "must be given once" : "must be a file")
}

/**
 * The file of a form, read as it comes: nothing is kept in memory or on disk. Another part, before or after it, is
 * refused by its name; so is a form without a file.
 */
export const readFormFile = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = Stream.mapError(request.stream, () => invalid("body", "broke off"))
  const parts = body.pipe(
    Stream.pipeThroughChannel(Multipart.makeChannel<InvalidRequest>({ ...request.headers })),
    Stream.mapError(toInvalid),
    Stream.provideContext(limits)
  )
  const pull = yield* Stream.toPull(parts)
  const waiting: Array<Multipart.Part> = []
  const next = Effect.gen(function* () {
    if (waiting.length === 0) waiting.push(...(yield* pull))
    return Option.fromUndefinedOr(waiting.shift())
  }).pipe(Effect.catchTag("Done", () => Effect.succeedNone))

  const first = yield* next
  if (Option.isNone(first)) return yield* invalid("file", "is required")
  const part = first.value
  if (part._tag !== "File" || part.key !== "file") return yield* judgeOther(part)
  const nothingElse = Effect.flatMap(next, (other) =>
    Option.isNone(other) ? Effect.void : Effect.fail(judgeOther(other.value))
  )
  const file: FormFile = {
    name: part.name,
    contentType: part.contentType,
    bytes: Stream.mapError(part.content, toInvalid).pipe(Stream.concat(Stream.fromEffectDrain(nothingElse)))
  }
  return file
})
