import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Issue } from "../../api/ErrorBody.ts"
import { filenameFault, lastPart } from "../../api/media/filename.ts"

/** A file's name as it is kept; one that is empty then is no name. */
export const toFilename = (given: string | null | undefined): Option.Option<string> => {
  const name = lastPart(given ?? "")
  return name === "" ? Option.none() : Option.some(name)
}

/** The name that a request gives its file at `path`, or what is wrong with it. */
export const judgeFilename = (path: string, given: string): Result.Result<Option.Option<string>, Issue> => {
  const message = filenameFault(given)
  return message === undefined ? Result.succeed(toFilename(given)) : Result.fail({ path, message })
}

/** The name in an `X-Filename` header: percent-encoded UTF-8. */
export const judgeFilenameHeader = (given: string | undefined): Result.Result<Option.Option<string>, Issue> => {
  if (given === undefined) return Result.succeedNone
  const notEncoded = { path: "X-Filename", message: "must be percent-encoded UTF-8" }
  if (!/^[\x20-\x7e]*$/.test(given)) return Result.fail(notEncoded)
  return Result.try({ try: () => decodeURIComponent(given), catch: () => notEncoded }).pipe(
    Result.flatMap((name) => judgeFilename("X-Filename", name))
  )
}

/** Characters that may stand in `filename*` as they are (RFC 5987). A name may have been cut within a letter. */
const percentEncoded = (name: string) =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  )

/** `Content-Disposition` of a download, with the name for old clients and the name as it is. */
export const contentDisposition = (name: string): string => {
  // Old clients decode percent signs, and stop at quotes.
  const plain = name.replace(/[^\x20-\x7e]/gu, "_").replace(/["\\%]/g, "_")
  return `attachment; filename="${plain}"; filename*=UTF-8''${percentEncoded(name)}`
}
