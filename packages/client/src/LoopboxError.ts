import type { components } from "./generated/wire.ts"

/** Codes of the API at the version that this package was made for; another host may have others. */
export type ApiErrorCode = components["schemas"]["ErrorCode"]

/**
 * Codes of failures that no answer told: no connection, no answer in time, an answer that is none of the API's, a media job
 * that failed, a runtime without a fitting WebSocket.
 */
export type LocalErrorCode = "CONNECTION_FAILED" | "TIMED_OUT" | "INVALID_ANSWER" | "WEBSOCKET_UNSUPPORTED"

export type LoopboxErrorCode = ApiErrorCode | LocalErrorCode | (string & {})

/** What an error says besides its code; which members are there depends on the code. */
export interface ErrorDetails {
  /** All faults of a request that is not valid. */
  readonly issues?: ReadonlyArray<{ readonly path: string; readonly message: string; readonly code?: string }>
  /** Which of the code's causes it is. */
  readonly reason?: string
  /** The operation of a reply, for `outbound.findOperation`. */
  readonly operation_id?: string
  readonly [member: string]: unknown
}

/** Why a call failed. A call that was aborted fails with the signal's reason instead. */
export class LoopboxError extends Error {
  override readonly name = "LoopboxError"
  /** The answer's status; 0 where there was none, or where it is not the answer that failed. */
  readonly status: number
  readonly code: LoopboxErrorCode
  /** Empty where nothing more is known. */
  readonly details: ErrorDetails
  /** Names the request in the host's log. */
  readonly requestId: string | null
  /** Seconds after which the same request may be made again, where the host says so. */
  readonly retryAfter: number | null

  constructor(
    message: string,
    fields: {
      readonly status: number
      readonly code: LoopboxErrorCode
      readonly details?: ErrorDetails | undefined
      readonly requestId?: string | null
      readonly retryAfter?: number | null
      readonly cause?: unknown
    }
  ) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details ?? {}
    this.requestId = fields.requestId ?? null
    this.retryAfter = fields.retryAfter ?? null
  }
}
