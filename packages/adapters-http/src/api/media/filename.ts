import * as Schema from "effect/Schema"

/** Most bytes of a file's name in UTF-8, as on a disk. */
const maxBytes = 255

const encoder = new TextEncoder()

/** The last part after `/` or `\`. */
export const lastPart = (given: string): string => given.split(/[/\\]/).at(-1) ?? ""

/** What is wrong with a file's name; absent where it can be kept. */
export const filenameFault = (given: string): string | undefined => {
  const name = lastPart(given)
  if (/\p{Cc}/u.test(given)) return "must be without control characters"
  if (!name.isWellFormed()) return "must be well-formed Unicode"
  return encoder.encode(name).length > maxBytes ? `must be at most ${maxBytes} bytes in UTF-8` : undefined
}

/** A file's name in a body. */
export const Filename = Schema.String.check(Schema.makeFilter(filenameFault))
