import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import { toPlain } from "./toPlain.ts"

/** Data of a refusal may be a list of everything that is wrong; a message is a line of a log. */
const longest = 300

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text)

/** `AccountNotFound` as words. */
const wordsOf = (tag: string): string => tag.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase()

const dataOf = (error: Error): ReadonlyArray<string> =>
  Object.entries(error)
    .filter(([name]) => name !== "_tag" && name !== "cause" && name !== "message")
    .map(([name, value]: [string, unknown]) => `${name}: ${cut(JSON.stringify(toPlain(value)) ?? "undefined")}`)

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return Predicate.isString(error) ? cut(error) : ""
  if (error.message !== "") return error.message
  const data = dataOf(error)
  const cause = Predicate.isNullish(error.cause) ? "" : messageOf(error.cause)
  return `${wordsOf(error.name)}${data.length > 0 ? ` (${data.join(", ")})` : ""}${cause === "" ? "" : `: ${cause}`}`
}

/** The same error with a message of its tag, its data and its cause, if it had none: most who call log nothing else. */
export const told = <E>(error: E): E => {
  if (!(error instanceof Error) || error.message !== "") return error
  // As that of other errors: it is in no JSON and no copy.
  Object.defineProperty(error, "message", {
    value: messageOf(error),
    enumerable: false,
    writable: true,
    configurable: true
  })
  return error
}

/** A stream for `for await`, whose error has a message. */
export const toldIterable = <A, E>(stream: Stream.Stream<A, E>): AsyncIterable<A> =>
  Stream.toAsyncIterable(Stream.mapError(stream, told))
