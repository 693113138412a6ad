import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type InvalidRequest, invalid } from "./issues.ts"

/** Most bytes of a file's name in UTF-8, as on a disk. */
const maxBytes = 255

const encoder = new TextEncoder()

/**
 * A file's name as it is kept: the last part after `/` or `\`; `path` says where the request had it.
 *
 * A name that is empty then is no name.
 */
export const toFilename = (
  path: string,
  given: string | null | undefined
): Effect.Effect<Option.Option<string>, InvalidRequest> => {
  const name = given?.split(/[/\\]/).at(-1) ?? ""
  if (/\p{Cc}/u.test(given ?? "")) return Effect.fail(invalid(path, "must be without control characters"))
  if (!name.isWellFormed()) return Effect.fail(invalid(path, "must be well-formed Unicode"))
  if (encoder.encode(name).length > maxBytes) {
    return Effect.fail(invalid(path, `must be at most ${maxBytes} bytes in UTF-8`))
  }
  return Effect.succeed(name === "" ? Option.none() : Option.some(name))
}

/** The name in an `X-Filename` header: percent-encoded UTF-8. */
export const filenameOfHeader = (given: string | undefined): Effect.Effect<Option.Option<string>, InvalidRequest> => {
  if (given === undefined) return Effect.succeedNone
  if (!/^[\x20-\x7e]*$/.test(given)) return Effect.fail(invalid("X-Filename", "must be percent-encoded UTF-8"))
  return Effect.try({
    try: () => decodeURIComponent(given),
    catch: () => invalid("X-Filename", "must be percent-encoded UTF-8")
  }).pipe(Effect.flatMap((name) => toFilename("X-Filename", name)))
}

/** Characters that may stand in `filename*` as they are (RFC 5987). */
const percentEncoded = (name: string) =>
  encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** `Content-Disposition` of a download, with the name for old clients and the name as it is. */
export const contentDisposition = (name: string): string => {
  // Old clients decode percent signs, and stop at quotes.
  const plain = name.replace(/[^\x20-\x7e]/gu, "_").replace(/["\\%]/g, "_")
  return `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(name)}`
}
