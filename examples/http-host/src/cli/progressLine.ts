import * as Effect from "effect/Effect"
import type { Writable } from "node:stream"

/** A line that tells how far something is. */
export interface ProgressLine {
  /** Whether the line is written over; elsewhere each text is a line. */
  readonly isOne: boolean
  readonly write: (text: string) => void
  /** Takes the line away, where it is one. */
  readonly clear: Effect.Effect<void>
}

/** Of which of Node's streams; and how the terminal calls itself. */
interface Screen {
  readonly stream: Pick<Writable, "write"> & { readonly isTTY?: boolean }
  readonly term: string | undefined
}

/**
 * One line that is written over on a terminal, by a return and blanks: nothing has to be escaped, so that NO_COLOR has nothing to
 * switch off. A dumb terminal gets a line for each text, as a file does.
 */
export const makeProgressLine = ({ stream, term }: Screen): ProgressLine => {
  const isOne = stream.isTTY === true && term !== "dumb"
  let width = 0
  const write = (text: string) => {
    if (!isOne) {
      stream.write(`${text}\n`)
      return
    }
    stream.write(`\r${text.padEnd(width)}`)
    width = text.length
  }
  const clear = Effect.sync(() => {
    if (isOne && width > 0) stream.write(`\r${" ".repeat(width)}\r`)
    width = 0
  })
  return { isOne, write, clear }
}

/** The same on standard error, for what a program reads is on standard output. */
export const progressLine = (): ProgressLine => makeProgressLine({ stream: process.stderr, term: process.env["TERM"] })
