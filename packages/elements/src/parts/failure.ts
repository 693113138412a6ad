import { isLoopboxError } from "../base/isLoopboxError.ts"
import type { PartMessages } from "../messages/english/parts.ts"

/** A failure as it is shown: what happened, its code, and which request it was. */
export interface Failure {
  readonly code: string
  readonly sentence: string
  readonly requestId: string | null
}

/** What a caught error is to a reader; the host's own sentence wherever it gave one. */
export const describeFailure = (error: unknown, messages: PartMessages): Failure => {
  if (!isLoopboxError(error)) {
    return { code: "PAGE_ERROR", sentence: messages.failedHere, requestId: null }
  }
  const { code, requestId } = error
  const local: Readonly<Record<string, string>> = {
    CONNECTION_FAILED: messages.connectionFailed,
    TIMED_OUT: messages.timedOut
  }
  return { code, sentence: local[code] ?? error.message, requestId }
}
