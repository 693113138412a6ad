import * as Result from "effect/Result"
import { ScopeInvalid } from "./AccessErrors.ts"

/** One decoded parameter of a query; a name may occur several times. */
export type QueryPair = readonly [name: string, value: string]

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A run of escapes (`%41%42…`) is decoded at once, since one character may need several. */
const escapes = /(?:%[0-9a-f]{2})+/gi

const decodeRun = (run: string): Result.Result<string, ScopeInvalid> =>
  Result.try({
    try: () => decoder.decode(Uint8Array.from(run.split("%").slice(1), (hex) => Number.parseInt(hex, 16))),
    catch: () => new ScopeInvalid({ reason: "malformed_query" })
  })

/** Decodes one name or value; `+` is a space, as in forms. */
const decodePart = (part: string): Result.Result<string, ScopeInvalid> => {
  if (!part.includes("%")) return Result.succeed(part.replaceAll("+", " "))
  let text = ""
  let end = 0
  for (const match of part.matchAll(escapes)) {
    const between = part.slice(end, match.index)
    const run = decodeRun(match[0])
    if (Result.isFailure(run)) return run
    text += between.replaceAll("+", " ") + run.success
    end = match.index + match[0].length
  }
  return Result.succeed(text + part.slice(end).replaceAll("+", " "))
}

const isMalformed = (query: string) => /%(?![0-9a-f]{2})/i.test(query)

/** Splits and decodes the text after `?`; refuses an escape that is not two hex digits, or bytes that are not UTF-8. */
export const parseRawQuery = (query: string): Result.Result<ReadonlyArray<QueryPair>, ScopeInvalid> => {
  if (isMalformed(query)) return Result.fail(new ScopeInvalid({ reason: "malformed_query" }))
  const pairs: Array<QueryPair> = []
  for (const part of query.split("&")) {
    if (part === "") continue
    const equals = part.indexOf("=")
    const name = decodePart(equals < 0 ? part : part.slice(0, equals))
    if (Result.isFailure(name)) return Result.fail(name.failure)
    const value = decodePart(equals < 0 ? "" : part.slice(equals + 1))
    if (Result.isFailure(value)) return Result.fail(value.failure)
    pairs.push([name.success, value.success])
  }
  return Result.succeed(pairs)
}

/** All values of a parameter. */
export const valuesOf = (pairs: ReadonlyArray<QueryPair>, name: string): ReadonlyArray<string> =>
  pairs.filter(([given]) => given === name).map(([, value]) => value)
