import type { LoopboxError } from "@loopbox/client"
import { isLoopboxError } from "../base/isLoopboxError.ts"
import type { Operation } from "./records.ts"

/**
 * What became of an answer: `sending`; `sent`, and its item is awaited; `failed`, with what helps; `checking`, since nobody
 * knows yet whether the network has it; `unclear`, after a person has to look.
 */
export type AnswerState = "sending" | "sent" | "failed" | "checking" | "unclear"

/** What helps an answer that was not sent. `retry` sends it under its own key, so never twice. */
export type Remedy = "retry" | "edit" | "reconnect" | "none"

/** An answer of this page, until its item is in the thread. */
export interface Answer {
  /** Its Idempotency-Key. */
  readonly key: string
  readonly itemId: string
  readonly text: string
  readonly isPrivate: boolean
  readonly at: string
  readonly state: AnswerState
  readonly operationId: string | null
  readonly remedy: Remedy
  /** Why it failed: the host's sentence, its code and its request. */
  readonly failure: { readonly code: string; readonly sentence: string; readonly requestId: string | null } | null
}

/** An answer that begins to be sent. */
export const begin = (answer: Pick<Answer, "key" | "itemId" | "text" | "isPrivate" | "at">): Answer => ({
  ...answer,
  state: "sending",
  operationId: null,
  remedy: "none",
  failure: null
})

const operationOf = (error: LoopboxError): string | null => error.details.operation_id ?? null

const remedyOf = ({ code, details, status }: LoopboxError): Remedy => {
  if (code === "X_RECONNECT_REQUIRED" || code === "ACCOUNT_DISCONNECTED") return "reconnect"
  if (details.reason === "window_closed") return "none"
  // The same request may pass later: nothing is wrong with it.
  if (status === 0 || status === 429 || status >= 500) return "retry"
  return "edit"
}

/** After the call has failed. */
export const fail = (answer: Answer, error: unknown): Answer => {
  if (!isLoopboxError(error)) {
    return {
      ...answer,
      state: "failed",
      remedy: "retry",
      failure: { code: "PAGE_ERROR", sentence: "", requestId: null }
    }
  }
  const operationId = operationOf(error) ?? answer.operationId
  const failure = { code: error.code, sentence: error.message, requestId: error.requestId }
  switch (error.code) {
    case "X_REMOTE_ACCEPTED_RECONCILING":
      return { ...answer, operationId, state: "sent", failure: null }
    case "X_WRITE_OUTCOME_PENDING":
      return { ...answer, operationId, state: "checking", failure: null }
    case "X_WRITE_NEEDS_RECONCILIATION":
      return { ...answer, operationId, state: "unclear", remedy: "none", failure }
    default:
      return { ...answer, operationId, state: "failed", remedy: remedyOf(error), failure }
  }
}

const failureOf = (operation: Operation): Answer["failure"] =>
  operation.error === null ? null : { code: operation.error.code, sentence: operation.error.message, requestId: null }

/** After the host told what became of the operation. */
export const follow = (answer: Answer, operation: Operation): Answer => {
  const operationId = operation.id
  switch (operation.status) {
    case "completed":
    case "remote_succeeded":
      return { ...answer, operationId, state: "sent", failure: null, remedy: "none" }
    case "outcome_unknown":
      return { ...answer, operationId, state: "checking", failure: null, remedy: "none" }
    case "needs_reconciliation":
      return { ...answer, operationId, state: "unclear", failure: failureOf(operation), remedy: "none" }
    case "rejected":
      return {
        ...answer,
        operationId,
        state: "failed",
        failure: failureOf(operation),
        remedy: operation.error?.code === "X_RECONNECT_REQUIRED" ? "reconnect" : "edit"
      }
    case "pending":
      return operation.error === null
        ? { ...answer, operationId }
        : { ...answer, operationId, state: "failed", failure: failureOf(operation), remedy: "retry" }
    case "sending":
      return { ...answer, operationId, state: answer.state === "failed" ? "sending" : answer.state }
  }
}

/** Whether an operation, told by an event, is this answer's; while its call runs, its id is not known yet. */
export const isOf = (answer: Answer, operation: Operation): boolean =>
  answer.operationId === null
    ? answer.state === "sending" && answer.itemId === operation.item_id
    : answer.operationId === operation.id
