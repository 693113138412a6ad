import { isLoopboxError } from "../base/isLoopboxError.ts"
import type { PartMessages } from "../messages/english/parts.ts"

/** A failure as it is shown: what happened, its code, and which request it was. */
export interface Failure {
  readonly code: string
  readonly sentence: string
  readonly requestId: string | null
}

/** What a code means in the reader's language; the host's own sentence where there is no other, or where that says more. */
export const sentenceOf = (code: string, told: string, messages: PartMessages): string => {
  const known: Readonly<Record<string, string>> = {
    ...messages.errors,
    CONNECTION_FAILED: messages.connectionFailed,
    TIMED_OUT: messages.timedOut
  }
  const sentence = known[code]
  if (sentence === undefined) return told
  return sentence.endsWith(":") ? `${sentence} ${told}` : sentence
}

/** What a caught error is to a reader. */
export const describeFailure = (error: unknown, messages: PartMessages): Failure => {
  if (!isLoopboxError(error)) {
    return { code: "PAGE_ERROR", sentence: messages.failedHere, requestId: null }
  }
  const { code, requestId } = error
  return { code, sentence: sentenceOf(code, error.message, messages), requestId }
}
