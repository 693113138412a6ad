import * as ByteSize from "effect/ByteSize"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Multipart from "effect/http/Multipart"
import type { Issue } from "../../api/ErrorBody.ts"
import { InvalidRequest, invalid } from "../edge/issues.ts"

/** The one file of a form, still on the wire. */
export interface FormFile {
  readonly name: string
  readonly contentType: string
  /** The file's bytes; fails at its end if the form has anything else. */
  readonly bytes: Stream.Stream<Uint8Array, InvalidRequest>
}

const maxParts = 10
const maxText_kib = 64

const limits = Multipart.limitsServices({
  maxParts,
  maxFieldSize: ByteSize.kibibytes(maxText_kib),
  // The library counts the file itself.
  maxTotalSize: ByteSize.gibibytes(5)
})

/** What a form is that cannot be read to its end; of a text that is too long the library does not tell the name. */
const faultOf = ({ reason }: Multipart.MultipartError): string => {
  switch (reason._tag) {
    case "FieldTooLarge":
      return `must be a form with one file, and has a text of more than ${maxText_kib} KiB`
    case "TooManyParts":
      return `must be a form with one file, and has more than ${maxParts} parts`
    default:
      return "must be a form of multipart/form-data"
  }
}

const toInvalid = (error: Multipart.MultipartError | InvalidRequest) =>
  error._tag === "InvalidRequest" ? error : invalid("body", faultOf(error))

/** A name as forms write it: these three are escaped, and a percent sign is not (RFC 7578 §4.2, HTML's multipart/form-data). */
const nameOf = (written: string) => written.replaceAll("%22", '"').replaceAll("%0D", "\r").replaceAll("%0A", "\n")

const theFile = (part: Multipart.Part): Option.Option<Multipart.File> =>
  part._tag === "File" && part.key === "file" ? Option.some(part) : Option.none()

const judgeOther = (part: Multipart.Part): Issue => {
  if (part.key !== "file") return { path: part.key, message: "is not known here" }
  return { path: "file", message: part._tag === "File" ? "must be given once" : "must be a file" }
}

/** One fault for each place, the first: a form may have the same part many times. */
const refuseAll = (issues: ReadonlyArray<Issue>) => {
  const first = new Map<string, Issue>()
  for (const issue of issues) if (!first.has(issue.path)) first.set(issue.path, issue)
  return Effect.fail(new InvalidRequest({ issues: [...first.values()] }))
}

/**
 * The file of a form, read as it comes: nothing is kept in memory or on disk. Other parts, before or after it, are
 * refused by their names; so is a form without a file. Where parts before the file are refused, it and what follows is
 * not read.
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

  /** The parts that are no part of such a form, up to the file or the form's end. */
  const collectOthers = Effect.gen(function* () {
    const issues: Array<Issue> = []
    // What ends the form early is not all that is wrong with it.
    const following = Effect.catchTag(next, "InvalidRequest", (error) => refuseAll([...issues, ...error.issues]))
    for (let part = yield* following; Option.isSome(part); part = yield* following) {
      const file = theFile(part.value)
      if (Option.isSome(file)) return { issues, file }
      issues.push(judgeOther(part.value))
      // A file is read before the next part comes, and another one may be as large as the file itself.
      if (part.value._tag === "File") return yield* refuseAll(issues)
    }
    return { issues, file: Option.none<Multipart.File>() }
  })

  const { file: found, issues } = yield* collectOthers
  if (Option.isNone(found)) {
    return yield* refuseAll([...issues, { path: "file", message: "is required" }])
  }
  if (issues.length > 0) return yield* refuseAll(issues)
  const part = found.value
  const nothingElse = Effect.gen(function* () {
    const rest = yield* collectOthers
    const again = Option.toArray(Option.map(rest.file, judgeOther))
    if (rest.issues.length + again.length > 0) return yield* refuseAll([...rest.issues, ...again])
  })
  const file: FormFile = {
    name: nameOf(part.name),
    contentType: part.contentType,
    bytes: Stream.mapError(part.content, toInvalid).pipe(Stream.concat(Stream.fromEffectDrain(nothingElse)))
  }
  return file
})
