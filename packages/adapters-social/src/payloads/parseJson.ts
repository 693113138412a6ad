import * as Result from "effect/Result"

/** A number of so many digits may be an id that a double can't hold. */
const longNumber = /[:[,]\s*-?\d{16,}/

const keepDigits = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" &&
  !Number.isSafeInteger(value) &&
  context?.source !== undefined &&
  /^-?\d+$/.test(context.source)
    ? context.source
    : value

const isNothing = /^\s*$/

/**
 * The JSON of some bytes. A whole number that a double can't hold becomes the string of its digits, for ids come as
 * numbers too. Bytes that are no UTF-8 are replaced, not refused.
 */
export const parseJson = (bytes: Uint8Array): Result.Result<unknown, string> => {
  const text = new TextDecoder().decode(bytes)
  if (isNothing.test(text)) return Result.fail("empty")
  return Result.try({
    // The reviver costs several times the parsing, and recurses.
    try: (): unknown => (longNumber.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)),
    catch: () => "not JSON"
  })
}
